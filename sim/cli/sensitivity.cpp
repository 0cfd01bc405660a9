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

/// The parameter at `pointer`, or null.
const scenario::Parameter* find(const std::vector<scenario::Parameter>& parameters, const std::string& pointer) {
  const auto found = std::ranges::find(parameters, pointer, &scenario::Parameter::pointer);
  return found == parameters.end() ? nullptr : &*found;
}

/// One way to build it: a point of a scenario, and its parameters.
class Design {
 public:
  /// At the point of these axes, and with `with` instead of what the scenario says. Throws ScenarioError; what is wrong
  /// with `with` is said of --with. Of the parameters with one of these provenances, those are left out that nothing
  /// asks.
  Design(std::string file, scenario::LoadOptions options, std::vector<scenario::Axis> point,
         const std::vector<std::string>& with, const std::vector<std::string>& provenances)
      : file_{std::move(file)}, options_{std::move(options)}, own_{options_.sets.size()} {
    options_.axes = std::move(point);
    options_.sets.insert(options_.sets.end(), with.begin(), with.end());
    static_cast<void>(this->with({}));
    parameters_ = scenario::explain(file_, options_);
    const scenario::LoadOptions alone = without_other_points();
    std::erase_if(parameters_, [&](const scenario::Parameter& one) {
      return std::ranges::find(provenances, one.provenance) != provenances.end() && is_idle(one, alone);
    });
  }

  [[nodiscard]] const std::vector<scenario::Parameter>& parameters() const { return parameters_; }

  /// With other values, of which those count that the design has and uses.
  [[nodiscard]] scenario::Point with(const Coordinates& values) const {
    scenario::LoadOptions options = options_;
    for (const auto& [path, value] : values) {
      if (find(parameters_, path) != nullptr) options.values.emplace_back(path, value);
    }
    try {
      return std::move(scenario::load(file_, options).front());
    } catch (const scenario::ScenarioError& error) {
      scenario::Complaint complaint = error.complaint();
      const int own = static_cast<int>(own_);
      if (error.file() != "--set" || error.line() <= own) throw;
      complaint.at.file = std::make_shared<const std::string>("--with");
      complaint.at.line = error.line() - own;
      throw scenario::ScenarioError{complaint};
    }
  }

 private:
  /// The point by itself, where nothing is for other points: its values as if they were set and not swept, without
  /// those that are without effect.
  [[nodiscard]] scenario::LoadOptions without_other_points() const {
    scenario::LoadOptions alone = options_;
    for (scenario::Axis& axis : *alone.axes) {
      for (scenario::Node& value : axis.rows.front()) set_author(value, scenario::Author::option);
    }
    for (;;) {
      try {
        static_cast<void>(scenario::load(file_, alone));
        return alone;
      } catch (const scenario::ScenarioError& error) {
        const auto idle = scenario::Pointer::parse(error.pointer());
        const auto swept = [&](const scenario::Axis& axis) { return std::ranges::count(axis.paths, *idle) > 0; };
        const bool without_effect = error.code() == scenario::ErrorCode::without_effect;
        if (!without_effect || !idle || std::ranges::none_of(*alone.axes, swept)) return options_;
        scenario::drop_path(*alone.axes, *idle);
      }
    }
  }

  /// Whether not even its own value may be set. A value that is merely too large has the same code.
  [[nodiscard]] bool is_idle(const scenario::Parameter& parameter, scenario::LoadOptions options) const {
    options.values.emplace_back(parameter.pointer, parameter.value);
    try {
      static_cast<void>(scenario::load(file_, options));
      return false;
    } catch (const scenario::ScenarioError& error) {
      return error.code() == scenario::ErrorCode::without_effect && error.pointer() == parameter.pointer;
    }
  }

  std::string file_;
  scenario::LoadOptions options_;
  std::size_t own_;  ///< How many options are the caller's; those behind them are of --with.
  std::vector<scenario::Parameter> parameters_;
};

class Examination {
 public:
  Examination(const LoadArguments& arguments, const SensitivityChoices& choices)
      : point_{scenario::axes_at(arguments.file, arguments.options, choices.point)},
        design_{arguments.file, arguments.options, point_, {}, choices.provenances} {
    if (choices.with.empty() && !choices.against) return;
    if (choices.against) drop_unknown(*choices.against, arguments.options);
    other_.emplace(choices.against.value_or(arguments.file), arguments.options, point_, choices.with,
                   choices.provenances);
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

  /// Of both designs, but for what they differ in.
  [[nodiscard]] std::vector<scenario::Parameter> parameters() const {
    std::vector<scenario::Parameter> all;
    const auto add = [&](const Design& own, const Design* other, bool shared) {
      for (const scenario::Parameter& parameter : own.parameters()) {
        const scenario::Parameter* there = other != nullptr ? find(other->parameters(), parameter.pointer) : nullptr;
        if (there == nullptr || (shared && there->value == parameter.value)) all.push_back(parameter);
      }
    };
    add(design_, other_ ? &*other_ : nullptr, true);
    if (other_) add(*other_, &design_, false);
    return all;
  }

 private:
  /// Leaves out what the scenario in `file` does not have.
  void drop_unknown(const std::string& file, scenario::LoadOptions options) {
    options.axes.emplace();
    const std::vector<scenario::Parameter> parameters = scenario::explain(file, options);
    const auto is_known = [&](const std::string& path) {
      return std::ranges::any_of(parameters, [&](const scenario::Parameter& one) {
        return one.pointer == path || one.pointer.starts_with(path + "/");
      });
    };
    for (const scenario::Axis& axis : std::vector<scenario::Axis>{point_}) {
      for (const scenario::Pointer& path : axis.paths) {
        if (!is_known(path.text())) scenario::drop_path(point_, path);
      }
    }
  }

  std::vector<scenario::Axis> point_;
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
  for (Runs& runs : plan_runs(Examination{arguments, choices}, choices, all)) {
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
