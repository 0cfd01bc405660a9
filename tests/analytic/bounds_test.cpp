#include "analytic/bounds.hpp"

#include <gtest/gtest.h>

namespace doorbell::analytic {
namespace {

TEST(Bounds, TheTightestLimitsAndTheSecondIsNext) {
  Bounds bounds;
  bounds.add("loose", Seconds{1e-6}, 4, std::nullopt);                  // 4 M/s
  bounds.add("tight", Seconds{2e-6}, 1, model::Limit::cpu);             // 0.5 M/s
  bounds.add("second", Seconds{1e-6}, 1, model::Limit::bus_bandwidth);  // 1 M/s
  bounds.settle();
  EXPECT_EQ(bounds.bottleneck, "tight");
  EXPECT_DOUBLE_EQ(bounds.throughput.per_second, 0.5e6);
  EXPECT_EQ(bounds.next, "second");
  EXPECT_DOUBLE_EQ(bounds.gap, 2);
  EXPECT_EQ(bounds.bounds.back().resource, "loose");
}

TEST(Bounds, WhatTakesNoTimeDoesNotBound) {
  Bounds bounds;
  bounds.add("free", Seconds{0}, 1, std::nullopt);
  bounds.settle();
  EXPECT_TRUE(bounds.bounds.empty());
  EXPECT_EQ(bounds.throughput.per_second, 0);
  bounds.add("only", Seconds{1e-3}, 1, std::nullopt);
  bounds.settle();
  EXPECT_EQ(bounds.bottleneck, "only");
  EXPECT_TRUE(bounds.next.empty());
}

}  // namespace
}  // namespace doorbell::analytic
