#include "models/common/replications.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/measured_rate.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

RunResult run_with(double millions, Time latency) {
  RunResult run;
  run.throughput = {millions * 1e6};
  run.throughput_ci95 = {1e3};
  run.latency = {latency, latency - 10ns, latency + 90ns, 100};
  return run;
}

TEST(Replications, OneRunIsItself) {
  const std::vector<RunResult> runs{run_with(5, 700ns)};
  const RunResult result = pooled(runs);
  EXPECT_EQ(result.throughput.per_second, 5e6);
  EXPECT_EQ(result.throughput_ci95.per_second, 1e3);
  EXPECT_EQ(result.latency.p99, 790ns);
}

TEST(Replications, MeansAndTheIntervalBetweenRuns) {
  const std::vector<RunResult> runs{run_with(1, 100ns), run_with(2, 200ns), run_with(3, 300ns), run_with(4, 400ns)};
  const RunResult result = pooled(runs);
  EXPECT_DOUBLE_EQ(result.throughput.per_second, 2.5e6);
  EXPECT_NEAR(result.throughput_ci95.per_second, 3.182446 * 1.290994e6 / 2, 10);  // t(0.975; 3), standard deviation
  EXPECT_EQ(result.latency.mean, 250ns);
  EXPECT_EQ(result.latency.p50, 240ns);
  EXPECT_EQ(result.latency.p99, 340ns);
  EXPECT_EQ(result.latency.samples, 400U);
}

TEST(Replications, WithoutChanceTheIntervalOfTheRunRemains) {
  const std::vector<RunResult> runs(3, run_with(5, 700ns));
  EXPECT_EQ(pooled(runs).throughput.per_second, 5e6);
  EXPECT_EQ(pooled(runs).throughput_ci95.per_second, 1e3);
}

TEST(Replications, EqualCountsOfRunsThatDifferLeaveOneEventOpen) {
  std::vector<RunResult> runs{run_with(5, 700ns), run_with(5, 710ns)};
  runs[0].simulated = 100us;
  EXPECT_EQ(pooled(runs).throughput_ci95.per_second, 1e4);
}

TEST(Replications, BandwidthIsAMeanToo) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(1, 100ns)};
  runs[0].bandwidth = {2e9};
  runs[1].bandwidth = {3e9};
  EXPECT_DOUBLE_EQ(pooled(runs).bandwidth.bytes_per_second, 2.5e9);
}

TEST(Replications, SoIsWhatWasUsedAndCounted) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(3, 100ns)};
  runs[0].counters = {{"server/PCIeRdCur", 20, {2e6}}};
  runs[1].counters = {{"server/PCIeRdCur", 60, {6e6}}};
  runs[0].utilisations = {{"server/cores", 0.25}, {"server/NIC", 0.1}};
  runs[1].utilisations = {{"server/NIC", 0.3}, {"server/cores", 0.75}};
  runs[0].levels = {{"server/waiting", 1}};
  runs[1].levels = {{"server/waiting", 2}};
  runs[0].programs = {{"server", 2, {1e6}, {1e9}}};
  runs[1].programs = {{"server", 4, {3e6}, {2e9}}};
  const RunResult result = pooled(runs);
  EXPECT_EQ(result.counters[0].count, 40U);
  EXPECT_DOUBLE_EQ(result.counters[0].rate.per_second / result.throughput.per_second, 2) << "as in both runs";
  EXPECT_DOUBLE_EQ(result.utilisations[0].busy, 0.5) << "whatever place it has in a run";
  EXPECT_DOUBLE_EQ(result.utilisations[1].busy, 0.2);
  EXPECT_DOUBLE_EQ(result.levels[0].value, 1.5);
  EXPECT_DOUBLE_EQ(result.programs[0].mean_batch, 3);
  EXPECT_DOUBLE_EQ(result.programs[0].work_requests.per_second, 2e6);
  EXPECT_DOUBLE_EQ(result.programs[0].payload.bytes_per_second, 1.5e9);
}

TEST(Replications, RareKindsCountInAllRunsForTheirRateAndInTheirOwnForTheirLatency) {
  std::vector<RunResult> runs{run_with(4, 100ns), run_with(5, 100ns)};
  runs[0].kinds = {{"reads", {4e6}, {100ns, 100ns, 100ns, 4}}};
  runs[1].kinds = {{"reads", {2e6}, {300ns, 300ns, 300ns, 2}}, {"writes", {3e6}, {50ns, 40ns, 60ns, 3}}};
  const RunResult result = pooled(runs);
  ASSERT_EQ(result.kinds.size(), 2U);
  EXPECT_EQ(result.kinds[0].kind, "reads");
  EXPECT_DOUBLE_EQ(result.kinds[0].throughput.per_second, 3e6);
  EXPECT_EQ(result.kinds[0].latency.mean, 200ns);
  EXPECT_EQ(result.kinds[1].kind, "writes");
  EXPECT_DOUBLE_EQ(result.kinds[1].throughput.per_second, 1.5e6);
  EXPECT_EQ(result.kinds[1].latency.p99, 60ns);
  EXPECT_EQ(result.kinds[1].latency.samples, 3U);
}

TEST(Replications, RunsWithoutLatenciesDoNotLowerTheMean) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(2, 100ns)};
  runs[1].latency = {};
  EXPECT_EQ(pooled(runs).latency.mean, 100ns);
  runs[0].latency = {};
  EXPECT_EQ(pooled(runs).latency.samples, 0U);
}

TEST(Replications, EachWarningIsGivenOnce) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(1.01, 100ns)};
  runs[0].warnings = {"short"};
  runs[1].warnings = {"short", "drops"};
  EXPECT_THAT(pooled(runs).warnings, ElementsAre("short", "drops (in 1 of 2 runs)"));
}

TEST(Replications, AWarningWithOtherNumbersIsTheSame) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(1.01, 100ns), run_with(1.02, 100ns)};
  runs[0].warnings = {"p1 lost 5 datagrams", "p2 lost 1.5 datagrams", "drifts: +18 %"};
  runs[2].warnings = {"p2 lost 17 datagrams", "drifts: +7 %"};
  EXPECT_THAT(pooled(runs).warnings,
              ElementsAre("p1 lost 5 datagrams (in 1 of 3 runs)", "p2 lost 1.5 datagrams (in 2 of 3 runs)",
                          "drifts: +18 % (in 2 of 3 runs)"));
}

TEST(Replications, WhatIsSaidOfTheIntervalIsSaidOfThePooledOne) {
  std::vector<RunResult> runs{run_with(1, 100ns), run_with(1.01, 110ns), run_with(1.02, 100ns)};
  runs[1].warnings = {std::string{hardly_known}};
  EXPECT_THAT(pooled(runs).warnings, ElementsAre());
  runs[1].warnings.clear();
  runs[2].throughput = {9e6};
  EXPECT_THAT(pooled(runs).warnings, ElementsAre(hardly_known));
}

}  // namespace
}  // namespace doorbell::model
