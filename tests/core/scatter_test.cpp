#include "core/scatter.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace doorbell::core {
namespace {

// Of Vigna's splitmix64.c with the seed 1234567.
TEST(Scatter, DrawsThePublishedNumbersOfSplitMix64) {
  std::uint64_t state = 1234567;
  for (const std::uint64_t published : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                        4593380528125082431U, 16408922859458223821U}) {
    EXPECT_EQ(scatter(state += golden_gamma), published);
  }
}

TEST(Scatter, EveryBitChangesAboutHalfOfTheResult) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (std::uint64_t value = 1; value <= 100; ++value)
      changed += std::popcount(scatter(value) ^ scatter(value ^ (std::uint64_t{1} << bit)));
    EXPECT_NEAR(changed, 3200, 200) << bit;
  }
}

}  // namespace
}  // namespace doorbell::core
