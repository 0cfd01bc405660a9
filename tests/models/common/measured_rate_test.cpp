#include "models/common/measured_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Happens every microsecond from 1 us on.
struct Ticker {
  core::Calendar& calendar;
  std::uint64_t ticks = 0;
  void tick(std::uint64_t) {
    ++ticks;
    calendar.after<&Ticker::tick>(1us, {}, *this);
  }
};

TEST(MeasuredRate, CountsFromTheEndOfTheWarmUp) {
  core::Calendar calendar;
  Ticker ticker{calendar};
  calendar.after<&Ticker::tick>(1us, {}, ticker);
  calendar.run_until(100us);
  RunResult result;
  measure_rate(calendar, 1000us, 20, result, [&] { return ticker.ticks; });
  EXPECT_EQ(calendar.now(), 1100us);
  EXPECT_EQ(result.simulated, 1000us);
  EXPECT_DOUBLE_EQ(result.throughput.per_second, 1e6);
  EXPECT_NEAR(result.throughput_ci95.per_second, 1e3, 1e-6);  // every slice has 50; one more could have come
  EXPECT_EQ(result.events, 1000U);
}

TEST(MeasuredRate, CountsFractionsOfWhatIsUnderWay) {
  // Two and a half operations in all, half of one of them before.
  core::Calendar calendar;
  calendar.run_until(100us);
  RunResult result;
  measure_rate(calendar, 1000us, 20, result, [&] { return 0.5 + to_seconds(calendar.now() - Time{100us}) * 2e3; });
  EXPECT_NEAR(result.throughput.per_second, 2e3, 1e-9);
}

TEST(MeasuredRate, WhatDoesNotDivideIsLeftOut) {
  core::Calendar calendar;
  RunResult result;
  measure_rate(calendar, Time{1007}, 20, result, [] { return std::uint64_t{0}; });
  EXPECT_EQ(result.simulated, Time{1000});
  EXPECT_EQ(result.throughput.per_second, 0);
}

TEST(MeasuredRate, EndsWhenItIsKnownWellEnough) {
  const auto simulated = [](double half_width, std::uint64_t noise) {
    core::Calendar calendar;
    std::uint64_t count = 0;
    RunResult result;
    measure_rate(calendar, 40us, 40, result,
                 [&] { return count += 100 + noise * (static_cast<std::uint64_t>(calendar.now() / 1us) % 3); },
                 {.half_width = half_width});
    return result.simulated;
  };
  EXPECT_EQ(simulated(0, 0), 40us) << "nothing was asked for";
  EXPECT_EQ(simulated(0.01, 0), 20us);
  EXPECT_EQ(simulated(0.01, 100), 40us) << "too uneven";
}

TEST(MeasuredRate, AnUnevenRateHasAnInterval) {
  core::Calendar calendar;
  std::uint64_t count = 0;
  RunResult result;
  measure_rate(calendar, 20us, 20, result,
               [&] { return count += static_cast<std::uint64_t>(calendar.now() / 1us) % 3; });
  // Seven slices with one, seven with two and six with none: their squared deviations from 1.05 add up to 12.95.
  constexpr double student = 2.093024;  // 97.5 %, 19 degrees of freedom
  EXPECT_DOUBLE_EQ(result.throughput.per_second, 1.05e6);
  EXPECT_NEAR(result.throughput_ci95.per_second, student * std::sqrt(12.95 / 19 / 20) * 1e6, 1);
}

}  // namespace
}  // namespace doorbell::model
