#include "core/calendar.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

struct Recorder {
  std::vector<std::uint64_t> seen;
  void record(std::uint64_t argument) { seen.push_back(argument); }
};

using Seen = std::vector<std::uint64_t>;

TEST(Calendar, NotReadyOnePicosecondEarlyReadyOnTime) {
  Calendar calendar;
  Recorder recorder;
  calendar.at<&Recorder::record>(50_ns, {}, recorder, 7);
  calendar.run_until(50_ns - 1_ps);
  EXPECT_TRUE(recorder.seen.empty());
  calendar.run_until(50_ns);
  EXPECT_EQ(recorder.seen, Seen{7});
  EXPECT_EQ(calendar.now(), 50_ns);
}

TEST(Calendar, TimeDoesNotGoBack) {
  Calendar calendar;
  calendar.run_until(10_ns);
  calendar.run_until(5_ns);
  EXPECT_EQ(calendar.now(), 10_ns);
}

TEST(Calendar, RefusesThePast) {
  Calendar calendar;
  Recorder recorder;
  calendar.run_until(10_ns);
  EXPECT_THROW(calendar.at<&Recorder::record>(10_ns - 1_ps, {}, recorder), std::logic_error);
  EXPECT_THROW(calendar.after<&Recorder::record>(Time{-1}, {}, recorder), std::logic_error);
  EXPECT_EQ(calendar.pending(), 0U);
  EXPECT_NO_THROW(calendar.at<&Recorder::record>(10_ns, {}, recorder));
}

// The order of (time, rank) must not depend on the order of insertion, with few events (heap) or many (wheel).
TEST(Calendar, OrderIsIndependentOfShuffledInsertion) {
  for (const std::uint64_t count : {8U, 40U, 1000U, 20000U}) {
    Seen expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      RandomStream random(seed, "shuffle");
      Seen order = expected;
      for (std::uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      Calendar calendar;
      Recorder recorder;
      // Event k: four events of distinct ranks share each instant.
      for (const std::uint64_t k : order) {
        calendar.at<&Recorder::record>(Time{static_cast<std::int64_t>(k / 4 * 700)},
                                       Priority{static_cast<std::uint32_t>(k % 4)}, recorder, k);
      }
      calendar.run();
      ASSERT_EQ(recorder.seen, expected) << count << " events, seed " << seed;
    }
  }
}

TEST(Calendar, SameTimeAndRankRunInOrderOfInsertion) {
  for (const std::uint64_t count : {10U, 5000U}) {
    Calendar calendar;
    Recorder recorder;
    for (std::uint64_t k = 0; k < count; ++k) calendar.at<&Recorder::record>(3_us, Priority{9}, recorder, k);
    calendar.run();
    Seen expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(recorder.seen, expected);
  }
}

TEST(Calendar, AnEventForThisInstantRunsInThisInstantByRank) {
  struct Nested {
    Calendar& calendar;
    Recorder recorder;
    void first(std::uint64_t) {
      recorder.record(1);
      calendar.at<&Recorder::record>(calendar.now(), Priority{2}, recorder, 4);
      calendar.at<&Recorder::record>(calendar.now(), Priority{0}, recorder, 2);
    }
  };
  Calendar calendar;
  Nested nested{calendar, {}};
  calendar.at<&Nested::first>(1_ns, Priority{1}, nested);
  calendar.at<&Recorder::record>(1_ns, Priority{1}, nested.recorder, 3);
  calendar.run();
  EXPECT_EQ(nested.recorder.seen, (Seen{1, 2, 3, 4}));
  EXPECT_EQ(calendar.now(), 1_ns);
}

TEST(Calendar, CancelledEventsDoNotRun) {
  Calendar calendar;
  Recorder recorder;
  const EventId kept = calendar.at<&Recorder::record>(1_ns, {}, recorder, 1);
  const EventId gone = calendar.at<&Recorder::record>(2_ns, {}, recorder, 2);
  EXPECT_TRUE(calendar.cancel(gone));
  EXPECT_FALSE(calendar.cancel(gone));
  EXPECT_EQ(calendar.pending(), 1U);
  calendar.run();
  EXPECT_EQ(recorder.seen, Seen{1});
  EXPECT_EQ(calendar.executed(), 1U);
  EXPECT_FALSE(calendar.cancel(kept));
  EXPECT_FALSE(calendar.cancel(EventId{}));
}

TEST(Calendar, AStaleIdDoesNotCancelTheEventThatReusesItsPlace) {
  Calendar calendar;
  Recorder recorder;
  const EventId stale = calendar.at<&Recorder::record>(1_ns, {}, recorder, 1);
  calendar.run();
  const EventId fresh = calendar.at<&Recorder::record>(2_ns, {}, recorder, 2);
  EXPECT_EQ(stale.slot, fresh.slot);
  EXPECT_FALSE(calendar.cancel(stale));
  calendar.run();
  EXPECT_EQ(recorder.seen, (Seen{1, 2}));
}

TEST(Calendar, StopReturnsAfterTheRunningEventAndTheRestCanContinue) {
  struct Stopper {
    Calendar& calendar;
    void stop(std::uint64_t) { calendar.stop(); }
  };
  Calendar calendar;
  Recorder recorder;
  Stopper stopper{calendar};
  calendar.at<&Stopper::stop>(1_ns, {}, stopper);
  calendar.at<&Recorder::record>(2_ns, {}, recorder, 5);
  calendar.run_until(10_ns);
  EXPECT_TRUE(recorder.seen.empty());
  EXPECT_EQ(calendar.now(), 1_ns);
  calendar.run();
  EXPECT_EQ(recorder.seen, Seen{5});
}

