#include "core/task.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "core/process.hpp"

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

/// Counts how many of it are gone.
class Mourned {
 public:
  explicit Mourned(int& gone) : gone_{gone} {}
  Mourned(const Mourned&) = delete;
  Mourned& operator=(const Mourned&) = delete;
  ~Mourned() { ++gone_; }

 private:
  int& gone_;
};

Task<int> add_slowly(Calendar& calendar, int a, int b) {
  co_await delay(calendar, 5_ns);
  co_return a + b;
}
Task<> fail_slowly(Calendar& calendar) {
  co_await delay(calendar, 1_ns);
  throw std::invalid_argument("inner");
}
Task<int> add_three(Calendar& calendar, int a, int b, int c) {
  const int first = co_await add_slowly(calendar, a, b);
  co_return co_await add_slowly(calendar, first, c);
}
Process use_tasks(Calendar& calendar, int& result, Time& when, bool& caught) {
  result = co_await add_three(calendar, 1, 2, 4);
  when = calendar.now();
  try {
    co_await fail_slowly(calendar);
  } catch (const std::invalid_argument&) {
    caught = true;
  }
}

TEST(Task, ReturnsItsResultAndItsExceptionToTheCaller) {
  Calendar calendar;
  int result = 0;
  Time when{0};
  bool caught = false;
  start(calendar, use_tasks(calendar, result, when, caught));
  calendar.run();
  EXPECT_EQ(result, 7);
  EXPECT_EQ(when, 10_ns);
  EXPECT_TRUE(caught);
  EXPECT_EQ(calendar.executed(), 4U) << "starting and ending a task must take no event";
}

Process wait_in_task(Calendar& calendar, int& destroyed) {
  const auto inner = [](Calendar& c, int& count) -> Task<> {
    const Mourned mourned(count);
    co_await delay(c, 1_us);
  };
  const Mourned mourned(destroyed);
  co_await inner(calendar, destroyed);
}

TEST(Task, IsDestroyedWithItsSuspendedCaller) {
  int destroyed = 0;
  {
    Calendar calendar;
    start(calendar, wait_in_task(calendar, destroyed));
    calendar.run_until(1_ns);
  }
  EXPECT_EQ(destroyed, 2);
}

Task<int> at_once(int number) { co_return number; }
Process add_up(int count, std::int64_t& sum) {
  for (int i = 1; i <= count; ++i) sum += co_await at_once(i);
}

TEST(Task, ManyInARowTakeNoEventAndNoStack) {
  Calendar calendar;
  std::int64_t sum = 0;
  start(calendar, add_up(1'000'000, sum));
  calendar.run();
  EXPECT_EQ(sum, 500'000'500'000);
  EXPECT_EQ(calendar.executed(), 1U);
}

TEST(Task, OneThatIsNeverAwaitedNeverRuns) {
  Calendar calendar;
  { const Task<int> forgotten = add_slowly(calendar, 1, 2); }
  calendar.run();
  EXPECT_EQ(calendar.executed(), 0U);
}

}  // namespace
}  // namespace doorbell::core
