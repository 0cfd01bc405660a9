#include "cli/sensitivity_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/result_json.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;
using Effect = Sensitivity::Effect;
using Outcome = Sensitivity::Outcome;

/// A value of one design.
std::string metric_text(double value, const Sensitivity& all) {
  if (all.metric != Metric::throughput) return time_text(Time{std::llround(value * 1000)});
  if (all.baseline.run.bandwidth > Bandwidth{}) return number_text(value / (1024 * 1024), 4) + " MiB/s";
  return rate_text(Rate{value});
}

std::string value_text(double value, const Sensitivity& all) {
  if (all.with.empty()) return metric_text(value, all);
  return (value < 0.1 ? number_text(value, 2) : fmt::format("{:.2f}", value)) + " times";
}

/// A change in percent; what rounds to nothing has no sign of its own.
double percent(double ratio) { return std::round((ratio - 1) * 1000) / 10 + 0.0; }

std::string range_text(const Range& range, const Sensitivity& all) {
  const double base = value_of(all.baseline, all.metric);
  return fmt::format("{} to {} ({:+.1f} to {:+.1f} %)", value_text(range.low * base, all),
                     value_text(range.high * base, all), percent(range.low), percent(range.high));
}

std::string change_text(const std::optional<Outcome>& outcome, const Sensitivity& all) {
  if (!outcome) return "       -";
  return fmt::format("{:+6.1f} %{}", percent(ratio(*outcome, all)), is_doubtful(outcome, all) ? "?" : "");
}

/// What else is otherwise when the doubt comes true: what limits, or of two designs which is better.
std::string turns(const Effect& effect, const Sensitivity& all) {
  std::string text;
  for (const auto& [name, outcome] : {std::pair{"less", &effect.low}, std::pair{"more", &effect.high}}) {
    if (!*outcome) continue;
    const std::string& limit = (*outcome)->run.bottleneck.resource;
    const Verdict verdict = verdict_of(**outcome, all);
    const bool turned =
        all.with.empty() ? limit != all.baseline.run.bottleneck.resource : verdict != verdict_of(all.baseline, all);
    if (!turned) continue;
    text += (text.empty() ? "" : "; ") + std::string{name} + ": ";
    text += all.with.empty() ? limit : name_of(verdict);
  }
  return text;
}

/// What has no room in the last column stands below its row.
std::string with_turns_below(std::vector<std::vector<std::string>> rows, Layout layout) {
  std::vector<std::string> below;
  for (auto& row : rows) {
    below.push_back(std::move(row.back()));
    row.pop_back();
  }
  if (std::all_of(below.begin() + 1, below.end(), [](const std::string& turn) { return turn.empty(); })) below[0] = "";
  const std::vector<std::string> lines = lines_of_rows(rows, layout);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += lines[i] + (below[i].empty() ? "" : wrapped("  " + below[i], 4, layout));
  return text;
}

/// "(2)" where a half of 3 is meant: a value that had to be rounded.
std::string rounded_to(const std::optional<std::string>& altered, const std::string& value, double factor) {
  const auto number = [](const std::string& text) {
    double found = 0;
    std::from_chars(text.data(), text.data() + text.size(), found);
    return found;
  };
  if (!altered) return {};
  constexpr double rounding = 1e-6;
  const double exact = number(value) * factor;
  return std::abs(number(*altered) - exact) > rounding * exact ? fmt::format("({})", *altered) : "";
}

