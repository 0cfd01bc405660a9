#include "core/utilisation.hpp"

#include <gtest/gtest.h>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(BusyMeter, CountsOnlyWhatLiesWithinTheWindow) {
  BusyMeter meter;
  meter.measure(10_ns, 30_ns);
  meter.add(5_ns, 12_ns);   // 2 ns within
  meter.add(15_ns, 20_ns);  // 5 ns
  meter.add(29_ns, 40_ns);  // 1 ns
  EXPECT_EQ(meter.busy(30_ns), 8_ns);
  EXPECT_EQ(meter.busy(100_ns), 8_ns);
  EXPECT_DOUBLE_EQ(meter.utilisation(100_ns), 0.4);
}

TEST(BusyMeter, DoesNotCountTheFuture) {
  BusyMeter meter;
  meter.add(10_ns, 20_ns);
  meter.add(20_ns, 40_ns);
  EXPECT_EQ(meter.busy(10_ns), 0_ns);
  EXPECT_EQ(meter.busy(25_ns), 15_ns);
  EXPECT_EQ(meter.busy(40_ns), 30_ns);
}

TEST(BusyMeter, KeepsWhatRunsAcrossTheEndOfTheWarmUp) {
  BusyMeter meter;
  meter.add(0_ns, 5_ns);
  meter.add(10_ns, 25_ns);
  meter.measure(20_ns);
  EXPECT_EQ(meter.busy(20_ns), 0_ns);
  EXPECT_EQ(meter.busy(25_ns), 5_ns);
  EXPECT_DOUBLE_EQ(meter.utilisation(30_ns), 0.5);
}

TEST(BusyMeter, AnEmptyWindowIsNotBusy) {
  BusyMeter meter;
  meter.measure(20_ns);
  EXPECT_EQ(meter.utilisation(20_ns), 0.0);
  EXPECT_EQ(meter.utilisation(25_ns), 0.0);
}

TEST(TimeWeighted, AveragesOverTime) {
  TimeWeighted level;
  level.set(0_ns, 2);
  level.add(10_ns, 2);
  level.add(30_ns, -4);
  EXPECT_DOUBLE_EQ(level.mean(40_ns), (2 * 10 + 4 * 20) / 40.0);
  EXPECT_EQ(level.maximum(), 4);
  EXPECT_EQ(level.level(), 0);
}

TEST(TimeWeighted, ResetForgetsThePastButNotTheLevel) {
  TimeWeighted level;
  level.set(0_ns, 100);
  level.set(10_ns, 3);
  level.reset(20_ns);
  EXPECT_DOUBLE_EQ(level.mean(20_ns), 3);
  level.set(30_ns, 1);
  EXPECT_DOUBLE_EQ(level.mean(40_ns), 2);
  EXPECT_EQ(level.maximum(), 3);
}

}  // namespace
}  // namespace doorbell::core