TEST(Calendar, StepRunsOneEvent) {
  Calendar calendar;
  Recorder recorder;
  EXPECT_FALSE(calendar.step());
  calendar.at<&Recorder::record>(1_ns, {}, recorder, 1);
  calendar.at<&Recorder::record>(1_ns, {}, recorder, 2);
  EXPECT_TRUE(calendar.step());
  EXPECT_EQ(recorder.seen, Seen{1});
  EXPECT_TRUE(calendar.step());
  EXPECT_FALSE(calendar.step());
}

// Looking for the next event must not make earlier ones, scheduled afterwards, come late.
TEST(Calendar, AnEventMayBeScheduledBeforeTheOneThatWasNextWhenRunUntilReturned) {
  for (const std::uint64_t far : {1U, 1000U}) {
    Calendar calendar;
    Recorder recorder;
    for (std::uint64_t k = 0; k < far; ++k) {
      calendar.at<&Recorder::record>(1_ms + Time{static_cast<std::int64_t>(k)}, {}, recorder, 100 + k);
    }
    calendar.run_until(1_us);
    calendar.at<&Recorder::record>(2_us, {}, recorder, 1);
    calendar.at<&Recorder::record>(1_us, {}, recorder, 0);
    calendar.run_until(500_us);
    EXPECT_EQ(recorder.seen, (Seen{0, 1}));
    calendar.run();
    EXPECT_EQ(recorder.seen.size(), 2 + far);
    EXPECT_EQ(recorder.seen.back(), 99 + far);
  }
}

TEST(Calendar, ExceptionsLeaveItUsable) {
  struct Thrower {
    void fail(std::uint64_t) { throw std::runtime_error("on purpose"); }
  };
  Calendar calendar;
  Thrower thrower;
  Recorder recorder;
  calendar.at<&Thrower::fail>(1_ns, {}, thrower);
  calendar.at<&Recorder::record>(2_ns, {}, recorder, 3);
  EXPECT_THROW(calendar.run(), std::runtime_error);
  EXPECT_EQ(calendar.now(), 1_ns);
  calendar.run();
  EXPECT_EQ(recorder.seen, Seen{3});
}

TEST(Calendar, AFailureBetweenRunsEndsTheNextOne) {
  Calendar calendar;
  Recorder recorder;
  calendar.at<&Recorder::record>(1_ns, {}, recorder, 3);
  calendar.fail(std::make_exception_ptr(std::runtime_error("on purpose")));
  EXPECT_THROW(calendar.run(), std::runtime_error);
  EXPECT_TRUE(recorder.seen.empty());
  calendar.run();
  EXPECT_EQ(recorder.seen, Seen{3});
}

TEST(Calendar, ClearForgetsAllEvents) {
  Calendar calendar;
  Recorder recorder;
  std::vector<EventId> ids;
  for (std::int64_t k = 1; k <= 500; ++k) ids.push_back(calendar.at<&Recorder::record>(k * 1_us, {}, recorder));
  calendar.run_until(100_us);
  calendar.clear();
  EXPECT_EQ(calendar.pending(), 0U);
  EXPECT_FALSE(calendar.cancel(ids.back()));
  calendar.run();
  EXPECT_EQ(recorder.seen.size(), 100U);
  calendar.after<&Recorder::record>(1_ns, {}, recorder, 8);
  calendar.run();
  EXPECT_EQ(recorder.seen.back(), 8U);
}

TEST(Calendar, ReachesTheEndOfTime) {
  Calendar calendar;
  Recorder recorder;
  for (std::uint64_t k = 0; k < 200; ++k) {
    calendar.at<&Recorder::record>(Time::max() - Time{static_cast<std::int64_t>(k)}, {}, recorder, 199 - k);
    calendar.at<&Recorder::record>(Time{static_cast<std::int64_t>(k)}, {}, recorder, k);
  }
  calendar.run();
  EXPECT_EQ(calendar.executed(), 400U);
  EXPECT_EQ(calendar.now(), Time::max());
  EXPECT_EQ(recorder.seen.back(), 199U);
}

// What a simulation computes must not depend on others in the same process.
TEST(Calendar, SimulationsInSeveralThreadsDoNotTouchEachOther) {
  struct Chain {
    Calendar calendar;
    RandomStream random;
    std::uint64_t hash = 0;
    explicit Chain(std::uint64_t seed) : random(seed, "chain") {}
    void hop(std::uint64_t argument) {
      hash = hash * 31 + static_cast<std::uint64_t>(calendar.now().count()) + argument;
      calendar.after<&Chain::hop>(random.exponential(10_ns), {}, *this, argument);
    }
    std::uint64_t run() {
      for (std::uint64_t k = 0; k < 200; ++k) calendar.after<&Chain::hop>(1_ns, {}, *this, k);
      calendar.run_until(5_us);
      return hash;
    }
  };
  std::vector<std::uint64_t> alone;
  for (std::uint64_t seed = 0; seed < 4; ++seed) alone.push_back(Chain(seed).run());
  std::vector<std::uint64_t> together(4);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&together, seed] { together[seed] = Chain(seed).run(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
  EXPECT_NE(alone[0], alone[1]);
}

}  // namespace
}  // namespace doorbell::core
