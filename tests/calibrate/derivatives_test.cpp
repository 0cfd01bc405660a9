#include "calibrate/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "calibrate/synthetic.hpp"

namespace doorbell::calibrate {
namespace {

/// As the bins of a histogram have it.
double stepped(double time) {
  constexpr double bin = std::numbers::ln2 / 128;
  return std::exp(bin * (std::floor(std::log(time) / bin) + 0.5));
}

/// Medians of 1.7 us and what is sought, which is 100 ns, in bins, with half a percent of uncertainty.
Synthetic medians() {
  Synthetic points;
  points.latency = [](const Machine& machine, int x) { return stepped(1.7e-6 + x * *get(machine, "/nic/latency")); };
  points.latencies = {{1, 1.8, 0}, {2, 1.9, 0}};
  return points;
}

const std::string a_latency = R"({"path": "/nic/latency", "start": "20 ns", "min": "1 ns", "max": "5 us"})";
const std::string another = R"({"path": "/nic/rx_message", "start": "20 ns", "min": "1 ns", "max": "5 us"})";

TEST(Derivatives, AreNotLostInTheBinsOfMedians) {
  const Found found = medians().fit(a_latency).parameters.front();
  EXPECT_EQ(found.basis, Basis::points);
  EXPECT_NEAR(found.found, 100e-9, found.half_width);
  // 0.5 % of 1.8 and of 1.9 us are 9 and 4.75 % of what is sought; half a bin are 7 and 3.5 %.
  EXPECT_GT(found.half_width, 9e-9);
  EXPECT_LT(found.half_width, 25e-9);
}

TEST(Derivatives, DoNotTellTimesApartThatOnlyAddUp) {
  Synthetic points;
  points.latency = [](const Machine& machine, int x) {
    return stepped(1.7e-6 + 1e-10 * x + *get(machine, "/nic/latency") + *get(machine, "/nic/rx_message"));
  };
  for (const int x : {2, 4, 8, 16}) points.latencies.push_back({x, 1.9, 0});
  for (const Found& found : points.fit(a_latency + ", " + another).parameters) {
    EXPECT_EQ(found.basis, Basis::nothing) << found.pointer;
    EXPECT_EQ(found.with.size(), 1U) << found.pointer;
  }
}

/// A part of a bin is an influence all the same.
TEST(Derivatives, SmallerThanTheBinsAreNotCalledNone) {
  Synthetic points = medians();
  points.latency = [](const Machine& machine, int x) {
    return stepped(1.7e-6 + x * *get(machine, "/nic/latency") + 0.05 * *get(machine, "/nic/rx_message"));
  };
  const Fit fit = points.fit(a_latency + ", " + another);
  EXPECT_EQ(fit.parameters[0].basis, Basis::points);
  EXPECT_EQ(fit.parameters[1].open, Open::resolution);
}

TEST(Derivatives, OfCountsAreTakenFromOneToTheNext) {
  Synthetic points;
  points.rate = [](const Machine& machine, int x) { return x * 1e6 * *get(machine, "/nic/processing_units"); };
  points.rates = {{1, 4, 0}, {2, 8, 0}};
  const Found found =
      points.fit(R"({"path": "/nic/processing_units", "start": 2, "min": 1, "max": 16})").parameters.front();
  EXPECT_EQ(found.found, 4);
  EXPECT_EQ(found.open, Open::no);
}

}  // namespace
}  // namespace doorbell::calibrate
