#include "models/remote_memory/ticket_lock.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

class Lock : public ::testing::Test {
 protected:
  static CpuParameters eight_cores() {
    CpuParameters cpu;
    cpu.cores = 8;
    cpu.threads_per_core = 1;
    cpu.smt_gain = 1;
    cpu.turbo = {Rate{2e9}};
    return cpu;
  }
  core::Process hold(int who, Time from) {
    co_await core::until(calendar, from);
    co_await lock.acquire(Submitter{cpu});
    ++inside;
    EXPECT_EQ(inside, 1);
    order.push_back(who);
    entered.push_back(calendar.now());
    co_await core::delay(calendar, 1us);
    --inside;
    lock.release();
  }

  core::Calendar calendar;
  HostCpu cpu{calendar, eight_cores(), HostSoftware{}, 1, "host"};
  TicketLock lock{calendar, {.local = 20ns, .transfer = 100ns}};
  int inside = 0;
  std::vector<int> order;
  std::vector<Time> entered;
};

TEST_F(Lock, IsTakenAtOnceWhenFree) {
  core::start(calendar, hold(0, 0ns));
  core::start(calendar, hold(1, 5us));
  calendar.run();
  EXPECT_EQ(entered, (std::vector<Time>{20ns, 5us + 20ns}));
}

TEST_F(Lock, IsPassedOnInOrderAndSlowlierTheMoreWait) {
  for (int i = 0; i < 4; ++i) core::start(calendar, hold(i, 10ns * i));
  calendar.run();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  // Three, two and one wait when it is handed over: half of 100 ns for each, and half once more.
  EXPECT_EQ(entered[1] - entered[0], 1us + 200ns);
  EXPECT_EQ(entered[2] - entered[1], 1us + 150ns);
  EXPECT_EQ(entered[3] - entered[2], 1us + 100ns);
}

TEST_F(Lock, WaitingOccupiesACore) {
  core::start(calendar, hold(0, 0ns));
  core::start(calendar, hold(1, 0ns));
  calendar.run_until(500ns);
  EXPECT_EQ(cpu.runnable(calendar.now()) > 0.9, true);
}

}  // namespace
}  // namespace doorbell::model
