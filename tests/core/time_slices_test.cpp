#include "core/time_slices.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>
#include <vector>

#include "core/process.hpp"
#include "core/random.hpp"

namespace doorbell::core {
namespace {

using namespace std::chrono_literals;

/// Linux on 8 CPUs or more.
SliceRules linux_rules() { return {.latency = 24ms, .granularity = 3ms, .wakeup = 4ms, .tick = 4ms, .change = 0ns}; }

/// A loop that notes when it has a processor.
class Watched final : public TimeSlices::Loop {
 public:
  explicit Watched(Calendar& calendar) : calendar_{calendar} {}

  std::vector<Time> turns;

 private:
  void turn_begins() override {
    EXPECT_TRUE(runs());
    turns.push_back(calendar_.now());
  }

  Calendar& calendar_;
};

/// Processors of which loops and work take turns.
class Processors {
 public:
  Processors(int number, const SliceRules& rules)
      : slices{calendar, std::vector<double>(static_cast<std::size_t>(number), 1.0), rules} {}

  void begin(int number) {
    for (int i = 0; i < number; ++i) slices.begin(loops.emplace_back(calendar));
  }
  [[nodiscard]] int running() const {
    int number = 0;
    for (const Watched& loop : loops) number += loop.runs() ? 1 : 0;
    return number;
  }
  /// Shares of time in which the loops run, seen every `step`.
  std::vector<double> shares(Time until, Time step) {
    std::vector<double> seen(loops.size());
    int looks = 0;
    for (Time now = calendar.now() + step; now <= until; now += step, ++looks) {
      calendar.run_until(now);
      for (std::size_t i = 0; i < loops.size(); ++i) seen[i] += loops[i].runs() ? 1 : 0;
    }
    for (double& one : seen) one /= looks;
    return seen;
  }

