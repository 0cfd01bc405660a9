#include "cli/sensitivity_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;
using Effect = Sensitivity::Effect;

constexpr std::array<std::pair<std::string_view, Metric>, 4> metrics{
    {{"throughput", Metric::throughput}, {"mean", Metric::mean}, {"p50", Metric::p50}, {"p99", Metric::p99}}};

/// Of the measured rate, bytes where blocks are moved; of latency, nanoseconds.
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

std::string value_text(double value, const Sensitivity& sensitivity) {
  if (sensitivity.metric != Metric::throughput) return time_text(Time{std::llround(value * 1000)});
  if (sensitivity.baseline.bandwidth > Bandwidth{}) return number_text(value / (1024 * 1024), 4) + " MiB/s";
  return rate_text(Rate{value});
}

/// Half width of the 95 % interval as a share of the value; only rates have one.
double doubt_of_run(const model::RunResult& result, Metric metric) {
  if (metric != Metric::throughput || result.throughput.per_second <= 0) return 0;
  return result.throughput_ci95.per_second / result.throughput.per_second;
}

/// The metric over that of the baseline.
double ratio(const model::RunResult& result, const Sensitivity& all) {
  return value_of(result, all.metric) / value_of(all.baseline, all.metric);
}

double change(const std::optional<model::RunResult>& result, const Sensitivity& all) {
  return result ? ratio(*result, all) - 1 : 0;
}

/// Whether the metric moves by a percent, and by more than chance would move it.
bool matters(const std::optional<model::RunResult>& result, const Sensitivity& all) {
  constexpr double worth_telling = 0.01;
  const double size = std::abs(change(result, all));
  return result && size >= worth_telling &&
         size > doubt_of_run(*result, all.metric) + doubt_of_run(all.baseline, all.metric);
}

double largest_change(const Effect& effect, const Sensitivity& all) {
  return std::max(std::abs(change(effect.low, all)), std::abs(change(effect.high, all)));
}

struct Range {
  double low = 1;
  double high = 1;
};

/// The extremes when one doubt at a time comes true.
Range one_at_a_time(const Sensitivity& all) {
  Range range;
  for (const Effect& effect : all.effects) {
    for (const auto& result : {effect.low, effect.high}) {
      if (!result) continue;
      range.low = std::min(range.low, ratio(*result, all));
      range.high = std::max(range.high, ratio(*result, all));
    }
  }
  return range;
}

/// Independent doubts together: their effects, as logarithms, add up as random errors do.
Range together(const Sensitivity& all) {
  double down = 0;
  double up = 0;
  for (const Effect& effect : all.effects) {
    Range own;
    for (const auto& result : {effect.low, effect.high}) {
      if (!result) continue;
      own.low = std::min(own.low, ratio(*result, all));
      own.high = std::max(own.high, ratio(*result, all));
    }
    down += std::pow(std::log(own.low), 2);
    up += std::pow(std::log(own.high), 2);
  }
  return {std::exp(-std::sqrt(down)), std::exp(std::sqrt(up))};
}

/// A change in percent; what rounds to nothing has no sign of its own.
double percent(double ratio) { return std::round((ratio - 1) * 1000) / 10 + 0.0; }

std::string range_text(const Range& range, const Sensitivity& all) {
  const double base = value_of(all.baseline, all.metric);
  return fmt::format("{} to {} ({:+.1f} to {:+.1f} %)", value_text(range.low * base, all),
                     value_text(range.high * base, all), percent(range.low), percent(range.high));
}

std::string change_text(const std::optional<model::RunResult>& result, const Sensitivity& all) {
  return result ? fmt::format("{:+6.1f} %", percent(ratio(*result, all))) : "       -";
}

/// What limits when the doubt comes true, if that is something else than before.
std::string other_limits(const Effect& effect, const Sensitivity& all) {
  std::string text;
  for (const auto& [name, result] : {std::pair{"less", &effect.low}, std::pair{"more", &effect.high}}) {
    if (!*result || (*result)->bottleneck.resource == all.baseline.bottleneck.resource) continue;
    text += (text.empty() ? "" : "; ") + std::string{name} + ": " + (*result)->bottleneck.resource;
  }
  return text;
}

std::string effects_table(const std::vector<const Effect*>& shown, const Sensitivity& all) {
  constexpr std::size_t longest_name = 32;
  constexpr std::size_t longest_value = 12;
  std::vector<std::string> pointers;
  pointers.reserve(shown.size());
  for (const Effect* effect : shown) pointers.push_back(effect->doubt.pointers.front());
  const std::vector<std::string> names = short_names(pointers, 2);
  std::vector<std::vector<std::string>> rows{
      {"parameter", "value", fmt::format("{:>8}", fmt::format("/ {:g}", all.factor)),
       fmt::format("{:>8}", fmt::format("x {:g}", all.factor)), "what limits then"}};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Effect& effect = *shown[i];
    rows.push_back({shortened(names[i], longest_name), shortened(effect.doubt.parameter.value, longest_value),
                    change_text(effect.low, all), change_text(effect.high, all), other_limits(effect, all)});
  }
  return table(rows);
}

