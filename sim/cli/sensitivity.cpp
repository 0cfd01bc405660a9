// doorbell sensitivity: how far a result moves when what its profiles assume is wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/output.hpp"
#include "cli/run_points.hpp"
#include "cli/sensitivity_report.hpp"
#include "cli/session.hpp"

namespace doorbell::cli {
namespace {

const std::vector<std::string> known_provenances{"assumed", "fitted",   "stated",  "datasheet",
                                                 "default", "scenario", "override"};

struct SensitivityChoices {
  std::size_t point = 0;
  double factor = 2;
  std::vector<std::string> provenances{"assumed"};
  std::string metric = "throughput";
  unsigned jobs = 0;
  std::string format = "text";
  std::optional<std::filesystem::path> out;
};

/// The point with one doubt come true; none when the scenario does not allow the value.
std::optional<scenario::Point> altered(const LoadArguments& arguments, const SensitivityChoices& choices,
                                       const scenario::Doubt& doubt, const std::optional<std::string>& value) {
  if (!value) return {};
  scenario::LoadOptions options = arguments.options;
  for (const std::string& pointer : doubt.pointers) options.sets.push_back(pointer + "=" + *value);
  try {
    return std::move(scenario::load_file(arguments.file, options).points.at(choices.point));
  } catch (const scenario::ScenarioError&) {
    return {};
  }
}

/// The provenances that have something to vary.
std::vector<std::string> usable(const std::vector<scenario::Parameter>& parameters) {
  std::vector<std::string> found;
  for (const std::string& provenance : known_provenances) {
    if (!scenario::doubts(parameters, {provenance}, 2).empty()) found.push_back(provenance);
  }
  return found;
}

/// Whether there is a value of the metric at all.
bool has_metric(const model::RunResult& result, Metric metric) {
  return metric == Metric::throughput ? result.throughput.per_second > 0 : result.latency.samples > 0;
}

Sensitivity examine(const LoadArguments& arguments, const SensitivityChoices& choices) {
  if (!(choices.factor > 1 && choices.factor <= 1000))
    throw UsageError{fmt::format("--factor: expected a number above 1, up to 1000, found {:g}", choices.factor)};
  scenario::ScenarioFile loaded = scenario::load_file(arguments.file, arguments.options);
  if (choices.point >= loaded.points.size())
    throw UsageError{fmt::format("--point {}: the scenario has {}", choices.point, loaded.points.size())};
  const std::vector<scenario::Parameter> parameters =
      scenario::explain(arguments.file, arguments.options, choices.point);
  const std::vector<scenario::Doubt> doubts = scenario::doubts(parameters, choices.provenances, choices.factor);
  if (doubts.empty()) {
    throw UsageError{fmt::format("--provenance {}: expected one of which the scenario has numbers: {}",
                                 fmt::join(choices.provenances, ","), fmt::join(usable(parameters), ", "))};
  }

  Sensitivity all;
  all.title = loaded.title;
  all.hash = loaded.hash;
  all.provenances = choices.provenances;
  all.factor = choices.factor;
  all.metric = *metric_named(choices.metric);
  all.coordinates = loaded.points[choices.point].coordinates;
  loaded.points = {std::move(loaded.points[choices.point])};
  std::vector<std::optional<model::RunResult>*> places;
  all.effects.reserve(doubts.size());
  for (const scenario::Doubt& doubt : doubts) {
    all.effects.push_back({doubt, {}, {}});
    Sensitivity::Effect& effect = all.effects.back();
    for (const auto& [value, place] : {std::pair{&doubt.low, &effect.low}, std::pair{&doubt.high, &effect.high}}) {
      auto point = altered(arguments, choices, doubt, *value);
      if (!point) continue;
      loaded.points.push_back(*std::move(point));
      places.push_back(place);
    }
  }
  Report report = run_points(arguments.file, std::move(loaded), choices.jobs);
  all.seed = report.seed;
  all.baseline = std::move(report.results.front());
  if (!has_metric(all.baseline, all.metric)) {
    throw UsageError{fmt::format(
        "--metric {}: the scenario {}", choices.metric,
        all.metric == Metric::throughput ? "completes nothing while it is measured" : "measures no latency")};
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    model::RunResult& result = report.results[i + 1];
    if (all.metric == Metric::throughput || has_metric(result, all.metric)) *places[i] = std::move(result);
  }
  return all;
}

}  // namespace

void add_sensitivity(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand(
      "sensitivity", "Tell how far a result moves when what its profiles assume is off, and which assumption counts");
  const auto arguments = add_load_arguments(*command);
  const auto choices = std::make_shared<SensitivityChoices>();
  command->add_option("--point", choices->point, "Which point of a sweep, from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--factor", choices->factor, "Each parameter is divided and multiplied by it; 2 by default");
  command
      ->add_option(
          "--provenance", choices->provenances,
          "Which parameters, by where they come from; several with commas; assumed by default. \"scenario\" are "
          "your own numbers")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(known_provenances));
  command->add_option("--metric", choices->metric, "throughput, or the mean, p50 or p99 of latency")
      ->check(CLI::IsMember({"throughput", "mean", "p50", "p99"}));
  command->add_option("--jobs,-j", choices->jobs, "Runs at a time; as many as there are cores by default")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--format", choices->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->add_option("--out,-o", choices->out, "File to write instead of standard output");
  command->callback([arguments, choices] {
    Output output{choices->out};
    const Sensitivity all = examine(*arguments, *choices);
    output.write(choices->format == "json" ? sensitivity_json(all) : sensitivity_text(all));
  });
}

}  // namespace doorbell::cli
