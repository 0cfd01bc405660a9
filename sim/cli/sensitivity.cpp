// doorbell sensitivity: how far a result moves when what its profiles assume is wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/numbers.hpp"
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
  std::vector<std::string> with;
  std::optional<std::string> against;
  unsigned jobs = 0;
  std::string format = "text";
  std::optional<std::filesystem::path> out;
};

/// What is run for one value of one parameter: the design in question, and the other one where there is one.
struct Runs {
  scenario::Point point;
  std::optional<scenario::Point> other;
};

/// Paths and values.
using Coordinates = std::vector<std::pair<std::string, std::string>>;

/// One way to build it: a point of a scenario, and its parameters.
class Design {
 public:
  /// Throws ScenarioError; what is wrong with an option of index `own` or later is said of --with.
  Design(std::string file, scenario::LoadOptions options, std::size_t own)
      : file_{std::move(file)}, options_{std::move(options)}, own_{own} {
    static_cast<void>(with({}));
    parameters_ = scenario::explain(file_, options_);
  }

  [[nodiscard]] const std::vector<scenario::Parameter>& parameters() const { return parameters_; }

  /// With other values, of which those count that the design has and uses.
  [[nodiscard]] scenario::Point with(Coordinates values) const {
    for (;;) {
      scenario::LoadOptions options = options_;
      for (const auto& [path, value] : values) {
        if (find(path) != nullptr) options.sets.push_back(fmt::format("{}={}", path, value));
      }
      try {
        return std::move(scenario::load(file_, options).front());
      } catch (const scenario::ScenarioError& error) {
        const bool idle = error.code() == scenario::ErrorCode::without_effect;
        if (idle && std::erase_if(values, [&](const auto& one) { return one.first == error.pointer(); }) > 0) continue;
        scenario::Complaint complaint = error.complaint();
        const int before = static_cast<int>(own_);
        if (error.file() != "--set" || error.line() <= before) throw;
        complaint.at.file = std::make_shared<const std::string>("--with");
        complaint.at.line -= before;
        throw scenario::ScenarioError{complaint};
      }
    }
  }

  /// The parameter at `pointer`, or null.
  [[nodiscard]] const scenario::Parameter* find(const std::string& pointer) const {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const scenario::Parameter& one) { return one.pointer == pointer; });
    return found == parameters_.end() ? nullptr : &*found;
  }

 private:
  std::string file_;
  scenario::LoadOptions options_;
  std::size_t own_;
  std::vector<scenario::Parameter> parameters_;
};

class Examination {
 public:
  /// `coordinates` are those of the chosen point.
  Examination(const LoadArguments& arguments, const SensitivityChoices& choices, const Coordinates& coordinates)
      : coordinates_{coordinates}, design_{design(arguments.file, arguments.options, {})} {
    if (choices.with.empty() && !choices.against) return;
    other_ = design(choices.against.value_or(arguments.file), arguments.options, choices.with);
  }

  [[nodiscard]] Runs runs(const Coordinates& values) const {
    Runs runs{design_.with(values), {}};
    if (other_) runs.other = other_->with(values);
    return runs;
  }

  /// With one doubt come true; none when the scenario does not allow the value.
  [[nodiscard]] std::optional<Runs> altered(const scenario::Doubt& doubt,
                                            const std::optional<std::string>& value) const {
    if (!value) return {};
    Coordinates values;
    values.reserve(doubt.pointers.size());
    for (const std::string& pointer : doubt.pointers) values.emplace_back(pointer, *value);
    try {
      return runs(values);
    } catch (const scenario::ScenarioError&) {
      return {};
    }
  }

  /// Of both designs, but for what is swept and what they differ in.
  [[nodiscard]] std::vector<scenario::Parameter> parameters() const {
    std::vector<scenario::Parameter> all;
    const auto add = [&](const Design& own, const Design* other, bool shared) {
      for (const scenario::Parameter& parameter : own.parameters()) {
        const scenario::Parameter* there = other != nullptr ? other->find(parameter.pointer) : nullptr;
        const bool wanted = there == nullptr || (shared && there->value == parameter.value);
        if (wanted && !is_swept(parameter.pointer)) all.push_back(parameter);
      }
    };
    add(design_, other_ ? &*other_ : nullptr, true);
    if (other_) add(*other_, &design_, false);
    return all;
  }

