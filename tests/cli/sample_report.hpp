// A report as `run` would make it, without running anything.
#pragma once

#include "cli/run_points.hpp"

namespace doorbell::cli::testing {

inline model::RunResult sample_result() {
  model::RunResult result;
  result.throughput = {62.5e6};
  result.throughput_ci95 = {0.25e6};
  result.latency.mean = std::chrono::nanoseconds{2000};
  result.latency.p50 = std::chrono::nanoseconds{1900};
  result.latency.p99 = std::chrono::nanoseconds{5000};
  result.latency.samples = 1000;
  result.utilisations = {{"server/pcie downstream", 0.97}, {"client/core", 0.25}};
  result.counters = {{"server/PCIeRdCur", 12345, {24.69e6}}};
  result.programs = {{"worker", 15.9, {62.5e6}, {2e9}}};
  result.bottleneck.resource = "server/pcie downstream";
  result.bottleneck.busy = 0.97;
  result.bottleneck.saturated = true;
  result.bottleneck.next_resource = "client/core";
  result.bottleneck.next_busy = 0.25;
  result.bottleneck.sentence =
      "The PCIe link of server carries all that it can (97 % busy): each response costs 64 B on it; next comes the "
      "client's core.";
  result.simulated = std::chrono::microseconds{500};
  result.events = 1000;
  result.operations = 500;
  return result;
}

/// Of a load that mixes two kinds of operations, one of which did not come while it was measured.
inline std::vector<model::KindSummary> sample_kinds() {
  using std::chrono::nanoseconds;
  const model::LatencySummary reads{nanoseconds{2000}, nanoseconds{950}, nanoseconds{15000}, 1000};
  return {{"reads", {62.5e6}, reads}, {"updates", {}, {}}};
}

inline Report sample_report() {
  Report report;
  report.title = "Sequencer";
  report.hash = "0123456789abcdef";
  report.seed = 7;
  report.points.resize(1);
  report.results = {sample_result()};
  return report;
}

/// Two axes, both of which vary something called "threads".
inline Report sample_sweep() {
  Report report = sample_report();
  report.sweep_paths = {"/programs/worker/threads", "/programs/client/threads"};
  report.points.clear();
  report.results.clear();
  for (const char* threads : {"1", "10"}) {
    report.points.push_back({{{report.sweep_paths[0], threads}, {report.sweep_paths[1], "4"}}, {}});
    report.results.push_back(sample_result());
  }
  return report;
}

}  // namespace doorbell::cli::testing
