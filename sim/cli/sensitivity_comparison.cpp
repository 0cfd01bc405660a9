#include "cli/sensitivity_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/confidence.hpp"

namespace doorbell::cli {
namespace {

using Effect = Sensitivity::Effect;
using Outcome = Sensitivity::Outcome;

constexpr std::array<std::pair<std::string_view, Metric>, 4> metrics{
    {{"throughput", Metric::throughput}, {"mean", Metric::mean}, {"p50", Metric::p50}, {"p99", Metric::p99}}};

/// Half width of the 95 % interval of one run among these, as a share of their mean.
double spread_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const core::ConfidenceInterval interval = core::confidence_interval(values);
  return interval.mean > 0 ? interval.half_width * std::sqrt(static_cast<double>(values.size())) / interval.mean : 0;
}

/// The same of a latency of one design, from the seeds with which the baseline has been run.
double spread_of(const Sensitivity& all, bool of_other) {
  std::vector<double> values;
  const auto add = [&](const Outcome& outcome) {
    values.push_back(value_of(of_other ? *outcome.other : outcome.run, all.metric));
  };
  add(all.baseline);
  for (const Outcome& outcome : all.again) add(outcome);
  return spread_of(values);
}

double change(const std::optional<Outcome>& outcome, const Sensitivity& all) {
  return outcome ? ratio(*outcome, all) - 1 : 0;
}

/// The extremes that one doubt leads to, without those of chance: of many doubts, chance would always move one far.
Range range_of(const Effect& effect, const Sensitivity& all) {
  Range range;
  for (const auto& result : {effect.low, effect.high}) {
    if (!result || is_chance(*result, all)) continue;
    range.widen({ratio(*result, all), ratio(*result, all)});
  }
  return range;
}

}  // namespace

std::string_view name_of(Metric metric) {
  return std::find_if(metrics.begin(), metrics.end(), [&](const auto& known) { return known.second == metric; })->first;
}

std::optional<Metric> metric_named(std::string_view name) {
  for (const auto& [known, metric] : metrics) {
    if (known == name) return metric;
  }
  return {};
}

double value_of(const model::RunResult& result, Metric metric) {
  switch (metric) {
    case Metric::throughput:
      return result.bandwidth > Bandwidth{} ? result.bandwidth.bytes_per_second : result.throughput.per_second;
    case Metric::mean: return to_nanoseconds(result.latency.mean);
    case Metric::p50: return to_nanoseconds(result.latency.p50);
    case Metric::p99: return to_nanoseconds(result.latency.p99);
  }
  return 0;
}

double value_of(const Outcome& outcome, Metric metric) {
  const double value = value_of(outcome.run, metric);
  return outcome.other ? value_of(*outcome.other, metric) / value : value;
}

double doubt_of_run(const model::RunResult& result, const Sensitivity& all, bool of_other) {
  if (all.metric != Metric::throughput) return spread_of(all, of_other);
  return result.throughput.per_second > 0 ? result.throughput_ci95.per_second / result.throughput.per_second : 0;
}

double doubt_of_run(const Outcome& outcome, const Sensitivity& all) {
  return doubt_of_run(outcome.run, all) + (outcome.other ? doubt_of_run(*outcome.other, all, true) : 0);
}

double ratio(const Outcome& outcome, const Sensitivity& all) {
  return value_of(outcome, all.metric) / value_of(all.baseline, all.metric);
}

bool is_chance(const Outcome& outcome, const Sensitivity& all) {
  return std::abs(ratio(outcome, all) - 1) <= doubt_of_run(outcome, all) + doubt_of_run(all.baseline, all);
}

bool matters(const std::optional<Outcome>& outcome, const Sensitivity& all) {
  return outcome && std::abs(change(outcome, all)) >= notable_change && !is_chance(*outcome, all);
}

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names{"better", "no better", "worse"};
  return names[static_cast<std::size_t>(verdict)];
}

Verdict verdict_of(const Outcome& outcome, const Sensitivity& all) {
  const double more = value_of(outcome, all.metric) - 1;
  if (std::abs(more) < std::max(notable_change, doubt_of_run(outcome, all))) return Verdict::no_better;
  return (more > 0) == (all.metric == Metric::throughput) ? Verdict::better : Verdict::worse;
}

bool is_doubtful(const std::optional<Outcome>& outcome, const Sensitivity& all) {
  return outcome && std::abs(change(outcome, all)) >= notable_change && is_chance(*outcome, all);
}

double largest_change(const Effect& effect, const Sensitivity& all) {
  return std::max(std::abs(change(effect.low, all)), std::abs(change(effect.high, all)));
}

Range one_at_a_time(const Sensitivity& all) {
  Range range;
  for (const Effect& effect : all.effects) range.widen(range_of(effect, all));
  return range;
}

Range together(const Sensitivity& all) {
  double down = 0;
  double up = 0;
  for (const Effect& effect : all.effects) {
    const Range own = range_of(effect, all);
    down += std::pow(std::log(own.low), 2);
    up += std::pow(std::log(own.high), 2);
  }
  return {std::exp(-std::sqrt(down)), std::exp(std::sqrt(up))};
}

}  // namespace doorbell::cli
