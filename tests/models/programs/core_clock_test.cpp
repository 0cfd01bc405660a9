// Time of a core: what counts as work, what as waiting, and how much longer it takes than on a lone core.
#include "models/programs/core_clock.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

struct Core {
  core::RandomStream random{1, "test"};
  ProgramStatistics statistics;
  CoreClock clock{random, statistics};

  explicit Core(double stretch = 1, double variation = 0, Time when = Time{0}) {
    clock.begin(when, stretch, variation);
  }
};

TEST(CoreClock, WorkTakesLongerAtALowerClock) {
  Core core{1.5, 0, 10ns};
  core.clock.work("computes", 100ns);
  EXPECT_EQ(core.clock.now(), 160ns);
  EXPECT_EQ(core.clock.busy(), 150ns);
  EXPECT_EQ(core.clock.longer(20ns), 30ns);
}

TEST(CoreClock, OnlyWorkMakesItBusy) {
  Core core;
  core.clock.pass(10ns);
  core.clock.advance_to(50ns);
  EXPECT_EQ(core.clock.busy(), 0ns);
  core.clock.occupy("computes", 5ns);
  core.clock.stall_until(70ns);
  EXPECT_EQ(core.clock.now(), 70ns);
  EXPECT_EQ(core.clock.busy(), 5ns);
  EXPECT_EQ(core.clock.stalled(), 15ns);
  EXPECT_EQ(core.statistics.busy, 5ns);
  EXPECT_EQ(core.statistics.stalled, 15ns);
}

TEST(CoreClock, WhatHasPassedIsNotWaitedFor) {
  Core core{1, 0, 100ns};
  core.clock.advance_to(60ns);
  core.clock.stall_until(100ns);
  EXPECT_EQ(core.clock.now(), 100ns);
  EXPECT_EQ(core.clock.stalled(), 0ns);
}

TEST(CoreClock, VariedWorkKeepsItsMean) {
  Core core{2, 0.3};
  const int times = 20'000;
  bool varies = false;
  Time all{0};
  for (int i = 0; i < times; ++i) {
    const Time time = core.clock.varied(100ns);
    varies = varies || time != 200ns;
    all += time;
  }
  EXPECT_TRUE(varies);
  EXPECT_NEAR(to_seconds(all / times), 200e-9, 2e-9);
}

TEST(CoreClock, TimeUnderALockIsWorkAndTimeBeforeItIsNot) {
  Core core;
  const SharedLineParameters line;
  SharedLine lock{line};
  (void)lock.hold(Time{0}, 1, 40ns, "other");
  const Time free = lock.server().busy_until();
  core.clock.work_locked(lock, 0, "polls", 30ns);
  EXPECT_EQ(core.clock.now(), lock.server().busy_until());
  EXPECT_EQ(core.clock.busy(), core.clock.now() - free);
  EXPECT_GE(core.clock.busy(), 30ns);
}

TEST(CoreClock, OneClockDoesNotForgetWhatAllHaveDone) {
  Core core;
  core.clock.work("computes", 5ns);
  core.clock.measure();
  core.clock.work("computes", 3ns);
  EXPECT_EQ(core.clock.busy(), 3ns);
  EXPECT_EQ(core.statistics.busy, 8ns);
  core.clock.count_per_pass(4ns, 0.5);
  EXPECT_EQ(core.statistics.per_pass, 2ns);
}

}  // namespace
}  // namespace doorbell::model
