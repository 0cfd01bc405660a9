#include "models/programs/arrivals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

ArrivalStream stream(ArrivalProcess process, Time begin = Time{0}) {
  return {{.rate = Rate{1e6}, .process = process}, core::RandomStream{7, "arrivals"}, begin};
}

/// The first so many arrivals.
std::vector<Time> first(ArrivalStream& arrivals, std::size_t count) {
  std::vector<Time> times;
  while (times.size() < count) {
    arrivals.advance(arrivals.next());
    times.push_back(arrivals.take());
  }
  return times;
}

TEST(Arrivals, PoissonHasTheMeanAndVarianceOfItsRate) {
  ArrivalStream arrivals = stream(ArrivalProcess::poisson);
  constexpr int intervals = 20'000;
  double sum = 0;
  double squares = 0;
  for (int i = 1; i <= intervals; ++i) {
    arrivals.advance(10us * i);
    const auto count = static_cast<double>(arrivals.waiting());
    while (arrivals.waiting() > 0) arrivals.take();
    sum += count;
    squares += count * count;
  }
  const double mean = sum / intervals;
  EXPECT_NEAR(mean, 10, 4 * std::sqrt(10.0 / intervals));
  EXPECT_NEAR(squares / intervals - mean * mean, 10, 0.5);
}

TEST(Arrivals, ConstantOnesAreEquallyFarApart) {
  ArrivalStream arrivals = stream(ArrivalProcess::constant, 5us);
  const std::vector<Time> times = first(arrivals, 5);
  EXPECT_GE(times[0], 5us);
  EXPECT_LE(times[0], 6us);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], Time{1us});
}

TEST(Arrivals, DoNotDependOnWhenTheyAreLookedAt) {
  ArrivalStream often = stream(ArrivalProcess::poisson);
  ArrivalStream once = stream(ArrivalProcess::poisson);
  const std::vector<Time> times = first(often, 50);
  once.advance(times.back());
  ASSERT_EQ(once.waiting(), times.size());
  for (const Time time : times) EXPECT_EQ(once.take(), time);
}

TEST(Arrivals, ComeWhenTheyAreDueAndNotBefore) {
  ArrivalStream arrivals = stream(ArrivalProcess::poisson);
  const Time due = arrivals.next();
  arrivals.advance(due - Time{1});
  EXPECT_EQ(arrivals.waiting(), 0U);
  arrivals.advance(due);
  EXPECT_EQ(arrivals.waiting(), 1U);
  EXPECT_GT(arrivals.next(), due);
}

TEST(Arrivals, WhatWaitsWhenTheMeasurementBeginsIsCounted) {
  ArrivalStream arrivals = stream(ArrivalProcess::constant);
  arrivals.advance(10us);
  EXPECT_EQ(arrivals.arrived(), 10U);
  for (int i = 0; i < 7; ++i) arrivals.take();
  arrivals.measure();
  EXPECT_EQ(arrivals.arrived(), 3U);
  arrivals.advance(12us);
  EXPECT_EQ(arrivals.arrived(), 5U);
}

}  // namespace
}  // namespace doorbell::model
