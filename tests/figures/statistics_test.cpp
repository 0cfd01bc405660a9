#include "figures/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace doorbell::figures {
namespace {

TEST(Errors, MedianOfAnOddNumberIsTheMiddleMagnitude) {
  const ErrorSummary summary = summarise({-0.3, 0.1, 0.05});
  EXPECT_DOUBLE_EQ(*summary.median, 0.1);
  EXPECT_DOUBLE_EQ(*summary.worst, 0.3);
  EXPECT_EQ(summary.count, 3U);
}

TEST(Errors, MedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_DOUBLE_EQ(*summarise({0.4, -0.2, 0.1, 0.3}).median, 0.25);
}

TEST(Errors, WhatIsNoNumberIsTheWorstWhereverItStands) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& errors :
       {std::vector{none, 0.01, 9.0}, std::vector{9.0, none, 0.01}, std::vector{0.01, 9.0, none}}) {
    EXPECT_EQ(*summarise(errors).worst, std::numeric_limits<double>::infinity());
    EXPECT_EQ(*summarise(errors).median, 9.0);
  }
}

TEST(Errors, NothingGivesNothing) {
  EXPECT_FALSE(summarise({}).median);
  EXPECT_FALSE(summarise({}).worst);
}

TEST(Errors, AreSignedFractionsOfTheMeasurement) {
  EXPECT_DOUBLE_EQ(*relative_error(12, 10), 0.2);
  EXPECT_DOUBLE_EQ(*relative_error(8, 10), -0.2);
}

TEST(Errors, ThatAreNothingHaveNoSign) {
  EXPECT_FALSE(std::signbit(*relative_error(-5, -5)));
  EXPECT_EQ(signed_percent(-0.0004), "0.0 %");
  EXPECT_EQ(signed_percent(0.0004), "0.0 %");
  EXPECT_EQ(signed_percent(-0.0006), "-0.1 %");
  EXPECT_EQ(signed_percent(0.123), "+12.3 %");
}

TEST(Errors, AgainstZeroAreUndefined) { EXPECT_FALSE(relative_error(1, 0)); }

}  // namespace
}  // namespace doorbell::figures
