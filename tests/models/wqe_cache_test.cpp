#include "models/wqe_cache.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace doorbell::model
