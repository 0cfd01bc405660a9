#include "models/common/replications.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/confidence.hpp"
#include "models/common/measured_rate.hpp"

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

/// The mean over all runs of `value` of what has the name of `item`; where it is not in a run, it is 0.
template <class Item, class Name, class Value>
double mean_over(std::span<const RunResult> runs, std::vector<Item> RunResult::*items, const Item& item, Name name,
                 Value value) {
  double sum = 0;
  for (const RunResult& run : runs) {
    const auto found = std::ranges::find(run.*items, item.*name, name);
    if (found != (run.*items).end()) sum += value(*found);
  }
  return sum / static_cast<double>(runs.size());
}

/// What is used, counted and there on average in all runs, of what is so in the first.
void take_means(std::span<const RunResult> runs, RunResult& result) {
  for (Utilisation& used : result.utilisations) {
    used.busy = mean_over(runs, &RunResult::utilisations, used, &Utilisation::resource,
                          [](const Utilisation& other) { return other.busy; });
  }
  for (CounterReading& counter : result.counters) {
    const auto mean = [&](auto value) {
      return mean_over(runs, &RunResult::counters, counter, &CounterReading::name, value);
    };
    counter.count = static_cast<std::uint64_t>(
        std::llround(mean([](const CounterReading& other) { return static_cast<double>(other.count); })));
    counter.rate = {mean([](const CounterReading& other) { return other.rate.per_second; })};
  }
  for (Level& level : result.levels) {
    level.value =
        mean_over(runs, &RunResult::levels, level, &Level::name, [](const Level& other) { return other.value; });
  }
  for (ProgramSummary& program : result.programs) {
    const auto mean = [&](auto value) {
      return mean_over(runs, &RunResult::programs, program, &ProgramSummary::program, value);
    };
    program.mean_batch = mean([](const ProgramSummary& other) { return other.mean_batch; });
    program.work_requests = {mean([](const ProgramSummary& other) { return other.work_requests.per_second; })};
    program.payload = {mean([](const ProgramSummary& other) { return other.payload.bytes_per_second; })};
  }
}

/// A warning with other numbers is the same one; digits in a name are none.
std::string without_numbers(const std::string& warning) {
  std::string text;
  bool in_number = false;
  for (const char c : warning) {
    const bool signed_number = text.ends_with(" +") || text.ends_with(" -");
    const bool begins_word = text.empty() || text.back() == ' ' || text.back() == '(' || signed_number;
    if (!in_number && signed_number && c >= '0' && c <= '9') text.pop_back();
    in_number = (c >= '0' && c <= '9' && (in_number || begins_word)) || (c == '.' && in_number);
    if (!in_number) text += c;
  }
  return text;
}

/// Each once, in the words of the first run that gives it, and of how many runs it holds.
std::vector<std::string> warnings_of(std::span<const RunResult> runs) {
  struct Given {
    std::string warning;
    std::size_t runs = 1;
  };
  std::vector<Given> all;
  for (const RunResult& run : runs) {
    for (const std::string& warning : run.warnings) {
      const auto known = std::ranges::find_if(
          all, [&](const Given& given) { return without_numbers(given.warning) == without_numbers(warning); });
      if (known == all.end()) {
        all.push_back({warning});
      } else {
        ++known->runs;
      }
    }
  }
  std::vector<std::string> warnings;
  for (const Given& given : all) {
    const bool is_of_all = given.runs >= runs.size() || given.warning == hardly_known;
    const std::string where =
        is_of_all ? "" : " (in " + std::to_string(given.runs) + " of " + std::to_string(runs.size()) + " runs)";
    warnings.push_back(given.warning + where);
  }
  return warnings;
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
    for (const KindSummary& kind : run.kinds) {
      if (std::ranges::find(result.kinds, kind.kind, &KindSummary::kind) == result.kinds.end())
        result.kinds.push_back(kind);
    }
  }
  result.bandwidth = {bandwidth / static_cast<double>(runs.size())};
  take_means(runs, result);
  result.latency = mean_of(latencies);
  for (KindSummary& kind : result.kinds) kind = mean_of(kind.kind, runs);
  // Runs without any chance are all the same one, which tells its own interval.
  const bool differ = std::ranges::any_of(runs, [&](const RunResult& run) {
    return run.throughput != runs.front().throughput || run.latency.mean != runs.front().latency.mean;
  });
  result.warnings = warnings_of(runs);
  if (!differ) return result;
  const core::ConfidenceInterval interval = core::confidence_interval(rates);
  result.throughput = {interval.mean};
  // All may have counted the same number, as a run's slices may.
  const bool counts = runs.front().throughput_ci95 > Rate{} && runs.front().simulated > Time{0};
  result.throughput_ci95 = {std::max(interval.half_width, counts ? 1 / to_seconds(runs.front().simulated) : 0)};
  std::erase(result.warnings, hardly_known);
  if (is_hardly_known(result)) result.warnings.emplace_back(hardly_known);
  return result;
}

}  // namespace doorbell::model