std::string baseline_line(const Sensitivity& all) {
  const double base = value_of(all.baseline, all.metric);
  const double interval = doubt_of_run(all.baseline, all.metric) * base;
  return fmt::format("{:<12} {}{}, limited by {}", all.metric == Metric::throughput ? "Throughput" : "Latency",
                     value_text(base, all), interval > 0 ? " +/- " + value_text(interval, all) : "",
                     all.baseline.bottleneck.resource);
}

/// How often what limits stays the same.
std::string limits_sentence(const Sensitivity& all) {
  const std::string& usual = all.baseline.bottleneck.resource;
  std::size_t runs = 0;
  std::map<std::string, std::size_t> others;
  for (const Effect& effect : all.effects) {
    for (const auto& result : {effect.low, effect.high}) {
      if (!result) continue;
      ++runs;
      if (result->bottleneck.resource != usual) ++others[result->bottleneck.resource];
    }
  }
  if (others.empty()) return fmt::format("In all {} runs {} limits.", runs, usual);
  std::vector<std::pair<std::string, std::size_t>> ordered(others.begin(), others.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::size_t same = runs;
  std::string list;
  for (const auto& [resource, count] : ordered) {
    same -= count;
    list += fmt::format("{}{} in {}", list.empty() ? "" : ", ", resource, count);
  }
  return fmt::format("In {} of {} runs {} limits; {}.", same, runs, usual, list);
}

Json run_json(const model::RunResult& result) {
  return {{"throughput_mops", result.throughput.millions()},
          {"throughput_ci95_mops", result.throughput_ci95.millions()},
          {"bandwidth_bytes_per_second", result.bandwidth.bytes_per_second},
          {"latency_ns",
           {{"mean", to_nanoseconds(result.latency.mean)},
            {"p50", to_nanoseconds(result.latency.p50)},
            {"p99", to_nanoseconds(result.latency.p99)}}},
          {"bottleneck", result.bottleneck.resource}};
}

Json side_json(const std::optional<std::string>& value, const std::optional<model::RunResult>& result) {
  if (!result) return nullptr;
  Json side{{"value", *value}};
  side.update(run_json(*result));
  return side;
}

}  // namespace

std::optional<Metric> metric_named(std::string_view name) {
  for (const auto& [known, metric] : metrics) {
    if (known == name) return metric;
  }
  return {};
}

std::string sensitivity_text(const Sensitivity& all) {
  std::string text = wrapped(all.title, 0);
  for (const auto& [path, value] : all.coordinates) text += wrapped(fmt::format("{} = {}", path, value), 2);
  text += "\n" + wrapped(baseline_line(all), 2);
  text +=
      wrapped(fmt::format("Varied       {} parameter{} ({}), each divided and multiplied by {:g}", all.effects.size(),
                          all.effects.size() == 1 ? "" : "s", fmt::join(all.provenances, ", "), all.factor),
              2);
  std::vector<const Effect*> shown;
  for (const Effect& effect : all.effects) {
    if (matters(effect.low, all) || matters(effect.high, all)) shown.push_back(&effect);
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const Effect* a, const Effect* b) { return largest_change(*a, all) > largest_change(*b, all); });
  if (shown.empty()) {
    text += "\nNone of them moves it by a percent and by more than chance.\n";
  } else {
    text += "\n" + effects_table(shown, all);
    const std::size_t rest = all.effects.size() - shown.size();
    if (rest > 0) text += fmt::format("and {} that do not move it by a percent and by more than chance\n", rest);
  }
  text += "\n" + wrapped("If one of them is off: " + range_text(one_at_a_time(all), all) + ".", 2);
  text += wrapped("If all are, independently: " + range_text(together(all), all) + ".", 2);
  text += wrapped(limits_sentence(all), 2);
  if (shown.empty()) return text;
  const scenario::Parameter& first = shown.front()->doubt.parameter;
  return text + wrapped(fmt::format("Most depends on {}: {}", first.pointer, first.meaning), 2);
}

std::string sensitivity_json(const Sensitivity& all) {
  const double base = value_of(all.baseline, all.metric);
  Json coordinates = Json::object();
  for (const auto& [path, value] : all.coordinates) coordinates[path] = value;
  Json parameters = Json::array();
  for (const Effect& effect : all.effects) {
    const scenario::Parameter& parameter = effect.doubt.parameter;
    parameters.push_back({{"pointers", effect.doubt.pointers},
                          {"value", parameter.value},
                          {"provenance", parameter.provenance},
                          {"source", parameter.source},
                          {"meaning", parameter.meaning},
                          {"low", side_json(effect.doubt.low, effect.low)},
                          {"high", side_json(effect.doubt.high, effect.high)}});
  }
  const auto name = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.second == all.metric; });
  const Range single = one_at_a_time(all);
  const Range joint = together(all);
  const Json document{{"doorbell", DOORBELL_VERSION},
                      {"scenario", {{"title", all.title}, {"hash", all.hash}}},
                      {"seed", all.seed},
                      {"coordinates", std::move(coordinates)},
                      {"provenances", all.provenances},
                      {"factor", all.factor},
                      {"metric", name->first},
                      {"baseline", run_json(all.baseline)},
                      {"lowest", single.low * base},
                      {"highest", single.high * base},
                      {"together", {{"low", joint.low * base}, {"high", joint.high * base}}},
                      {"parameters", std::move(parameters)}};
  return document.dump(2) + "\n";
}

}  // namespace doorbell::cli
