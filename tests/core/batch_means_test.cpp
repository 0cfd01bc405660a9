#include "core/batch_means.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(BatchMeans, IntervalOfKnownNumbers) {
  BatchMeans means;
  for (const double value : {1.0, 2.0, 3.0, 4.0}) means.add(value);
  const ConfidenceInterval interval = means.interval();
  EXPECT_EQ(interval.observations, 4U);
  EXPECT_DOUBLE_EQ(interval.mean, 2.5);
  // t(0.975; 3) = 3.182446, s = 1.290994
  EXPECT_NEAR(interval.half_width, 3.182446 * 1.290994 / 2, 1e-5);
}

TEST(BatchMeans, FewObservationsAreNeverEnough) {
  BatchMeans means;
  EXPECT_TRUE(std::isinf(means.interval().half_width));
  for (int i = 0; i < 15; ++i) means.add(1.0);
  EXPECT_FALSE(means.narrow_enough(0.5));
  means.add(1.0);
  EXPECT_TRUE(means.narrow_enough(0.5));
}

TEST(BatchMeans, IgnoresTheWarmUp) {
  BatchMeans means(100);
  for (int i = 0; i < 100; ++i) means.add(1e6);
  for (int i = 0; i < 1000; ++i) means.add(10_ns);
  EXPECT_DOUBLE_EQ(means.mean(), 10);
  EXPECT_EQ(means.count(), 1000U);
  EXPECT_DOUBLE_EQ(means.interval().half_width, 0);
  means.reset();
  means.add(2.0);
  EXPECT_DOUBLE_EQ(means.mean(), 2);
}

// A 95 % interval must hold the truth in about 95 % of runs, also when neighbouring observations are correlated: here
// an autoregressive series with correlation 0.9, where intervals of independent observations hold it in some 35 %.
TEST(BatchMeans, CoversTheTruthAsOftenAsItClaims) {
  constexpr int runs = 400;
  int covered = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    RandomStream random(seed, "series");
    BatchMeans means(100);
    double value = 0;
    for (int i = 0; i < 20000; ++i) {
      value = 0.9 * value + random.uniform() - 0.5;
      means.add(5 + value);
    }
    covered += means.interval().contains(5);
    EXPECT_LT(means.batch_correlation(), 0.8);
  }
  EXPECT_GE(covered, 364);  // 91 %
  EXPECT_LE(covered, 396);  // 99 %
}

// A system that goes on for longer than a batch as it happens to be: in batches that hold less of the series than it
// remembers, deviations come in runs. Without allowance for it the interval holds the truth in 80 % of runs.
TEST(BatchMeans, AllowsForNeighboursThatAreAlike) {
  constexpr int runs = 400;
  int covered = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    RandomStream random(seed, "series");
    BatchMeans means;
    double value = 0;
    for (int i = 0; i < 20000; ++i) {
      value = 0.999 * value + random.uniform() - 0.5;
      means.add(5 + value);
    }
    covered += means.interval().contains(5);
  }
  EXPECT_GE(covered, 352);  // 88 %
}

TEST(BatchMeans, NarrowsWithTheLengthOfTheRun) {
  RandomStream random(1, "series");
  BatchMeans means;
  std::uint64_t needed = 0;
  while (!means.narrow_enough(0.01)) {
    for (int i = 0; i < 1000; ++i) means.add(random.exponential());
    ++needed;
  }
  // 1.96 / 0.01 squared is 38,416 observations of an exponential.
  EXPECT_GT(needed, 15U);
  EXPECT_LT(needed, 100U);
}

}  // namespace
}  // namespace doorbell::core
