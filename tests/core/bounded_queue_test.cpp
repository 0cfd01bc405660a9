#include "core/bounded_queue.hpp"

#include "core/process.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

Process produce(Calendar& calendar, BoundedQueue<int>& queue, int first, int count, Time period,
                std::vector<Time>& pushed) {
  for (int i = 0; i < count; ++i) {
    co_await delay(calendar, period);
    co_await queue.push(first + i);
    pushed.push_back(calendar.now());
  }
}
Process consume(Calendar& calendar, BoundedQueue<int>& queue, int count, Time period, std::vector<int>& popped) {
  for (int i = 0; i < count; ++i) {
    popped.push_back(co_await queue.pop());
    co_await delay(calendar, period);
  }
}

TEST(BoundedQueue, APopWaitsForAnItem) {
  Calendar calendar;
  BoundedQueue<int> queue(calendar, 2);
  std::vector<Time> pushed;
  std::vector<int> popped;
  start(calendar, consume(calendar, queue, 1, 1_ns, popped));
  start(calendar, produce(calendar, queue, 5, 1, 10_ns, pushed));
  calendar.run_until(10_ns - 1_ps);
  EXPECT_TRUE(popped.empty());
  calendar.run_until(10_ns);
  EXPECT_EQ(popped, std::vector<int>{5});
}

TEST(BoundedQueue, APushWaitsForRoom) {
  Calendar calendar;
  BoundedQueue<int> queue(calendar, 2);
  std::vector<Time> pushed;
  start(calendar, produce(calendar, queue, 1, 3, 1_ns, pushed));
  calendar.run_until(50_ns);
  EXPECT_EQ(pushed, (std::vector<Time>{1_ns, 2_ns}));
  EXPECT_TRUE(queue.full());
  EXPECT_EQ(queue.try_pop(), 1);
  EXPECT_TRUE(queue.full()) << "the waiting item takes the room at once";
  calendar.run();
  EXPECT_EQ(pushed.back(), 50_ns);
  EXPECT_EQ(queue.try_pop(), 2);
  EXPECT_EQ(queue.try_pop(), 3);
  EXPECT_EQ(queue.try_pop(), std::nullopt);
}

TEST(BoundedQueue, TryPushRefusesWhenFullAndKeepsTheItem) {
  Calendar calendar;
  BoundedQueue<std::unique_ptr<int>> queue(calendar, 1);
  EXPECT_TRUE(queue.try_push(std::make_unique<int>(1)));
  auto second = std::make_unique<int>(2);
  EXPECT_FALSE(queue.try_push(second));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(**queue.try_pop(), 1);
  EXPECT_TRUE(queue.try_push(second));
  EXPECT_EQ(second, nullptr);
}

TEST(BoundedQueue, NeedsRoom) {
  Calendar calendar;
  EXPECT_THROW(BoundedQueue<int>(calendar, 0), std::invalid_argument);
}

// Every item arrives once, and each producer's items in its order, whichever side is the slower.
TEST(BoundedQueue, LosesAndReordersNothing) {
  for (const Time consumer_period : {1_ns, 10_ns, 30_ns}) {
    for (const std::size_t capacity : {1U, 3U, 64U}) {
      Calendar calendar;
      BoundedQueue<int> queue(calendar, capacity);
      std::vector<Time> pushed;
      std::vector<int> popped;
      start(calendar, produce(calendar, queue, 0, 500, 9_ns, pushed));
      start(calendar, produce(calendar, queue, 1000, 500, 11_ns, pushed));
      start(calendar, consume(calendar, queue, 600, consumer_period, popped));
      start(calendar, consume(calendar, queue, 400, consumer_period, popped));
      calendar.run();
      ASSERT_EQ(popped.size(), 1000U);
      int next_first = 0;
      int next_second = 1000;
      for (const int item : popped) EXPECT_EQ(item, item < 1000 ? next_first++ : next_second++);
      EXPECT_TRUE(queue.empty());
    }
  }
}

}  // namespace
}  // namespace doorbell::core
