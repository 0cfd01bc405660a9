#include "core/process.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

Process tick(Calendar& calendar, std::vector<Time>& log, Time period, int times) {
  for (int i = 0; i < times; ++i) {
    co_await delay(calendar, period);
    log.push_back(calendar.now());
  }
}

TEST(Process, ContinuesExactlyAfterItsDelay) {
  Calendar calendar;
  std::vector<Time> log;
  start(calendar, tick(calendar, log, 10_ns, 3), 5_ns);
  calendar.run_until(15_ns - 1_ps);
  EXPECT_TRUE(log.empty());
  calendar.run_until(15_ns);
  EXPECT_EQ(log, std::vector<Time>{15_ns});
  calendar.run();
  EXPECT_EQ(log, (std::vector<Time>{15_ns, 25_ns, 35_ns}));
  EXPECT_EQ(calendar.processes(), nullptr);
}

Process note(Calendar& calendar, std::string& log, char name, Priority priority) {
  co_await until(calendar, 1_ns, priority);
  log += name;
}

TEST(Process, TiesAreDecidedByPriorityThenByOrder) {
  Calendar calendar;
  std::string log;
  start(calendar, note(calendar, log, 'c', Priority{2}));
  start(calendar, note(calendar, log, 'a', Priority{1}));
  start(calendar, note(calendar, log, 'd', Priority{2}));
  start(calendar, note(calendar, log, 'b', Priority{1}));
  calendar.run();
  EXPECT_EQ(log, "abcd");
}

struct Guard {
  int& destroyed;
  explicit Guard(int& counter) : destroyed{counter} {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { ++destroyed; }
};

Process hold(Calendar& calendar, int& destroyed, Time time) {
  const Guard guard(destroyed);
  co_await delay(calendar, time);
}

TEST(Process, SuspendedOnesAreDestroyedWithTheirCalendar) {
  int destroyed = 0;
  {
    Calendar calendar;
    for (int i = 1; i <= 10; ++i) start(calendar, hold(calendar, destroyed, i * 1_us));
    calendar.run_until(4_us);
    EXPECT_EQ(destroyed, 4);
  }
  EXPECT_EQ(destroyed, 10);
}

TEST(Process, ClearDestroysSuspendedOnes) {
  int destroyed = 0;
  Calendar calendar;
  start(calendar, hold(calendar, destroyed, 1_us));
  start(calendar, hold(calendar, destroyed, 1_us));
  calendar.run_until(1_ns);
  calendar.clear();
  EXPECT_EQ(destroyed, 2);
  calendar.run();
}

TEST(Process, OneThatIsNeverStartedIsDestroyed) {
  int destroyed = 0;
  Calendar calendar;
  auto shared = std::make_shared<int>(1);
  const auto keep = [](std::shared_ptr<int> value, Calendar& c) -> Process { co_await delay(c, Time{*value}); };
  { const Process process = keep(shared, calendar); }
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(destroyed, 0);
}

Process fail(Calendar& calendar, int& destroyed) {
  const Guard guard(destroyed);
  co_await delay(calendar, 1_ns);
  throw std::runtime_error("on purpose");
}

TEST(Process, ExceptionsPropagateFromRun) {
  int destroyed = 0;
  {
    Calendar calendar;
    std::vector<Time> log;
    start(calendar, fail(calendar, destroyed));
    start(calendar, tick(calendar, log, 1_us, 1));
    EXPECT_THROW(calendar.run(), std::runtime_error);
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(calendar.now(), 1_ns);
    calendar.run();
    EXPECT_EQ(log.size(), 1U);
  }
  EXPECT_EQ(destroyed, 1);
}

Process spawn(Calendar& calendar, std::vector<Time>& log, int depth) {
  co_await delay(calendar, 1_ns);
  log.push_back(calendar.now());
  if (depth > 0) start(calendar, spawn(calendar, log, depth - 1));
}

TEST(Process, MayStartOthers) {
  Calendar calendar;
  std::vector<Time> log;
  start(calendar, spawn(calendar, log, 2));
  calendar.run();
  EXPECT_EQ(log, (std::vector<Time>{1_ns, 2_ns, 3_ns}));
}

// Frames may be freed by another thread than the one that made them.
TEST(Process, CalendarMayMoveToAnotherThread) {
  int destroyed = 0;
  auto calendar = std::make_unique<Calendar>();
  for (int i = 0; i < 100; ++i) start(*calendar, hold(*calendar, destroyed, 1_us));
  calendar->run_until(1_ns);
  std::thread other([owned = std::move(calendar)]() mutable { owned.reset(); });
  other.join();
  EXPECT_EQ(destroyed, 100);
}

}  // namespace
}  // namespace doorbell::core