 private:
  [[nodiscard]] bool is_swept(const std::string& pointer) const {
    return std::any_of(coordinates_.begin(), coordinates_.end(), [&](const auto& one) { return one.first == pointer; });
  }

  /// The point without its sweep, one of whose axes might vanish when the other design sets it.
  [[nodiscard]] Design design(const std::string& file, scenario::LoadOptions options,
                              const std::vector<std::string>& with) const {
    options.sets.emplace_back("sweep=[]");
    const Design unswept{file, options, options.sets.size()};
    for (const auto& [path, value] : coordinates_) {
      if (unswept.find(path) != nullptr) options.sets.push_back(fmt::format("{}={}", path, value));
    }
    const std::size_t own = options.sets.size();
    options.sets.insert(options.sets.end(), with.begin(), with.end());
    return Design{file, std::move(options), own};
  }

  Coordinates coordinates_;
  Design design_;
  std::optional<Design> other_;
};

/// The provenances that have something to vary.
std::vector<std::string> usable(const std::vector<scenario::Parameter>& parameters) {
  std::vector<std::string> found;
  for (const std::string& provenance : known_provenances) {
    if (!scenario::doubts(parameters, {provenance}, 2).empty()) found.push_back(provenance);
  }
  return found;
}

std::vector<scenario::Doubt> doubts_of(const Examination& examination, const SensitivityChoices& choices) {
  const std::vector<scenario::Parameter> parameters = examination.parameters();
  std::vector<scenario::Doubt> doubts = scenario::doubts(parameters, choices.provenances, choices.factor);
  if (doubts.empty()) {
    throw UsageError{scenario::ErrorCode::not_there,
                     fmt::format("--provenance {}: expected one of which the scenario has numbers: {}",
                                 fmt::join(choices.provenances, ","), fmt::join(usable(parameters), ", "))};
  }
  return doubts;
}

bool same_kind(const model::Scenario& one, const model::Scenario& other) {
  return one.instead.index() == other.instead.index();
}

/// Bytes are no multiple of operations.
void require_same_unit(const Sensitivity::Outcome& baseline, const SensitivityChoices& choices) {
  const auto unit = [](const model::RunResult& run) {
    return std::string{run.bandwidth > Bandwidth{} ? "bytes" : "operations"};
  };
  if (choices.metric != "throughput" || !baseline.other || unit(baseline.run) == unit(*baseline.other)) return;
  throw UsageError{
      scenario::ErrorCode::other_kind,
      fmt::format("{}: expected a design whose rate is one of {}, as that of the scenario, found one of {}",
                  choices.against ? "--against " + *choices.against : "--with " + choices.with.front(),
                  unit(baseline.run), unit(*baseline.other))};
}

/// Whether there is something to compare.
bool has_metric(const Sensitivity::Outcome& outcome, Metric metric) {
  const auto has = [&](const model::RunResult& run) {
    return metric == Metric::throughput ? run.throughput.per_second > 0 : run.latency.samples > 0;
  };
  return has(outcome.run) && (!outcome.other || has(*outcome.other));
}

/// Everything to run, in the order in which take_results() wants it; makes room in `all` for what comes of it.
std::vector<Runs> plan_runs(const Examination& examination, const SensitivityChoices& choices, Sensitivity& all) {
  std::vector<Runs> planned{examination.runs({})};
  const Runs baseline = planned.front();
  if (baseline.other && !same_kind(baseline.point.scenario, baseline.other->scenario))
    throw UsageError{scenario::ErrorCode::other_kind,
                     fmt::format("--against {}: expected a scenario of the same kind", *choices.against)};
  const std::uint64_t more_seeds = all.metric == Metric::throughput ? 0 : 4;  // a rate has its own interval
  for (std::uint64_t more = 1; more <= more_seeds; ++more) {
    Runs& again = planned.emplace_back(baseline);
    again.point.scenario.seed += more;
    if (again.other) again.other->scenario.seed += more;
  }
  all.again.resize(more_seeds);
  for (const scenario::Doubt& doubt : doubts_of(examination, choices)) {
    all.effects.push_back({doubt, {}, {}});
    Sensitivity::Effect& effect = all.effects.back();
    for (const auto& [value, outcome] : {std::pair{&doubt.low, &effect.low}, std::pair{&doubt.high, &effect.high}}) {
      std::optional<Runs> runs = examination.altered(doubt, *value);
      if (!runs) continue;
      planned.push_back(*std::move(runs));
      outcome->emplace();
    }
  }
  return planned;
}

