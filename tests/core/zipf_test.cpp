#include "core/zipf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace doorbell::core {
namespace {

double harmonic(std::int64_t count, double skew) {
  double sum = 0;
  for (std::int64_t rank = 1; rank <= count; ++rank) sum += std::pow(static_cast<double>(rank), -skew);
  return sum;
}

class ZipfOf : public ::testing::TestWithParam<double> {};

TEST_P(ZipfOf, RanksAreAsFrequentAsTheirWeights) {
  constexpr std::int64_t count = 50;
  constexpr int draws = 200'000;
  const Zipf zipf{count, GetParam()};
  RandomStream random{3, "zipf"};
  std::vector<int> found(count + 1);
  for (int i = 0; i < draws; ++i) ++found.at(static_cast<std::size_t>(zipf.draw(random)));
  EXPECT_EQ(found[0], 0);
  double chi_squared = 0;
  for (std::int64_t rank = 1; rank <= count; ++rank) {
    const double expected = draws * std::pow(static_cast<double>(rank), -GetParam()) / harmonic(count, GetParam());
    chi_squared += std::pow(found[static_cast<std::size_t>(rank)] - expected, 2) / expected;
  }
  EXPECT_LT(chi_squared, 85.4);  // 99.9 % of 49 degrees of freedom
}

TEST_P(ZipfOf, TheFirstHasItsProbability) {
  for (const std::int64_t count : {1, 7, 100, 5000, 1'000'000}) {
    const double exact = 1 / harmonic(count, GetParam());
    EXPECT_LE(Zipf(count, GetParam()).first(), exact * (1 + 1e-9)) << count;
    EXPECT_GE(Zipf(count, GetParam()).first(), exact * 0.999) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Skews, ZipfOf, ::testing::Values(0.1, 0.5, 0.99, 1.0, 1.2, 3.0));

TEST(ZipfIntegral, IsThatOfTheWeight) {
  for (const double rank : {0.5, 1.0, 3.5, 1e6}) {
    EXPECT_NEAR(zipf_integral(rank, 0), rank - 1, 1e-12 * rank);
    EXPECT_NEAR(zipf_integral(rank, 2), 1 - 1 / rank, 1e-12);
  }
}

TEST(ZipfIntegral, IsExactWhereTheSkewIsAlmostOne) {
  for (const double skew : {1.0, 1 + 1e-12, 1 - 1e-12, 1 + 1e-9, 1 - 1e-9}) {
    const double log = std::log(1000.0);
    EXPECT_NEAR(zipf_integral(1000, skew), log + (1 - skew) * log * log / 2, 1e-12) << skew;
  }
}

TEST(Zipf, HandlesTheLargestRegions) {
  const Zipf zipf{1'000'000'000'000, 0.99};
  RandomStream random{3, "zipf"};
  int first_thousand = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t rank = zipf.draw(random);
    ASSERT_GE(rank, 1);
    ASSERT_LE(rank, 1'000'000'000'000);
    first_thousand += rank <= 1000 ? 1 : 0;
  }
  // 7.73 of 32.4 (the two harmonic numbers).
  EXPECT_NEAR(first_thousand / 20'000.0, 7.73 / 32.4, 0.012);
}

TEST(Zipf, OfOneIsAlwaysThat) {
  RandomStream random{3, "zipf"};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Zipf(1, 0.99).draw(random), 1);
}

}  // namespace
}  // namespace doorbell::core