std::string effects_table(const std::vector<const Effect*>& shown, const Sensitivity& all, Layout layout) {
  constexpr std::size_t longest_name = 32;
  constexpr std::size_t longest_value = 12;
  std::vector<std::string> pointers;
  pointers.reserve(shown.size());
  for (const Effect* effect : shown) pointers.push_back(effect->doubt.pointers.front());
  const std::vector<std::string> names = short_names(pointers, 2);
  std::vector<std::vector<std::string>> rows{
      {"parameter", "value", fmt::format("{:>8}", fmt::format("/ {:g}", all.factor)),
       fmt::format("{:>8}", fmt::format("x {:g}", all.factor)), all.with.empty() ? "what limits then" : "and then"}};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Effect& effect = *shown[i];
    const scenario::Doubt& doubt = effect.doubt;
    rows.push_back({shortened(names[i], longest_name), shortened(doubt.parameter.value, longest_value),
                    rounded_to(doubt.low, doubt.parameter.value, 1 / all.factor) + change_text(effect.low, all),
                    rounded_to(doubt.high, doubt.parameter.value, all.factor) + change_text(effect.high, all),
                    turns(effect, all)});
  }
  return table_fits(rows, layout) ? table(rows, layout) : with_turns_below(std::move(rows), layout);
}

/// What was measured without any doubt: a line for each design.
std::string baseline_lines(const Sensitivity& all, Layout layout) {
  const auto line = [&](const std::string& name, const model::RunResult& run, bool is_other) {
    const double value = value_of(run, all.metric);
    const double interval = doubt_of_run(run, all, is_other) * value;
    return fmt::format("{:<12} {}{}, limited by {}", name, metric_text(value, all),
                       interval > 0 ? " +/- " + metric_text(interval, all) : "", run.bottleneck.resource);
  };
  std::string text =
      wrapped(line(all.metric == Metric::throughput ? "Throughput" : fmt::format("{} latency", name_of(all.metric)),
                   all.baseline.run, false),
              2, layout);
  if (!all.baseline.other) return text;
  return text + wrapped(fmt::format("With         {}", fmt::join(all.with, ", ")), 2, layout) +
         wrapped(line("", *all.baseline.other, true), 2, layout) +
         wrapped(fmt::format("{:<12} {}: {}", "", value_text(value_of(all.baseline, all.metric), all),
                             name_of(verdict_of(all.baseline, all))),
                 2, layout);
}

/// How often the other design is better.
std::string decision_sentence(const Sensitivity& all) {
  std::size_t runs = 0;
  std::array<std::size_t, 3> counts{};
  for (const Effect& effect : all.effects) {
    for (const auto& outcome : {effect.low, effect.high}) {
      if (!outcome) continue;
      ++runs;
      ++counts[static_cast<std::size_t>(verdict_of(*outcome, all))];
    }
  }
  std::string text = fmt::format("The other design is better in {} of {} runs", counts[0], runs);
  if (counts[1] > 0) text += fmt::format(", no better in {}", counts[1]);
  if (counts[2] > 0) text += fmt::format(", worse in {}", counts[2]);
  return text + ".";
}

