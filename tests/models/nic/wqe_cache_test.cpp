#include "models/nic/wqe_cache.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace doorbell::model {
namespace {

TEST(WqeCache, HoldsAsManyAsItHasPlaces) {
  WqeCache cache{3};
  const auto first = cache.insert();
  EXPECT_TRUE(cache.holds(first));
  static_cast<void>(cache.insert());
  static_cast<void>(cache.insert());
  EXPECT_TRUE(cache.holds(first));
  static_cast<void>(cache.insert());
  EXPECT_FALSE(cache.holds(first));
}

TEST(WqeCache, DisplacesInOrder) {
  WqeCache cache{2};
  const auto a = cache.insert();
  const auto b = cache.insert();
  const auto c = cache.insert();
  EXPECT_FALSE(cache.holds(a));
  EXPECT_TRUE(cache.holds(b));
  EXPECT_TRUE(cache.holds(c));
}

TEST(WqeCache, WhatIsUsedUpAtOnceDisplacesAllTheSame) {
  WqeCache cache{4};
  const auto first = cache.insert();
  for (int i = 0; i < 3; ++i) cache.occupy();
  EXPECT_TRUE(cache.holds(first));
  cache.occupy();
  EXPECT_FALSE(cache.holds(first));
}

TEST(WqeCache, WithoutChoiceOfPlaceAgeDecidesByChance) {
  constexpr int capacity = 1000;
  WqeCache cache{capacity, 1};
  constexpr int age = 700;
  std::vector<std::uint64_t> tickets;
  int held = 0;
  constexpr int trials = 50'000;
  for (int i = 0; i < trials; ++i) {
    if (i >= age) held += cache.holds(tickets[static_cast<std::size_t>(i - age)]) ? 1 : 0;
    tickets.push_back(cache.insert());
  }
  // The ticket is still there if none of the 699 or 700 after it has come to its place.
  EXPECT_NEAR(static_cast<double>(held) / (trials - age), std::exp(-0.7), 0.01);
}

TEST(WqeCache, MoreWaysComeCloserToARing) {
  const auto held = [](int ways, int age) {
    WqeCache cache{1024, ways};
    std::vector<std::uint64_t> tickets;
    int count = 0;
    for (int i = 0; i < 20'000; ++i) {
      if (i >= age) count += cache.holds(tickets[static_cast<std::size_t>(i - age)]) ? 1 : 0;
      tickets.push_back(cache.insert());
    }
    return static_cast<double>(count) / (20'000 - age);
  };
  EXPECT_LT(held(1, 256), held(4, 256));
  EXPECT_LT(held(4, 256), held(16, 256));
  EXPECT_GT(held(1, 2048), held(16, 2048));
  EXPECT_EQ(held(0, 1024), 1);
  EXPECT_EQ(held(0, 1025), 0);
}

}  // namespace
}  // namespace doorbell::model
