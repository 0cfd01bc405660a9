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

}  // namespace
}  // namespace doorbell::core