  Calendar calendar;
  TimeSlices slices;
  std::deque<Watched> loops;
};

Process one_piece(Processors& at, Time work, std::vector<Time>& ends) {
  co_await at.slices.use(work);
  ends.push_back(at.calendar.now());
}

/// Work that never ends, piece after piece.
Process endless(Processors& at, Time piece, Time& done) {
  for (;;) {
    co_await at.slices.use(piece);
    done += piece;
  }
}

/// Works, and then sleeps.
Process on_and_off(Processors& at, Time work, Time sleep, Time& done, RandomStream& random) {
  for (;;) {
    const Time piece = random.exponential(work);
    co_await at.slices.use(piece);
    done += piece;
    co_await delay(at.calendar, random.exponential(sleep));
  }
}

TEST(TimeSlices, TurnsNeedATick) {
  Calendar calendar;
  const auto build = [&](const SliceRules& rules) { const TimeSlices slices{calendar, {1.0}, rules}; };
  EXPECT_THROW(build({.latency = 24ms}), std::invalid_argument);
  EXPECT_NO_THROW(build({})) << "without turns";
}

TEST(TimeSlices, LoopsOnEnoughProcessorsRunAllTheTime) {
  Processors at{4, linux_rules()};
  at.begin(4);
  at.calendar.run_until(1s);
  EXPECT_EQ(at.running(), 4);
  EXPECT_EQ(at.slices.changes(), 0U);
  EXPECT_EQ(at.calendar.executed(), 0U);
}

TEST(TimeSlices, TwoLoopsTakeTurnsOfHalfTheLatency) {
  Processors at{1, linux_rules()};
  at.begin(2);
  at.calendar.run_until(1s);
  for (const Watched& loop : at.loops) {
    ASSERT_GT(loop.turns.size(), 30U);
    for (std::size_t i = 2; i < loop.turns.size(); ++i) EXPECT_EQ(loop.turns[i] - loop.turns[i - 1], 24ms);
  }
  EXPECT_EQ(at.loops[0].turns.back() - at.loops[1].turns[at.loops[0].turns.size() - 1], 12ms);
  EXPECT_NEAR(static_cast<double>(at.slices.changes()), 1000.0 / 12, 1);
}

TEST(TimeSlices, ManyLoopsGetNoShorterSlicesThanTheGranularity) {
  SliceRules rules = linux_rules();
  rules.tick = 1ms;
  Processors at{1, rules};
  at.begin(16);  // 24 ms would give each 1.5
  at.calendar.run_until(2s);
  const std::vector<Time>& turns = at.loops[3].turns;
  ASSERT_GT(turns.size(), 3U);
  EXPECT_EQ(turns.back() - turns[turns.size() - 2], 16 * 3ms);
}

TEST(TimeSlices, TurnsAreFair) {
  Processors at{5, linux_rules()};
  at.begin(12);
  for (const double share : at.shares(20s, 1ms)) EXPECT_NEAR(share, 5.0 / 12, 0.01);
}

// Of a cycle c in which the loop is away for a, an arrival at random waits a^2 / 2c on average.
TEST(TimeSlices, AnArrivalWaitsForTheTurnOfItsLoop) {
  Processors at{2, linux_rules()};
  at.begin(6);
  RandomStream random{3, "arrivals"};
  double waited = 0;
  constexpr int arrivals = 4000;
  for (int i = 1; i <= arrivals; ++i) {
    const Time came = 48ms * i + Time{static_cast<std::int64_t>(random.below(24'000'000'000))};
    at.calendar.run_until(came);
    while (!at.loops[0].runs()) at.calendar.step();
    waited += to_seconds(at.calendar.now() - came);
  }
  // Three loops to a processor: 8 ms each.
  EXPECT_NEAR(waited / arrivals * 1e3, 16.0 * 16 / (2 * 24), 0.15);
}

TEST(TimeSlices, AChangeTakesItsTime) {
  SliceRules rules = linux_rules();
  rules.change = 2us;
  Processors at{1, rules};
  at.begin(2);
  at.calendar.run_until(100ms);
  const Watched& running = at.loops[0].runs() ? at.loops[0] : at.loops[1];
  EXPECT_EQ(running.runs_from(), running.turns.back() + 2us);
}

TEST(TimeSlices, WorkAndALoopHaveAProcessorInTurnToo) {
  Processors at{1, linux_rules()};
  at.begin(1);
  Time done{0};
  start(at.calendar, endless(at, 60us, done));
  at.calendar.run_until(12s);
  EXPECT_NEAR(to_seconds(done), 6, 0.05);
  EXPECT_NEAR(static_cast<double>(at.slices.changes()), 1000, 20);
}

TEST(TimeSlices, WorkGetsTheShareThatProcessorSharingGivesIt) {
  const auto done_with = [](const SliceRules& rules) {
    Processors at{4, rules};
    at.begin(3);
    std::vector<Time> done(5);
    for (Time& one : done) start(at.calendar, endless(at, 60us, one));
    at.calendar.run_until(20s);
    Time sum{0};
    for (const Time one : done) sum += one;
    return to_seconds(sum);
  };
  EXPECT_NEAR(done_with(SliceRules{}), 20 * 4 * 5.0 / 8, 0.01);
  EXPECT_NEAR(done_with(linux_rules()), 20 * 4 * 5.0 / 8, 0.2);
}

TEST(TimeSlices, WorkThatWakesUpTakesTheProcessorOfALoopThatHasHadMore) {
  Processors at{1, linux_rules()};
  at.begin(1);
  at.calendar.run_until(100ms);  // far ahead of work, which gets half a latency of it
  std::vector<Time> ends;
  start(at.calendar, one_piece(at, 100us, ends));
  at.calendar.run_until(200ms);
  EXPECT_EQ(ends, (std::vector<Time>{100ms + 100us})) << "at once";
  EXPECT_EQ(at.loops[0].turns, (std::vector<Time>{100ms + 100us})) << "and then the loop goes on";
  EXPECT_EQ(at.slices.changes(), 1U);
}

TEST(TimeSlices, WorkThatHasSleptForLongGetsHalfALatencyBackAndNoMore) {
  Processors at{1, linux_rules()};
  at.begin(1);
  at.calendar.run_until(10s);
  Time done{0};
  start(at.calendar, endless(at, 60us, done));
  at.calendar.run_until(10s + 200ms);
  EXPECT_GE(done, 200ms / 2);
  EXPECT_LE(done, (200ms + 24ms / 2 + 12ms) / 2) << "and the rest of a slice";
}

TEST(TimeSlices, WorkThatHasHadAsMuchWaitsForTheEndOfASlice) {
  Processors at{1, linux_rules()};
  at.begin(1);
  std::vector<Time> ends;
  at.calendar.run_until(3ms);  // less than the wake-up granularity ahead
  start(at.calendar, one_piece(at, 100us, ends));
  at.calendar.run_until(100ms);
  EXPECT_EQ(ends, (std::vector<Time>{12ms + 100us}));
}

TEST(TimeSlices, ALoopRunsWhileWorkSleeps) {
  Processors at{1, linux_rules()};
  at.begin(1);
  Time done{0};
  RandomStream random{5, "work"};
  // A tenth of the time, less than the half that it could have: it hardly ever waits.
  start(at.calendar, on_and_off(at, 100us, 900us, done, random));
  at.calendar.run_until(100ms);
  done = Time{0};
  const std::vector<double> shares = at.shares(10100ms, 37us);
  EXPECT_NEAR(to_seconds(done), 1, 0.05);
  EXPECT_NEAR(shares[0], 0.9, 0.01);
}

TEST(TimeSlices, ALoopThatWorksKeepsItsTurn) {
  Processors at{1, linux_rules()};
  at.begin(1);
  std::vector<Time> ends;
  at.slices.work(at.loops[0]);
  start(at.calendar, one_piece(at, 5us, ends));
  at.calendar.run_until(5us);
  at.slices.resume(at.loops[0]);
  at.calendar.run_until(1ms);
  EXPECT_EQ(ends, (std::vector<Time>{5us}));
  EXPECT_EQ(at.slices.changes(), 0U);
  EXPECT_EQ(at.slices.population().level(), 1);
}

/// When pieces of work end, beside loops.
std::vector<Time> ends_of(const SliceRules& rules, int processors, int loops, int workers) {
  Processors at{processors, rules};
  at.begin(loops);
  RandomStream random{11, "pieces"};
  std::vector<Time> ends;
  struct Worker {
    static Process run(Processors& at, RandomStream& random, std::vector<Time>& ends) {
      for (;;) {
        co_await at.slices.use(random.exponential(20us));
        ends.push_back(at.calendar.now());
        co_await delay(at.calendar, random.exponential(5us));
      }
    }
  };
  for (int i = 0; i < workers; ++i) start(at.calendar, Worker::run(at, random, ends));
  at.calendar.run_until(100ms);
  return ends;
}

TEST(TimeSlices, WithEnoughProcessorsNothingDiffersFromProcessorSharing) {
  EXPECT_EQ(ends_of(linux_rules(), 8, 3, 5), ends_of(SliceRules{}, 8, 3, 5));
  EXPECT_EQ(ends_of(linux_rules(), 4, 0, 9), ends_of(SliceRules{}, 4, 0, 9)) << "nor without loops";
  EXPECT_NE(ends_of(linux_rules(), 7, 3, 5), ends_of(SliceRules{}, 7, 3, 5));
}

TEST(TimeSlices, TheSameHappensAgain) { EXPECT_EQ(ends_of(linux_rules(), 4, 3, 5), ends_of(linux_rules(), 4, 3, 5)); }

}  // namespace
}  // namespace doorbell::core
