#include "core/confidence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/random.hpp"

namespace doorbell::core {
namespace {

TEST(Confidence, IntervalOfKnownNumbers) {
  const ConfidenceInterval interval = confidence_interval(std::array{1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(interval.observations, 4U);
  EXPECT_DOUBLE_EQ(interval.mean, 2.5);
  // t(0.975; 3) = 3.182446, s = 1.290994
  EXPECT_NEAR(interval.half_width, 3.182446 * 1.290994 / 2, 1e-5);
}

TEST(Confidence, OneObservationTellsNoInterval) {
  EXPECT_EQ(confidence_interval({}).mean, 0);
  EXPECT_TRUE(std::isinf(confidence_interval({}).half_width));
  EXPECT_EQ(confidence_interval(std::array{3.0}).mean, 3);
  EXPECT_TRUE(std::isinf(confidence_interval(std::array{3.0}).half_width));
}

TEST(Confidence, NineteenOfTwentyIntervalsHoldTheTrueMean) {
  RandomStream random(7, "trials");
  constexpr int trials = 4000;
  int held = 0;
  for (int i = 0; i < trials; ++i) {
    std::array<double, 5> sums{};
    for (double& sum : sums) {
      for (int k = 0; k < 12; ++k) sum += random.uniform();
    }
    if (confidence_interval(sums).contains(6)) ++held;
  }
  EXPECT_NEAR(held / static_cast<double>(trials), 0.95, 0.015);
}

TEST(Confidence, NeighboursOfKnownNumbers) {
  EXPECT_DOUBLE_EQ(variance_by_neighbours(std::array{1.0, 3.0, 2.0, 5.0}), (4.0 + 1 + 9) / 2 / 3 / 4);
  // t(0.975; 2.25), between 4.303 with two degrees of freedom and 3.182 with three.
  const ConfidenceInterval interval = interval_by_neighbours(std::array{1.0, 3.0, 2.0, 5.0});
  EXPECT_DOUBLE_EQ(interval.mean, 2.75);
  EXPECT_NEAR(interval.half_width, 3.87 * std::sqrt(14.0 / 24), 0.02);
  EXPECT_EQ(interval_by_neighbours({}).mean, 0);
  EXPECT_TRUE(std::isinf(interval_by_neighbours(std::array{3.0}).half_width));
  EXPECT_NEAR(interval_by_neighbours(std::array{3.0, 5.0}).half_width, 12.706, 1e-3);
}

TEST(Confidence, NineteenOfTwentyIntervalsHoldTheMeanOfWhatDrifts) {
  RandomStream random(7, "trials");
  constexpr int trials = 4000;
  int held = 0;
  int held_with_drift = 0;  // by the interval that takes it for chance
  for (int i = 0; i < trials; ++i) {
    std::array<double, 40> drifting{};
    for (std::size_t k = 0; k < drifting.size(); ++k)
      drifting[k] = random.uniform() + random.uniform() + 0.05 * static_cast<double>(k);
    const double mean = 1 + 0.05 * 19.5;
    if (interval_by_neighbours(drifting).contains(mean)) ++held;
    if (confidence_interval(drifting).contains(mean)) ++held_with_drift;
  }
  EXPECT_NEAR(held / static_cast<double>(trials), 0.95, 0.015);
  EXPECT_GT(held_with_drift / static_cast<double>(trials), 0.99);
}

}  // namespace
}  // namespace doorbell::core
