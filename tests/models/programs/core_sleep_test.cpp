// When a core polls and when it sleeps.
#include "models/programs/core_sleep.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(CoreSleep, BeginsWhenPatienceIsOver) {
  CoreSleep sleep;
  sleep.go_idle(100ns, 20ns);
  EXPECT_FALSE(sleep.sleeps_at(120ns));
  EXPECT_TRUE(sleep.sleeps_at(120ns + Time{1}));
  EXPECT_EQ(sleep.nap(110ns), 0ns);
  EXPECT_EQ(sleep.nap(150ns), 30ns);
}

TEST(CoreSleep, WhoPollsForEverNeverSleeps) {
  CoreSleep sleep;
  sleep.go_idle(100ns, Time::max() / 2);
  EXPECT_FALSE(sleep.sleeps_at(1s));
  EXPECT_EQ(sleep.nap(1s), 0ns);
}

TEST(CoreSleep, NapsAddUp) {
  CoreSleep sleep;
  sleep.go_idle(0ns, 10ns);
  sleep.end_nap(25ns);
  sleep.wake(30ns);
  EXPECT_EQ(sleep.woken_at(), 30ns);
  sleep.go_idle(40ns, 10ns);
  sleep.end_nap(60ns);
  EXPECT_EQ(sleep.slept(), 25ns);
}

TEST(CoreSleep, OfANapOnlyWhatIsMeasuredCounts) {
  CoreSleep sleep;
  sleep.go_idle(0ns, 10ns);
  sleep.measure(50ns);
  EXPECT_EQ(sleep.nap(70ns), 20ns);
  sleep.end_nap(80ns);
  EXPECT_EQ(sleep.slept(), 30ns);
}

}  // namespace
}  // namespace doorbell::model
