#include "models/common/replications.hpp"

#include <algorithm>
#include <vector>

#include "core/confidence.hpp"

namespace doorbell::model {
namespace {

/// Of those runs that have measured any.
LatencySummary mean_of(const std::vector<LatencySummary>& latencies) {
  LatencySummary sum;
  Time::rep runs = 0;
  for (const LatencySummary& latency : latencies) {
    if (latency.samples == 0) continue;
    ++runs;
    sum.samples += latency.samples;
    sum.mean += latency.mean;
    sum.p50 += latency.p50;
    sum.p99 += latency.p99;
  }
  if (runs == 0) return sum;
  return {sum.mean / runs, sum.p50 / runs, sum.p99 / runs, sum.samples};
}

/// Of the operations of one kind, which may be rare enough not to come in every run.
KindSummary mean_of(const std::string& kind, std::span<const RunResult> runs) {
  KindSummary mean{kind, {}, {}};
  std::vector<LatencySummary> latencies;
  for (const RunResult& run : runs) {
    const auto found = std::ranges::find(run.kinds, kind, &KindSummary::kind);
    if (found == run.kinds.end()) continue;
    mean.throughput.per_second += found->throughput.per_second / static_cast<double>(runs.size());
    latencies.push_back(found->latency);
  }
  mean.latency = mean_of(latencies);
  return mean;
}

}  // namespace

RunResult pooled(std::span<const RunResult> runs) {
  RunResult result = runs.front();
  if (runs.size() == 1) return result;
  std::vector<double> rates;
  std::vector<LatencySummary> latencies;
  double bandwidth = 0;
  for (const RunResult& run : runs) {
    rates.push_back(run.throughput.per_second);
    latencies.push_back(run.latency);
    bandwidth += run.bandwidth.bytes_per_second;
    for (const std::string& warning : run.warnings) {
      if (std::ranges::find(result.warnings, warning) == result.warnings.end()) result.warnings.push_back(warning);
    }
    for (const KindSummary& kind : run.kinds) {
      if (std::ranges::find(result.kinds, kind.kind, &KindSummary::kind) == result.kinds.end())
        result.kinds.push_back(kind);
    }
  }
  result.bandwidth = {bandwidth / static_cast<double>(runs.size())};
  result.latency = mean_of(latencies);
  for (KindSummary& kind : result.kinds) kind = mean_of(kind.kind, runs);
  // Runs without any chance are all the same one, which tells its own interval.
  const bool differ = std::ranges::any_of(runs, [&](const RunResult& run) {
    return run.throughput != runs.front().throughput || run.latency.mean != runs.front().latency.mean;
  });
  if (!differ) return result;
  const core::ConfidenceInterval interval = core::confidence_interval(rates);
  result.throughput = {interval.mean};
  // All may have counted the same number, as a run's slices may.
  const bool counts = runs.front().throughput_ci95 > Rate{} && runs.front().simulated > Time{0};
  result.throughput_ci95 = {std::max(interval.half_width, counts ? 1 / to_seconds(runs.front().simulated) : 0)};
  return result;
}

}  // namespace doorbell::model
