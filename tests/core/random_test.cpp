#include "core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

// Frozen: these numbers must be the same with every compiler and on every platform.
TEST(RandomStream, DrawsAreFrozen) {
  RandomStream random(1, "server.nic");
  EXPECT_EQ(random.bits(), 4370766434455184671U);
  EXPECT_EQ(random.bits(), 14025307371506408486U);
  EXPECT_EQ(random.below(1000), 321U);
  EXPECT_EQ(random.exponential(1000_ms).count(), 107905609169);
  EXPECT_EQ(random.exponential(1000_ms).count(), 2831312961146);
}

TEST(RandomStream, DependsOnSeedAndNameOnly) {
  RandomStream a(7, "a");
  RandomStream again(7, "a");
  RandomStream other_name(7, "b");
  RandomStream other_seed(8, "a");
  int same_name = 0;
  int same_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    (void)other_name.uniform();
    const std::uint64_t draw = a.bits();
    EXPECT_EQ(draw, again.bits());
    same_name += draw == other_seed.bits();
    same_seed += draw == other_name.bits();
  }
  EXPECT_EQ(same_name + same_seed, 0);
}

// Neighbouring names and seeds are what models use ("client 1", "client 2").
TEST(RandomStream, NeighbouringStreamsAreUncorrelated) {
  std::vector<RandomStream> streams;
  for (int i = 0; i < 10; ++i) streams.emplace_back(1, "client " + std::to_string(i));
  for (std::uint64_t seed = 2; seed < 12; ++seed) streams.emplace_back(seed, "client 0");
  constexpr int draws = 20000;
  std::vector<std::vector<double>> values(streams.size());
  for (std::size_t s = 0; s < streams.size(); ++s) {
    for (int i = 0; i < draws; ++i) values[s].push_back(streams[s].uniform() - 0.5);
  }
  for (std::size_t s = 0; s < streams.size(); ++s) {
    for (std::size_t t = s; t < streams.size(); ++t) {
      const std::size_t lag = s == t ? 1 : 0;
      double sum = 0;
      for (std::size_t i = lag; i < draws; ++i) sum += values[s][i - lag] * values[t][i];
      // 12 is 1 / variance of a uniform; five standard deviations.
      EXPECT_LT(std::abs(12 * sum / draws), 5 / std::sqrt(draws)) << s << " and " << t;
    }
  }
}

TEST(RandomStream, UniformFillsTheUnitInterval) {
  RandomStream random(1, "uniform");
  std::array<int, 100> bins{};
  constexpr int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    ++bins[static_cast<std::size_t>(value * 100)];
  }
  double chi2 = 0;
  for (const int count : bins) chi2 += std::pow(count - draws / 100.0, 2) / (draws / 100.0);
  // 99 degrees of freedom: 0.1 % quantiles.
  EXPECT_GT(chi2, 60.0);
  EXPECT_LT(chi2, 149.0);
}

TEST(RandomStream, AroundOneHasItsMeanVariationAndWidth) {
  constexpr int draws = 200000;
  for (const double variation : {0.0, 0.1, 0.5}) {
    RandomStream random(1, "around one");
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
      const double deviation = random.around_one(variation) - 1;
      ASSERT_LE(std::abs(deviation), variation * std::sqrt(3.0) * (1 + 1e-12));
      sum += deviation;
      squares += deviation * deviation;
    }
    EXPECT_NEAR(sum / draws, 0, variation * 4 / std::sqrt(draws));
    EXPECT_NEAR(std::sqrt(squares / draws), variation, variation * 0.01);
  }
}

TEST(RandomStream, MeansOfManyVaryLess) {
  constexpr int draws = 100000;
  constexpr double variation = 0.5;
  for (const int terms : {1, 2, 3, 4, 5, 120}) {
    RandomStream random(1, "around one");
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
      const double deviation = random.around_one(variation, terms) - 1;
      ASSERT_LE(std::abs(deviation), RandomStream::farthest_from_one(variation, terms) * (1 + 1e-12));
      sum += deviation;
      squares += deviation * deviation;
    }
    const double expected = variation / std::sqrt(terms);
    EXPECT_NEAR(sum / draws, 0, expected * 4 / std::sqrt(draws)) << terms;
    EXPECT_NEAR(std::sqrt(squares / draws), expected, expected * 0.02) << terms;
  }
}

TEST(RandomStream, BelowHasNoModuloBias) {
  // With bound 3 * 2^62 a remainder would favour the lower third by two to one.
  RandomStream random(1, "below");
  const std::uint64_t third = std::uint64_t{1} << 62;
  std::array<int, 3> bins{};
  constexpr int draws = 30000;
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t value = random.below(3 * third);
    ASSERT_LT(value, 3 * third);
    ++bins[value / third];
  }
  for (const int count : bins) EXPECT_NEAR(count, draws / 3, 5 * std::sqrt(draws * 2.0 / 9.0));
}

TEST(RandomStream, BelowReachesBothEnds) {
  RandomStream random(1, "ends");
  std::array<int, 4> bins{};
  for (int i = 0; i < 1000; ++i) ++bins[random.below(4)];
  for (const int count : bins) EXPECT_GT(count, 180);
  EXPECT_EQ(random.below(1), 0U);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    const Time value = random.uniform(3_ps, 5_ps);
    ASSERT_GE(value, 3_ps);
    ASSERT_LE(value, 5_ps);
    low |= value == 3_ps;
    high |= value == 5_ps;
  }
  EXPECT_TRUE(low && high);
}

TEST(RandomStream, ExponentialHasItsMomentsAndTail) {
  RandomStream random(1, "exponential");
  constexpr int draws = 400000;
  double sum = 0;
  double squares = 0;
  int beyond = 0;
  for (int i = 0; i < draws; ++i) {
    const double value = random.exponential();
    ASSERT_GE(value, 0.0);
    sum += value;
    squares += value * value;
    beyond += value > 3;
  }
  EXPECT_NEAR(sum / draws, 1, 5 / std::sqrt(draws));
  EXPECT_NEAR(squares / draws, 2, 5 * std::sqrt(20.0 / draws));
  EXPECT_NEAR(beyond / static_cast<double>(draws), std::exp(-3), 5 * std::sqrt(std::exp(-3) / draws));
}

// The logarithm behind it agrees with the C library's to a few units in the last place.
TEST(RandomStream, ExponentialIsTheNegativeLogarithm) {
  RandomStream random(5, "log");
  RandomStream twin(5, "log");
  for (int i = 0; i < 100000; ++i) {
    const double expected = -std::log(1 - twin.uniform());
    ASSERT_NEAR(random.exponential(), expected, 4e-16 * (1 + expected));
  }
}

TEST(RandomStream, ChanceFollowsItsProbability) {
  RandomStream random(1, "chance");
  int hits = 0;
  for (int i = 0; i < 100000; ++i) hits += random.chance(0.3);
  EXPECT_NEAR(hits, 30000, 5 * std::sqrt(21000.0));
  EXPECT_FALSE(random.chance(0.0));
  EXPECT_TRUE(random.chance(1.0));
}

}  // namespace
}  // namespace doorbell::core
