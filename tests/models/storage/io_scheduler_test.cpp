#include "models/storage/io_scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

IoRequest request(int process, std::int64_t begin, Time added, BlockOperation operation = BlockOperation::read) {
  IoRequest made;
  made.submitters.push_back({process, static_cast<std::uint64_t>(begin)});
  made.operation = operation;
  made.begin = begin;
  made.end = begin + 4096;
  made.added = added;
  return made;
}

std::vector<std::int64_t> drained(IoSchedulerQueue& queue, Time now) {
  std::vector<std::int64_t> order;
  while (const auto next = queue.next(now)) {
    order.push_back(next->begin);
    queue.completed(*next, now);
  }
  return order;
}

TEST(IoScheduler, NoopKeepsTheOrderOfArrival) {
  IoSchedulerQueue queue{IoScheduler::noop, 8, 4_KiB};
  for (const std::int64_t at : {900'000, 100'000, 500'000}) queue.add(request(0, at, 0ns));
  EXPECT_EQ(drained(queue, 0ns), (std::vector<std::int64_t>{900'000, 100'000, 500'000}));
}

TEST(IoScheduler, DeadlineGoesUpwards) {
  IoSchedulerQueue queue{IoScheduler::deadline, 8, 4_KiB};
  for (const std::int64_t at : {900'000, 100'000, 500'000}) queue.add(request(0, at, 0ns));
  EXPECT_EQ(drained(queue, 0ns), (std::vector<std::int64_t>{100'000, 500'000, 900'000}));
}

TEST(IoScheduler, DeadlineServesTheOldestWhenItHasWaitedTooLong) {
  const auto first = [](BlockOperation operation, Time now) {
    IoSchedulerQueue queue{IoScheduler::deadline, 8, 4_KiB};
    queue.add(request(0, 900'000, 0ns, operation));
    queue.add(request(0, 100'000, 100ms, operation));
    return queue.next(now)->begin;
  };
  EXPECT_EQ(first(BlockOperation::read, 499ms), 100'000);
  EXPECT_EQ(first(BlockOperation::read, 500ms), 900'000);
  EXPECT_EQ(first(BlockOperation::write, 4999ms), 100'000);
  EXPECT_EQ(first(BlockOperation::write, 5000ms), 900'000);
}

TEST(IoScheduler, ReadsDoNotStarveWrites) {
  IoSchedulerQueue queue{IoScheduler::deadline, 1000, 4_KiB};
  queue.add(request(0, 0, 0ns, BlockOperation::write));
  for (std::int64_t i = 1; i <= 60; ++i) queue.add(request(1, i * 10'000, 0ns));
  const std::vector<std::int64_t> order = drained(queue, 0ns);
  const auto write = std::find(order.begin(), order.end(), 0);
  EXPECT_EQ(write - order.begin(), 32) << "after two batches of 16";
}

TEST(IoScheduler, ReadsThatNoWriteWaitsForStarveNone) {
  IoSchedulerQueue queue{IoScheduler::deadline, 1000, 4_KiB, {.fifo_batch = 4, .writes_starved = 2}};
  for (std::int64_t i = 1; i <= 40; ++i) queue.add(request(1, i * 10'000, 0ns));
  EXPECT_EQ(drained(queue, 0ns).size(), 40U);
  queue.add(request(0, 0, 0ns, BlockOperation::write));
  for (std::int64_t i = 1; i <= 40; ++i) queue.add(request(1, i * 10'000, 0ns));
  const std::vector<std::int64_t> order = drained(queue, 0ns);
  EXPECT_EQ(std::find(order.begin(), order.end(), 0) - order.begin(), 8) << "after two batches of 4";
}

TEST(IoScheduler, ABatchEndsWhereNothingLiesAbove) {
  // No read goes before a write, except in a batch that has begun; this one has fifteen left.
  IoSchedulerQueue queue{IoScheduler::deadline, 1000, 4_KiB, {.writes_starved = 0}};
  queue.add(request(0, 100'000, 0ns));
  EXPECT_EQ(queue.next(0ns)->begin, 100'000);
  queue.add(request(0, 50'000, 0ns));
  queue.add(request(0, 900'000, 0ns, BlockOperation::write));
  EXPECT_EQ(queue.next(0ns)->begin, 900'000);
}

TEST(IoScheduler, NeighboursAreJoinedUnlessOneIsAWrite) {
  for (const BlockOperation other : {BlockOperation::read, BlockOperation::write}) {
    IoSchedulerQueue queue{IoScheduler::noop, 8, 8_KiB};
    queue.add(request(0, 0, 0ns));
    queue.add(request(0, 4096, 0ns, other));
    EXPECT_EQ(drained(queue, 0ns).size(), other == BlockOperation::read ? 1U : 2U);
  }
}

TEST(IoScheduler, DeadlinesAndBatchesAreTunable) {
  const IoSchedulerTunables tunables{.read_expire = 10ms, .fifo_batch = 3, .writes_starved = 4};
  IoSchedulerQueue queue{IoScheduler::deadline, 1000, 4_KiB, tunables};
  queue.add(request(0, 0, 0ns, BlockOperation::write));
  for (std::int64_t i = 1; i <= 60; ++i) queue.add(request(1, i * 10'000, 0ns));
  const std::vector<std::int64_t> order = drained(queue, 0ns);
  EXPECT_EQ(std::find(order.begin(), order.end(), 0) - order.begin(), 12) << "after four batches of 3";

  queue.add(request(0, 900'000, 0ns));
  queue.add(request(0, 700'000, 9ms));
  EXPECT_EQ(queue.next(10ms)->begin, 900'000);
}

TEST(IoScheduler, IdleWaitsAndSlicesAreTunable) {
  const IoSchedulerTunables tunables{.antic_expire = 1ms, .slice_idle = 2ms};
  for (const auto& [kind, wait] : {std::pair{IoScheduler::anticipatory, 1ms}, std::pair{IoScheduler::cfq, 2ms}}) {
    IoSchedulerQueue queue{kind, 8, 4_KiB, tunables};
    queue.add(request(0, 0, 0ns));
    queue.completed(*queue.next(0ns), 5ms);
    queue.add(request(1, 1'000'000'000, 5ms));
    EXPECT_FALSE(queue.next(5ms + wait - 1ns));
    EXPECT_TRUE(queue.next(5ms + wait));
  }
}

TEST(IoScheduler, JoinsWhatContinuesARequestUpToTheLimit) {
  for (const IoScheduler kind :
       {IoScheduler::noop, IoScheduler::deadline, IoScheduler::anticipatory, IoScheduler::cfq}) {
    IoSchedulerQueue queue{kind, 8, 8_KiB};
    queue.add(request(0, 4096, 0ns));
    queue.add(request(0, 0, 0ns));
    queue.add(request(0, 8192, 0ns));
    const auto first = queue.next(0ns);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->begin, 0);
    EXPECT_EQ(first->end, 8192);
    EXPECT_EQ(first->submitters.size(), 2U);
  }
}

TEST(IoScheduler, NothingIsLostOrServedTwice) {
  for (const IoScheduler kind :
       {IoScheduler::noop, IoScheduler::deadline, IoScheduler::anticipatory, IoScheduler::cfq}) {
    IoSchedulerQueue queue{kind, 4, 4_KiB};
    std::vector<std::int64_t> served;
    Time now{0};
    std::vector<IoRequest> flying;
    std::int64_t added = 0;
    std::vector<std::int64_t> expected;
    for (int round = 0; round < 5000 && served.size() < 300; ++round) {
      now += 1ms;
      if (added < 300) {
        const std::int64_t place = (added * 7919 % 1009) * 10'000;
        expected.push_back(place);
        queue.add(request(static_cast<int>(added % 5), place, now));
        ++added;
      }
      while (auto next = queue.next(now)) flying.push_back(std::move(*next));
      EXPECT_LE(queue.in_flight(), 4);
      if (!flying.empty()) {
        queue.completed(flying.front(), now);
        served.push_back(flying.front().begin);
        flying.erase(flying.begin());
      }
    }
    std::sort(served.begin(), served.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(served, expected);
  }
}

TEST(IoScheduler, AnticipationWaitsForTheProcessThatReadsOn) {
  IoSchedulerQueue queue{IoScheduler::anticipatory, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  const auto first = queue.next(0ns);
  queue.add(request(2, 900'000'000, 1us));
  EXPECT_FALSE(queue.next(1us)) << "one at a time";
  queue.completed(*first, 10us);
  EXPECT_FALSE(queue.next(10us)) << "the far request waits";
  ASSERT_TRUE(queue.idle_until());
  EXPECT_EQ(*queue.idle_until(), Time{10us} + Time{6700us});
  queue.add(request(1, 4096, 20us));
  EXPECT_EQ(queue.next(20us)->begin, 4096);
}

TEST(IoScheduler, AnticipationEnds) {
  IoSchedulerQueue queue{IoScheduler::anticipatory, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  const auto first = queue.next(0ns);
  queue.completed(*first, 10us);
  queue.add(request(2, 900'000'000, 20us));
  EXPECT_FALSE(queue.next(20us));
  EXPECT_EQ(queue.next(7ms)->begin, 900'000'000);
  EXPECT_FALSE(queue.idle_until());
}

TEST(IoScheduler, ARequestCloseByEndsAnticipation) {
  IoSchedulerQueue queue{IoScheduler::anticipatory, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  const auto first = queue.next(0ns);
  queue.completed(*first, 10us);
  queue.add(request(2, 100'000, 20us));
  const auto close = queue.next(20us);
  ASSERT_TRUE(close);
  EXPECT_EQ(close->begin, 100'000);
  // The wait is over with it: nothing is to be asked at an instant that has passed.
  queue.add(request(3, 800'000'000, 30us));
  EXPECT_FALSE(queue.idle_until());
}

TEST(IoScheduler, ARequestFartherThan512KiBDoesNotEndAnticipation) {
  const auto is_served = [](std::int64_t distance) {
    IoSchedulerQueue queue{IoScheduler::anticipatory, 8, 4_KiB};
    queue.add(request(1, 0, 0ns));
    const auto first = queue.next(0ns);
    queue.completed(*first, 10us);
    queue.add(request(2, first->end + distance, 20us));
    return queue.next(20us).has_value();
  };
  EXPECT_TRUE(is_served((512_KiB).count));
  EXPECT_FALSE(is_served((512_KiB).count + 1));
}

/// When process 2 is served, which asks once, at the beginning, beside process 1, which always has more to read.
Time first_turn_of_the_other(IoScheduler kind) {
  IoSchedulerQueue queue{kind, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  queue.add(request(2, 900'000'000, 0ns));
  Time now{0};
  for (std::int64_t i = 1; i < 1000; ++i) {
    const auto next = queue.next(now);
    if (next && next->process() == 2) return now;
    queue.add(request(1, i * 10'000, now));
    now += 1ms;
    if (next) queue.completed(*next, now);
  }
  return Time::max();
}

TEST(IoScheduler, AnticipationGoesOnUntilAnotherHasWaitedTooLong) {
  EXPECT_EQ(first_turn_of_the_other(IoScheduler::anticipatory), 126ms)
      << "the first instant at which it has waited for more than 125 ms";
}

TEST(IoScheduler, CfqEndsTheSliceOfAProcessThatAlwaysHasMoreToRead) {
  EXPECT_EQ(first_turn_of_the_other(IoScheduler::cfq), 100ms);
}

TEST(IoScheduler, CfqGivesTheDeviceAtMostFourRequestsAtATime) {
  IoSchedulerQueue queue{IoScheduler::cfq, 8, 4_KiB};
  for (std::int64_t i = 0; i < 8; ++i) queue.add(request(1, i * 10'000, 0ns));
  queue.add(request(2, 500'000, 0ns));
  std::optional<IoRequest> last;
  for (int i = 0; i < 4; ++i) {
    last = queue.next(0ns);
    ASSERT_TRUE(last);
  }
  EXPECT_FALSE(queue.next(0ns));
  queue.completed(*last, 1ms);
  EXPECT_TRUE(queue.next(1ms));
  EXPECT_FALSE(queue.next(1ms));
}

TEST(IoScheduler, CfqWaitsForTheProcessWhoseSliceItIs) {
  IoSchedulerQueue queue{IoScheduler::cfq, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  queue.completed(*queue.next(0ns), 10ms);
  queue.add(request(2, 500'000, 10ms));
  EXPECT_FALSE(queue.next(10ms));
  EXPECT_EQ(queue.idle_until(), Time{18ms});
  EXPECT_FALSE(queue.next(17ms));
  queue.add(request(1, 900'000, 17ms));
  const auto own = queue.next(17ms);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->process(), 1);
  queue.completed(*own, 20ms);
  EXPECT_FALSE(queue.next(27ms));
  const auto other = queue.next(28ms);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->process(), 2);
}

TEST(IoScheduler, CfqDoesNotWaitBeyondTheSlice) {
  IoSchedulerQueue queue{IoScheduler::cfq, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  queue.completed(*queue.next(0ns), 95ms);
  queue.add(request(2, 500'000, 95ms));
  EXPECT_FALSE(queue.next(95ms));
  EXPECT_EQ(queue.idle_until(), Time{100ms});
  EXPECT_TRUE(queue.next(100ms));
}

/// Whether process 1, which has thought for so long after each of its requests, is waited for after the next one.
bool is_waited_for(IoScheduler kind, const std::vector<Time>& thoughts,
                   BlockOperation operation = BlockOperation::read) {
  IoSchedulerQueue queue{kind, 8, 4_KiB};
  Time now{1ms};
  std::int64_t place = 0;
  const auto serve = [&] {
    queue.add(request(1, place += 10'000, now, operation));
    const auto own = queue.next(now);
    queue.completed(*own, now += 100us);
  };
  serve();
  for (const Time thought : thoughts) {
    now += thought;
    serve();
  }
  queue.add(request(2, 900'000'000, now));
  return !queue.next(now);
}

TEST(IoScheduler, AProcessThatThinksTooLongIsNotWaitedFor) {
  EXPECT_TRUE(is_waited_for(IoScheduler::anticipatory, {6700us}));
  EXPECT_FALSE(is_waited_for(IoScheduler::anticipatory, {6701us}));
  EXPECT_TRUE(is_waited_for(IoScheduler::cfq, {8000us}));
  EXPECT_FALSE(is_waited_for(IoScheduler::cfq, {8001us}));
}

TEST(IoScheduler, OneThoughtCountsAnEighthOfTheHabit) {
  // 1 ms and then a thought of 40 ms: 5.875 ms on average; of 50 ms: 7.125 ms; and 1 ms again: 6.36 ms.
  EXPECT_TRUE(is_waited_for(IoScheduler::anticipatory, {1ms, 40ms}));
  EXPECT_FALSE(is_waited_for(IoScheduler::anticipatory, {1ms, 50ms}));
  EXPECT_TRUE(is_waited_for(IoScheduler::anticipatory, {1ms, 50ms, 1ms}));
}

TEST(IoScheduler, AProcessDoesNotThinkWhileItsOtherRequestsWait) {
  for (const IoScheduler kind : {IoScheduler::anticipatory, IoScheduler::cfq}) {
    IoSchedulerQueue queue{kind, 8, 4_KiB};
    queue.add(request(1, 0, 0ns));
    queue.add(request(1, 10'000, 0ns));
    queue.completed(*queue.next(0ns), 1ms);
    queue.add(request(1, 20'000, 50ms));
    for (int i = 0; i < 2; ++i) queue.completed(*queue.next(50ms), 51ms);
    queue.add(request(2, 900'000'000, 51ms));
    EXPECT_FALSE(queue.next(51ms));
  }
}

TEST(IoScheduler, NobodyIsWaitedForAfterAWrite) {
  for (const IoScheduler kind : {IoScheduler::anticipatory, IoScheduler::cfq}) {
    EXPECT_TRUE(is_waited_for(kind, {}));
    EXPECT_FALSE(is_waited_for(kind, {}, BlockOperation::write));
  }
}

TEST(IoScheduler, CfqGivesEachProcessItsSlice) {
  IoSchedulerQueue queue{IoScheduler::cfq, 8, 4_KiB};
  for (std::int64_t i = 0; i < 3; ++i) {
    queue.add(request(1, i * 1'000'000, 0ns));
    queue.add(request(2, 500'000 + i * 1'000'000, 0ns));
  }
  std::vector<int> owners;
  Time now{0};
  while (queue.waiting() > 0 && now < Time{1s}) {
    if (const auto next = queue.next(now)) {
      owners.push_back(next->process());
      queue.completed(*next, now);
    } else {
      now += 1ms;
    }
  }
  EXPECT_EQ(owners, (std::vector<int>{1, 1, 1, 2, 2, 2}));
}

TEST(IoScheduler, ARequestBelowTheHeadsDoesNotEndAnticipation) {
  IoSchedulerQueue queue{IoScheduler::anticipatory, 8, 4_KiB};
  queue.add(request(1, 1'000'000, 0ns));
  const auto first = queue.next(0ns);
  queue.completed(*first, 10us);
  queue.add(request(2, 990'000, 20us));
  EXPECT_FALSE(queue.next(20us));
}

TEST(IoScheduler, CfqGivesTheDeviceRequestsOfOneProcessAtATime) {
  IoSchedulerQueue queue{IoScheduler::cfq, 8, 4_KiB};
  queue.add(request(1, 0, 0ns));
  const auto first = queue.next(0ns);
  queue.add(request(2, 500'000, 0ns));
  EXPECT_FALSE(queue.next(200ms)) << "although the slice is over";
  queue.completed(*first, 200ms);
  EXPECT_EQ(queue.next(200ms)->begin, 500'000);
}

}  // namespace
}  // namespace doorbell::model
