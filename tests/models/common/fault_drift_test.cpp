#include "models/common/fault_drift.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace doorbell::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Course = std::function<double(int slice)>;

/// What is told of 40 slices with so many operations, and faults of each of them, both with some scatter.
std::vector<std::string> warnings(const Course& operations, const Course& faults) {
  FaultDrift drift;
  std::uint64_t all_faults = 0;
  for (int i = 0; i < 40; ++i) {
    const double scatter = i % 2 == 0 ? 1.02 : 0.98;
    const double done = operations(i) * scatter;
    all_faults += static_cast<std::uint64_t>(done * faults(i) / scatter / scatter);
    drift.observe(static_cast<std::uint64_t>(done), all_faults);
  }
  RunResult result;
  result.simulated = std::chrono::seconds{1};
  result.throughput = {1e6};
  drift.account_for("the load", result);
  return result.warnings;
}

double steady(int /*slice*/) { return 1; }
double rising(int slice) { return 1 + 0.01 * slice; }
double falling(int slice) { return 1 - 0.01 * slice; }
Course times(double factor, const Course& course) {
  return [=](int slice) { return factor * course(slice); };
}

TEST(FaultDrift, RarerFaultsAndAHigherRateAreTold) {
  EXPECT_THAT(warnings(times(1000, rising), times(0.5, falling)),
              ElementsAre(HasSubstr("the rate of the load still drifts: +18 % from the first to the last half of the "
                                    "measured time, as page faults of each operation went from 0.451 to 0.351;")));
}

TEST(FaultDrift, TheIntervalOfTheMeasuredTimeLeavesTheDriftOut) {
  const auto half_width = [](const Course& operations, const Course& faults) {
    FaultDrift drift;
    std::uint64_t all_faults = 0;
    for (int i = 0; i < 40; ++i) {
      all_faults += static_cast<std::uint64_t>(1e5 * faults(i));
      drift.observe(static_cast<std::uint64_t>(1e5 * operations(i) + (i % 4 < 2 ? 1000 : -1000)), all_faults);
    }
    RunResult result;
    result.simulated = std::chrono::seconds{1};
    result.throughput = {1e6};
    result.throughput_ci95 = {1e5};
    drift.account_for("the load", result);
    EXPECT_THAT(result.warnings, IsEmpty());
    return result.throughput_ci95.per_second;
  };
  // 19 of 39 neighbours are 2,000 apart, their mean is 102,000; Student's t with 26 degrees of freedom is 2.06.
  const auto slowly_rising = [](int slice) { return 1 + 0.001 * slice; };
  EXPECT_NEAR(half_width(slowly_rising, falling), 1e6 * 2.06 * std::sqrt(4e6 * 19 / 39 / 2 / 40) / 102'000, 100);
  EXPECT_EQ(half_width(steady, falling), 1e5) << "nothing drifts";
}

TEST(FaultDrift, SoIsALowerRateWithMoreFaults) {
  EXPECT_THAT(warnings(times(1000, falling), times(0.5, rising)), ElementsAre(HasSubstr("drifts: -22 %")));
}

TEST(FaultDrift, WhatIsSteadyIsNot) {
  EXPECT_THAT(warnings(times(1000, steady), times(0.5, steady)), IsEmpty());
  EXPECT_THAT(warnings(times(1000, rising), times(0.5, steady)), IsEmpty()) << "for another reason";
  EXPECT_THAT(warnings(times(1000, steady), times(0.5, falling)), IsEmpty()) << "which cost nothing";
  EXPECT_THAT(warnings(times(1000, rising), times(0.5, rising)), IsEmpty()) << "which cost nothing";
  EXPECT_THAT(warnings(times(1000, rising), times(0, steady)), IsEmpty()) << "without faults";
}

TEST(FaultDrift, NeitherIsChance) {
  const auto by_turns = [](int slice) { return slice % 4 < 2 ? 1.0 : slice < 20 ? 0.2 : 0.5; };
  EXPECT_THAT(warnings(times(1000, by_turns), [&](int slice) { return 0.2 / by_turns(slice); }), IsEmpty());
}

}  // namespace
}  // namespace doorbell::model