void take_results(std::vector<model::RunResult> results, const SensitivityChoices& choices, Sensitivity& all) {
  auto next = results.begin();
  const auto take = [&](Sensitivity::Outcome& outcome) {
    outcome.run = std::move(*next++);
    if (!all.with.empty()) outcome.other = std::move(*next++);
  };
  take(all.baseline);
  for (Sensitivity::Outcome& outcome : all.again) take(outcome);
  if (!has_metric(all.baseline, all.metric)) {
    throw UsageError{scenario::ErrorCode::other_kind,
                     fmt::format("--metric {}: the scenario {}", choices.metric,
                                 all.metric == Metric::throughput ? "completes nothing while it is measured"
                                                                  : "measures no latency")};
  }
  require_same_unit(all.baseline, choices);
  for (Sensitivity::Effect& effect : all.effects) {
    for (std::optional<Sensitivity::Outcome>* outcome : {&effect.low, &effect.high}) {
      if (!*outcome) continue;
      take(**outcome);
      // A rate of nothing can be compared, unless with another.
      const bool comparable = all.metric == Metric::throughput && all.with.empty();
      if (!comparable && !has_metric(**outcome, all.metric)) outcome->reset();
    }
  }
}

Sensitivity examine(const LoadArguments& arguments, const SensitivityChoices& choices) {
  if (!(choices.factor > 1 && choices.factor <= 1000))
    throw UsageError{scenario::ErrorCode::option_value,
                     fmt::format("--factor: expected a number above 1, up to 1000, found {:g}", choices.factor)};
  scenario::ScenarioFile loaded = scenario::load_file(arguments.file, arguments.options);

  Sensitivity all;
  all.title = loaded.title;
  all.hash = loaded.hash;
  all.provenances = choices.provenances;
  all.factor = choices.factor;
  all.metric = *metric_named(choices.metric);
  all.with = choices.with;
  if (choices.against) all.with.insert(all.with.begin(), *choices.against);
  all.coordinates = chosen_point(std::move(loaded.points), choices.point).coordinates;
  loaded.points.clear();
  for (Runs& runs : plan_runs(Examination{arguments, choices, all.coordinates}, choices, all)) {
    loaded.points.push_back(std::move(runs.point));
    if (runs.other) loaded.points.push_back(*std::move(runs.other));
  }
  all.seed = loaded.points.front().scenario.seed;
  take_results(run_points(arguments.file, std::move(loaded), choices.jobs).results, choices, all);
  return all;
}

}  // namespace

void add_sensitivity(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand(
      "sensitivity", "Tell how far a result moves when what its profiles assume is off, and which assumption counts");
  const auto arguments = add_load_arguments(*command);
  const auto choices = std::make_shared<SensitivityChoices>();
  command->add_option("--point", choices->point, "Which point of a sweep, from 0")->check(whole_number(0, last_point));
  command->add_option("--factor", choices->factor, "Each parameter is divided and multiplied by it; 2 by default");
  command
      ->add_option(
          "--provenance", choices->provenances,
          "Which parameters, by where they come from; several with commas; assumed by default. \"scenario\" are "
          "your own numbers")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(known_provenances));
  command
      ->add_option("--with", choices->with,
                   "Compare with the same scenario where this is set: is the other design better whatever is off?")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--against", choices->against,
                      "Compare with another scenario file, at the same values of what is swept");
  command->add_option("--metric", choices->metric, "throughput, or the mean, p50 or p99 of latency")
      ->check(CLI::IsMember({"throughput", "mean", "p50", "p99"}));
  command->add_option("--jobs,-j", choices->jobs, "Runs at a time; 0: as many as there are cores")
      ->check(whole_number(0, most_jobs));
  command->add_option("--format", choices->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->add_option("--out,-o", choices->out, "File to write instead of standard output");
  command->callback([arguments, choices] {
    Output output{choices->out};
    const Sensitivity all = examine(*arguments, *choices);
    output.write(choices->format == "json" ? sensitivity_json(all) : sensitivity_text(all, output.layout()));
  });
}

}  // namespace doorbell::cli
