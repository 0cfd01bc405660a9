#include "calibrate/single.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "calibrate/synthetic.hpp"

namespace doorbell::calibrate {
namespace {

const std::string a_bandwidth =
    R"({"path": "/port/bandwidth", "start": "1 GB/s", "min": "100 MB/s", "max": "200 GB/s"})";
const std::string a_time = R"({"path": "/nic/latency", "start": "900 ns", "min": "1 ns", "max": "5 us"})";

/// Messages of x bytes and their headers through a port, or as many as something else allows.
Synthetic::Formula port_or(double operations_per_second) {
  return [=](const Machine& machine, int x) {
    return std::min(*get(machine, "/port/bandwidth") / (x + 40), operations_per_second);
  };
}

/// Factors with a spread of so much.
class Noise {
 public:
  explicit Noise(double spread) : spread_{spread} {}
  double operator()() { return 1 + spread_ * normal_(generator_); }

 private:
  double spread_;
  std::mt19937 generator_{3};  // NOLINT(bugprone-random-generator-seed)
  std::normal_distribution<double> normal_;
};

bool is_covered(const Found& found, double value) { return std::abs(found.found - value) <= found.half_width; }

class SingleByEachMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Single, SingleByEachMethod, testing::Values("closed_form", "simulation"),
                         [](const auto& given) { return std::string{given.param}; });

/// All sizes of `ib_write_bw -a` on a port of 3 GB/s behind something that allows 2.5 M/s, where the model allows ten:
/// most of the points are slower than the model has them for another reason than the port.
TEST_P(SingleByEachMethod, SmallMessagesThatSomethingElseLimitsDoNotMoveThePort) {
  Noise noise{0.02};
  Synthetic file;
  file.rate = port_or(10e6);
  for (int x = 2; x <= 8 << 20; x *= 2) {
    file.rates.push_back({x, std::min(3e9 / (x + 40), 2.5e6) * noise() / 1e6, 0});
  }
  const Fit fit = file.fit(a_bandwidth, GetParam());
  const Found& port = fit.parameters.front();
  EXPECT_NEAR(port.found, 3e9, 0.02 * 3e9);
  EXPECT_TRUE(is_covered(port, 3e9)) << port.found << " +/- " << port.half_width;
  EXPECT_LT(port.half_width, 0.05 * 3e9);
  for (const Residual& residual : fit.residuals) {
    const double x = std::get<double>(residual.x);
    // Of messages of 1 KiB, too, the port would let more through than were measured.
    EXPECT_EQ(residual.say == Say::decides, x > 1500) << x;
    EXPECT_TRUE(x > 200 || residual.say == Say::independent) << x;
    EXPECT_EQ(residual.limit.empty(), residual.say != Say::independent);
  }
}

TEST_P(SingleByEachMethod, OneLargeMessageCountsMoreThanTwoSmallOnesThatAgree) {
  Synthetic file;
  file.rate = port_or(10e6);
  file.rates = {{2, 1, 0}, {4, 1, 0}, {65536, 3e9 / 65576 / 1e6, 0}};
  EXPECT_NEAR(file.fit(a_bandwidth, GetParam()).parameters.front().found, 3e9, 0.01 * 3e9);
}

TEST(Single, ARateAndALatencyThatContradictEachOtherAreNotBalanced) {
  // Both ask for other values: the rate for 400 ns, the latency for 700 ns. The sum of the residuals is zero where
  // neither fits; at the least sum of squares, the better known one counts more.
  Synthetic pair;
  pair.rate = [](const Machine& machine, int) { return 1 / *get(machine, "/nic/latency"); };
  pair.latency = [](const Machine& machine, int) { return *get(machine, "/nic/latency"); };
  pair.rates = {{1, 2.5, 0.025}};
  pair.latencies = {{1, 0.7, 0.07}};
  const Fit fit = pair.fit(a_time);
  const double expected = std::exp((std::log(400) * 100 + std::log(700)) / 101) * 1e-9;
  EXPECT_NEAR(fit.parameters.front().found, expected, 0.01 * expected);
  ASSERT_EQ(fit.residuals.size(), 2U);
  ASSERT_TRUE(fit.residuals[0].pull && fit.residuals[1].pull);
  EXPECT_NEAR(*fit.residuals[0].pull, 400e-9 / expected, 0.01);
  EXPECT_NEAR(*fit.residuals[1].pull, 700e-9 / expected, 0.02);
}

TEST(Single, ARateAndALatencyOfOneMachineAgree) {
  Noise noise{0.02};
  Synthetic pair;
  pair.rate = [](const Machine& machine, int x) { return x / (*get(machine, "/nic/latency") + 300e-9); };
  pair.latency = [](const Machine& machine, int x) { return *get(machine, "/nic/latency") + 100e-9 * x; };
  for (const int x : {1, 2, 4, 8}) {
    pair.rates.push_back({x, x / 0.8 * noise(), 0});
    pair.latencies.push_back({x, (0.5 + 0.1 * x) * noise(), 0});
  }
  const Fit fit = pair.fit(a_time);
  EXPECT_NEAR(fit.parameters.front().found, 500e-9, 15e-9);
  EXPECT_TRUE(is_covered(fit.parameters.front(), 500e-9)) << fit.parameters.front().half_width;
  for (const Residual& residual : fit.residuals) EXPECT_EQ(residual.say, Say::decides);
}

TEST(Single, AMajorityThatAgreesIsNotAveragedWithAnOutlier) {
  Synthetic file;
  file.rate = port_or(1e9);
  for (const int x : {1000, 2000, 4000, 8000}) file.rates.push_back({x, 6e9 / (x + 40) / 1e6, 0});
  file.rates.back().value *= 2;
  const Fit fit = file.fit(a_bandwidth);
  EXPECT_NEAR(fit.parameters.front().found, 6e9, 0.01 * 6e9);
  EXPECT_EQ(fit.residuals.back().say, Say::outvoted);
}

TEST(Single, FindsTheLeastSumThoughPredictionsGoInSteps) {
  // Medians are those of classes: no slope leads down.
  Synthetic steps;
  steps.latency = [](const Machine& machine, int x) {
    return std::round((*get(machine, "/nic/latency") + 1e-6 * x) / 20e-9) * 20e-9;
  };
  steps.latencies = {{1, 1.30, 0.005}, {2, 2.50, 0.01}, {3, 3.44, 0.01}};
  const Fit fit = steps.fit(a_time);
  double least = 1e9;
  const auto sum_at = [&](double latency) {
    double sum = 0;
    for (const SyntheticPoint& point : steps.latencies) {
      const double predicted = std::round((latency + 1e-6 * point.x) / 20e-9) * 20e-3;
      sum += std::pow(
          std::log(predicted / point.value) * point.value / std::max(point.uncertainty, 0.005 * point.value), 2);
    }
    return sum;
  };
  for (double latency = 200e-9; latency < 600e-9; latency += 1e-9) least = std::min(least, sum_at(latency));
  EXPECT_NEAR(sum_at(fit.parameters.front().found), least, 1e-6 * least);
}

TEST(Single, TwoThatContradictEachOtherAreAveraged) {
  Synthetic file;
  file.rate = port_or(1e9);
  file.rates = {{1000, 4e9 / 1040 / 1e6, 0}, {2000, 6e9 / 2040 / 1e6, 0}};
  const Fit fit = file.fit(a_bandwidth);
  EXPECT_NEAR(fit.parameters.front().found, std::sqrt(24.0) * 1e9, 0.01 * 5e9);
  for (const Residual& residual : fit.residuals) EXPECT_EQ(residual.say, Say::decides);
  EXPECT_NEAR(*fit.residuals[0].pull, std::sqrt(4.0 / 6), 0.01);
  EXPECT_NEAR(*fit.residuals[1].pull, std::sqrt(6.0 / 4), 0.01);
}

}  // namespace
}  // namespace doorbell::calibrate