/// How often what limits stays the same.
std::string limits_sentence(const Sensitivity& all) {
  const std::string& usual = all.baseline.run.bottleneck.resource;
  std::size_t runs = 0;
  std::map<std::string, std::size_t> others;
  for (const Effect& effect : all.effects) {
    for (const auto& outcome : {effect.low, effect.high}) {
      if (!outcome) continue;
      ++runs;
      const std::string& limit = outcome->run.bottleneck.resource;
      if (limit != usual) ++others[limit];
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

/// What the runs can tell.
std::string resolution(const Sensitivity& all) {
  const double chance = 2 * doubt_of_run(all.baseline, all);
  if (chance <= notable_change) return {};
  return fmt::format(" (changes below {:.2g} % could be chance; a longer duration would tell)", chance * 100);
}

Json run_json(const model::RunResult& result) {
  return {{"throughput_mops", result.throughput.millions()},
          {"throughput_ci95_mops", result.throughput_ci95.millions()},
          {"bandwidth_bytes_per_second", bandwidth_json(result)},
          {"latency_ns", latency_json(result.latency)},
          {"bottleneck", result.bottleneck.resource}};
}

Json outcome_json(const Outcome& outcome) {
  Json document = run_json(outcome.run);
  if (outcome.other) document["other"] = run_json(*outcome.other);
  return document;
}

Json side_json(const std::optional<std::string>& value, const std::optional<Outcome>& outcome, const Sensitivity& all) {
  if (!outcome) return nullptr;
  Json side{{"value", *value}};
  side.update(outcome_json(*outcome));
  side["chance"] = is_chance(*outcome, all);
  return side;
}

/// The parameters that are not in the table.
std::string rest_lines(std::size_t rest, const Sensitivity& all, Layout layout) {
  const auto untried = static_cast<std::size_t>(
      std::ranges::count_if(all.effects, [](const Effect& effect) { return !effect.low && !effect.high; }));
  std::string text;
  if (rest > untried) {
    text += wrapped(fmt::format("and {} that do not move it by a percent and by more than chance{}", rest - untried,
                                resolution(all)),
                    2, layout);
  }
  if (untried > 0) {
    text += wrapped(fmt::format("and {} of which the scenario takes no other value, or measures nothing then", untried),
                    2, layout);
  }
  return text;
}

}  // namespace

std::string sensitivity_text(const Sensitivity& all, Layout layout) {
  std::string text = wrapped(all.title, 0, layout);
  for (const auto& [path, value] : all.coordinates) text += wrapped(fmt::format("{} = {}", path, value), 2, layout);
  text += "\n" + baseline_lines(all, layout);
  text +=
      wrapped(fmt::format("Varied       {} parameter{} ({}), each divided and multiplied by {:g}", all.effects.size(),
                          all.effects.size() == 1 ? "" : "s", fmt::join(all.provenances, ", "), all.factor),
              2, layout);
  std::vector<const Effect*> shown;
  for (const Effect& effect : all.effects) {
    const bool decides = !all.with.empty() && !turns(effect, all).empty();
    if (decides || matters(effect.low, all) || matters(effect.high, all)) shown.push_back(&effect);
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const Effect* a, const Effect* b) { return largest_change(*a, all) > largest_change(*b, all); });
  if (shown.empty()) {
    text +=
        "\n" + wrapped("None of them moves it by a percent and by more than chance" + resolution(all) + ".", 0, layout);
  } else {
    text += "\n" + effects_table(shown, all, layout);
    const bool doubtful = std::any_of(shown.begin(), shown.end(), [&](const Effect* effect) {
      return is_doubtful(effect->low, all) || is_doubtful(effect->high, all);
    });
    if (doubtful) text += wrapped("?: could be chance, and is not in the ranges below", 2, layout);
    text += rest_lines(all.effects.size() - shown.size(), all, layout);
  }
  text += "\n" + wrapped("If one of them is off: " + range_text(one_at_a_time(all), all) + ".", 2, layout);
  text += wrapped("If all are, independently: " + range_text(together(all), all) + ".", 2, layout);
  text += wrapped(all.with.empty() ? limits_sentence(all) : decision_sentence(all), 2, layout);
  if (shown.empty()) return text;
  const scenario::Parameter& first = shown.front()->doubt.parameter;
  return text + wrapped(fmt::format("Most depends on {}: {}", first.pointer, first.meaning), 2, layout);
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
                          {"low", side_json(effect.doubt.low, effect.low, all)},
                          {"high", side_json(effect.doubt.high, effect.high, all)}});
  }
  const Range single = one_at_a_time(all);
  const Range joint = together(all);
  const Json document{{"doorbell", DOORBELL_VERSION},
                      {"scenario", {{"title", all.title}, {"hash", all.hash}}},
                      {"seed", all.seed},
                      {"coordinates", std::move(coordinates)},
                      {"provenances", all.provenances},
                      {"factor", all.factor},
                      {"metric", name_of(all.metric)},
                      {"with", all.with},
                      {"baseline", outcome_json(all.baseline)},
                      {"half_width95", doubt_of_run(all.baseline, all) * base},
                      {"lowest", single.low * base},
                      {"highest", single.high * base},
                      {"together", {{"low", joint.low * base}, {"high", joint.high * base}}},
                      {"parameters", std::move(parameters)}};
  return document.dump(2) + "\n";
}

}  // namespace doorbell::cli
