#include "calibrate/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace doorbell::calibrate {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A time of the NIC between 10 and 1000 ns, found and in the profile, in nanoseconds, with the half width of its
/// interval as a share of it.
Found judgement(double found, double shipped, double width, const std::vector<double>& values = {}) {
  const std::string pointer = "/nic/latency";
  Unknown unknown;
  unknown.pointer = pointer;
  unknown.min = 10e-9;
  unknown.max = 1000e-9;
  for (const double value : values) unknown.values.push_back(value * 1e-9);
  Stage stage;
  stage.unknowns = {unknown};
  Machine machine;
  set(machine, pointer, found * 1e-9);
  Machine profile;
  set(profile, pointer, shipped * 1e-9);
  return judged(stage, unknown, {width * found * 1e-9, Open::no, {}}, machine, profile);
}

TEST(Judge, AgreesInTheIntervalOrWithinFivePerCent) {
  EXPECT_TRUE(judgement(100, 109, 0.1).agrees);
  EXPECT_FALSE(judgement(100, 111, 0.1).agrees);
  EXPECT_TRUE(judgement(100, 104.9, 0.01).agrees);
  EXPECT_FALSE(judgement(100, 106, 0.01).agrees);
}

TEST(Judge, AWideIntervalIsAFactor) {
  EXPECT_NEAR(*judgement(100, 100, 2).factor(), std::exp(2), 1e-9);
  EXPECT_FALSE(judgement(100, 100, 0.9).factor());
  EXPECT_TRUE(judgement(100, 15, 2).agrees);
  EXPECT_FALSE(judgement(100, 13, 2).agrees);
}

/// However far the points scatter about it.
TEST(Judge, AnEndOfTheRangeAgreesOnlyWithTheSameEnd) {
  for (const double width : {0.01, 0.5, 3.0}) {
    for (const double end : {10.0, 1000.0}) {
      EXPECT_TRUE(judgement(end, end, width).at_end);
      EXPECT_TRUE(judgement(end, end, width).agrees);
      EXPECT_FALSE(judgement(end, 100, width).agrees);
      EXPECT_FALSE(judgement(end, end / 1.04, width).agrees);
      EXPECT_FALSE(judgement(end, end * 1.04, width).agrees);
    }
  }
}

TEST(Judge, WhatTellsNothingDoesNotAgree) {
  for (const double width : {7.0, infinite}) {
    const Found found = judgement(100, 100, width);
    EXPECT_EQ(found.basis, Basis::nothing);
    EXPECT_TRUE(std::isinf(found.half_width));
    EXPECT_FALSE(found.agrees);
  }
  EXPECT_EQ(judgement(100, 100, 7).open, Open::scatter);
  EXPECT_EQ(judgement(100, 100, 6.8).basis, Basis::points);
}

/// The width is the distance to the next value, and no interval of logarithms.
TEST(Judge, OfListedValuesNoWidthIsTooWide) {
  const Found found = judgement(20, 20, 15, {20, 320});
  EXPECT_EQ(found.basis, Basis::points);
  EXPECT_FALSE(found.factor());
  EXPECT_FALSE(found.at_end);
  EXPECT_TRUE(found.agrees);
  EXPECT_EQ(judgement(20, 20, infinite, {20, 20}).basis, Basis::plan);
}

}  // namespace
}  // namespace doorbell::calibrate
