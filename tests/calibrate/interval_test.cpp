#include "calibrate/interval.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "calibrate/synthetic.hpp"

namespace doorbell::calibrate {
namespace {

using testing::ElementsAre;

std::string unknown_time(const std::string& path) {
  return R"({"path": ")" + path + R"(", "start": "20 ns", "min": "1 ns", "max": "1 us"})";
}

TEST(Interval, CoversTheTruthThoughUncertaintiesAreTooSmall) {
  // Points that scatter by 3 %, of which no uncertainty is known.
  std::mt19937 generator{11};  // NOLINT(bugprone-random-generator-seed)
  std::normal_distribution<double> noise{1, 0.03};
  int covered = 0;
  constexpr int trials = 60;
  for (int i = 0; i < trials; ++i) {
    Synthetic points;
    points.rate = [](const Machine& machine, int x) { return x / *get(machine, "/nic/tx_message"); };
    for (const int x : {1, 2, 3, 4}) points.rates.push_back({x, x / 0.1 * noise(generator), 0});
    const Found found = points.fit(unknown_time("/nic/tx_message"), "closed_form").parameters.front();
    if (std::abs(found.found - 100e-9) <= found.half_width) ++covered;
  }
  EXPECT_GE(covered, 51);
}

TEST(Interval, NamesWhatAParameterIsOnlyKnownTogetherWith) {
  Synthetic points;
  points.rate = [](const Machine& machine, int x) {
    return x / (*get(machine, "/nic/tx_message") + *get(machine, "/nic/pu_wqe"));
  };
  points.rates = {{1, 10, 0}, {2, 20, 0}, {4, 40, 0}};
  const Fit fit = points.fit(unknown_time("/nic/tx_message") + "," + unknown_time("/nic/pu_wqe") + "," +
                             unknown_time("/nic/rx_message"));
  EXPECT_EQ(fit.parameters[0].open, Open::combination);
  EXPECT_THAT(fit.parameters[0].with, ElementsAre("/nic/pu_wqe"));
  EXPECT_THAT(fit.parameters[1].with, ElementsAre("/nic/tx_message"));
  EXPECT_EQ(fit.parameters[2].open, Open::no_influence);
  EXPECT_THAT(fit.parameters[2].with, ElementsAre());
}

TEST(Interval, NamesWhatAParameterIsHardlyToldApartFrom) {
  Synthetic points;
  points.rate = [](const Machine& machine, int x) {
    return 1 / (*get(machine, "/nic/tx_message") + (1 + 0.02 * x) * *get(machine, "/nic/pu_wqe"));
  };
  for (const int x : {0, 1, 2}) points.rates.push_back({x, 1 / (0.05 + (1 + 0.02 * x) * 0.05), 0});
  const Fit fit = points.fit(unknown_time("/nic/tx_message") + "," + unknown_time("/nic/pu_wqe"));
  for (const Found& found : fit.parameters) EXPECT_THAT(found.with, testing::SizeIs(1)) << found.pointer;
}

}  // namespace
}  // namespace doorbell::calibrate
