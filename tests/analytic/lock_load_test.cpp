#include "analytic/lock_load.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "core/zipf.hpp"
#include "models/fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;

model::Region words(std::int64_t count, std::int64_t offset = 0) {
  model::Region region = model::region(count, 8);
  region.offset = Bytes{offset};
  return region;
}

TEST(LockLoad, WordsThatFallOnDifferentLocksUseAllOfThem) {
  LockLoad load{12};
  load.add(words(1), 1);
  EXPECT_EQ(load.servers(), 1);
  load.add(words(1, 8), 1);
  EXPECT_EQ(load.servers(), 2);
  load.add(words(1, 4096), 1);
  EXPECT_EQ(load.servers(), 1.5) << "that is the lock of the first word, which is taken twice as often";
  EXPECT_EQ(load.locks(), 2);
}

TEST(LockLoad, WithoutARegionAllTakeTheSame) {
  LockLoad load{12};
  load.add(std::nullopt, 1);
  load.add(std::nullopt, 1);
  EXPECT_EQ(load.servers(), 1);
}

TEST(LockLoad, WhatHasToTakeOneLockLimitsHoweverManyOthersTake) {
  for (const int bits : {12, 20}) {
    LockLoad load{bits};
    load.add(words(1), 0.95);
    load.add(words(100'000), 0.05);
    EXPECT_NEAR(load.servers(), 1 / 0.95, 0.001);
    EXPECT_GT(load.locks(), 500);
  }
}

TEST(LockLoad, TheHottestWordsLockLimitsWhoAllWantIt) {
  model::Region skewed = words(1000);
  skewed.skew = 0.99;
  LockLoad load{20};
  load.add(skewed, 1);
  const double hottest = core::Zipf{1000, 0.99}.first();
  EXPECT_NEAR(load.servers(), 1 / hottest, 1e-9);
}

}  // namespace
}  // namespace doorbell::analytic
