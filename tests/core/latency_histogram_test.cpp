#include "core/latency_histogram.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(LatencyHistogram, EmptyIsZero) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.maximum(), 0_ps);
  EXPECT_EQ(histogram.mean(), 0_ps);
  EXPECT_EQ(histogram.percentile(0.5), 0_ps);
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (std::int64_t value = 1; value <= 200; ++value) histogram.add(Time{value});
  EXPECT_EQ(histogram.percentile(0.5), 100_ps);
  EXPECT_EQ(histogram.percentile(0.99), 198_ps);
  EXPECT_EQ(histogram.percentile(1.0), 200_ps);
  EXPECT_EQ(histogram.percentile(0.0), 1_ps);
}

TEST(LatencyHistogram, ASingleValueIsItsEveryPercentile) {
  LatencyHistogram histogram;
  histogram.add(123457_ps);
  for (const double fraction : {0.0, 0.5, 0.999, 1.0}) EXPECT_EQ(histogram.percentile(fraction), 123457_ps);
}

TEST(LatencyHistogram, PercentilesKeepTheirStatedError) {
  RandomStream random(1, "latencies");
  LatencyHistogram histogram;
  std::vector<Time> all;
  for (int i = 0; i < 20000; ++i) {
    // Spread over eleven orders of magnitude.
    const Time value{static_cast<std::int64_t>(std::exp(random.uniform() * 25))};
    all.push_back(value);
    histogram.add(value);
  }
  std::sort(all.begin(), all.end());
  for (const double fraction : {0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(all.size()))) - 1;
    const auto exact = static_cast<double>(all[rank].count());
    EXPECT_NEAR(static_cast<double>(histogram.percentile(fraction).count()), exact, exact / 256 + 0.5) << fraction;
  }
  EXPECT_GE(histogram.percentile(0), all.front());
  EXPECT_EQ(histogram.maximum(), all.back());
}

TEST(LatencyHistogram, HoldsTheLongestTime) {
  LatencyHistogram histogram;
  histogram.add(Time::max());
  histogram.add(Time{-5});
  EXPECT_EQ(histogram.maximum(), Time::max());
  EXPECT_EQ(histogram.percentile(0), 0_ps);
  EXPECT_GT(histogram.percentile(1.0), Time::max() - Time::max() / 200);
}

TEST(LatencyHistogram, MergesAndResets) {
  LatencyHistogram a;
  LatencyHistogram b;
  LatencyHistogram both;
  for (std::int64_t i = 1; i <= 1000; ++i) {
    (i % 3 == 0 ? a : b).add(i * 1_ns);
    both.add(i * 1_ns);
  }
  a.merge(b);
  EXPECT_EQ(a.count(), 1000U);
  EXPECT_EQ(a.mean(), both.mean());
  EXPECT_EQ(a.mean(), 500500_ps);
  for (const double fraction : {0.1, 0.5, 0.9}) EXPECT_EQ(a.percentile(fraction), both.percentile(fraction));
  a.reset();
  EXPECT_EQ(a.count(), 0U);
  EXPECT_EQ(a.maximum(), 0_ps);
}

TEST(LatencyHistogram, TheMeanIsNeverBeyondTheMaximum) {
  LatencyHistogram histogram;
  histogram.add(Time::max());
  EXPECT_EQ(histogram.mean(), Time::max());
}

}  // namespace
}  // namespace doorbell::core
