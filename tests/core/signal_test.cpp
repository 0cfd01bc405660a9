#include "core/signal.hpp"

#include "core/process.hpp"

#include <gtest/gtest.h>

#include <string>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

Process listen(Signal& signal, std::string& log, char name, Priority priority = {}) {
  co_await signal.wait(priority);
  log += name;
}

struct SignalTest : testing::Test {
  Calendar calendar;
  Signal signal{calendar};
  std::string log;
};

TEST_F(SignalTest, NotifyOneWakesTheOldestAtTheSameInstant) {
  start(calendar, listen(signal, log, 'a'));
  start(calendar, listen(signal, log, 'b'));
  calendar.run_until(3_ns);
  signal.notify_one();
  EXPECT_EQ(log, "") << "waiters continue by an event, not inside the notification";
  calendar.run();
  EXPECT_EQ(log, "a");
  EXPECT_EQ(calendar.now(), 3_ns);
  EXPECT_TRUE(signal.has_waiters());
}

TEST_F(SignalTest, NotifyAllWakesEachByItsPriority) {
  start(calendar, listen(signal, log, 'c', Priority{1}));
  start(calendar, listen(signal, log, 'a'));
  start(calendar, listen(signal, log, 'b'));
  calendar.run();
  signal.notify_all();
  calendar.run();
  EXPECT_EQ(log, "abc");
  EXPECT_FALSE(signal.has_waiters());
}

TEST_F(SignalTest, ForgetsNotificationsThatNobodyWaitsFor) {
  signal.notify_all();
  start(calendar, listen(signal, log, 'a'));
  calendar.run();
  EXPECT_EQ(log, "");
}

Process relisten(Signal& signal, int& woken) {
  for (;;) {
    co_await signal.wait();
    ++woken;
  }
}

TEST_F(SignalTest, AProcessThatWaitsAgainIsNotWokenByTheSameNotification) {
  int woken = 0;
  start(calendar, relisten(signal, woken));
  calendar.run();
  signal.notify_all();
  calendar.run();
  EXPECT_EQ(woken, 1);
}

}  // namespace
}  // namespace doorbell::core
