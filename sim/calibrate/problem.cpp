#include "calibrate/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "figures/attach_reference.hpp"
#include "figures/evaluate.hpp"
#include "figures/parallel.hpp"
#include "scenario/hardware_files.hpp"

namespace doorbell::calibrate {
namespace {

using scenario::ErrorCode;
using scenario::in_quotes;

[[noreturn]] void refuse_point(const Observation& observation, ErrorCode code, std::string expected, std::string found,
                               std::string suggestion = {}) {
  throw scenario::ScenarioError{{code, observation.mention.at, observation.mention.pointer, std::move(expected),
                                 std::move(found), std::move(suggestion)}};
}

/// "s" at x of a figure.
std::string point_name(const Observation& observation) {
  return fmt::format("{} at {} of {}", in_quotes(observation.series), figures::to_string(observation.point.x),
                     observation.figure->id);
}

/// The closed form bounds the rate of all operations; and one run does not tell what is relative to another point.
void require_predictable(const Observation& observation, const figures::Metric& metric, Method method) {
  using Kind = figures::Metric::Kind;
  const bool is_rate = metric.kind == Kind::throughput && metric.subject.empty();
  if (method == Method::closed_form ? is_rate : metric.kind != Kind::relative_throughput) return;
  refuse_point(observation, ErrorCode::not_predicted,
               fmt::format("{} of {}",
                           method == Method::closed_form
                               ? "the throughput of all operations, which the method closed_form predicts,"
                               : "what one run tells",
                           point_name(observation)),
               figures::name_of(metric));
}

/// Several series may share a name, each with some of the points.
Experiment experiment_of(const Observation& observation, Method method, const figures::Engine& engine) {
  std::vector<figures::PointResult> simulated;  // at its x
  const double smallest = 0.005 * std::abs(observation.point.value);
  const double scale = std::max({observation.point.uncertainty, smallest, 1e-12});
  for (const figures::Series& series : observation.figure->series) {
    if (series.name != observation.series) continue;
    if (const auto scenario = figures::scenario_at(series, observation.point.x, engine)) {
      const figures::Metric& metric = std::get<figures::Simulation>(series.source).metric;
      figures::PointResult& point = simulated.emplace_back();
      point.series = series.name;
      point.x = observation.point.x;
      point.metric = figures::name_of(metric);
      if (figures::name_of(metric) != observation.point.metric) continue;
      figures::require_unit(*observation.figure, observation.point, figures::unit_of(metric));
      require_predictable(observation, metric, method);
      return {&observation, &metric, *scenario, scale};
    }
  }
  if (!simulated.empty()) figures::refuse_unsimulated(*observation.figure, observation.point, simulated);
  refuse_point(observation, ErrorCode::not_simulated,
               fmt::format("a point that {} simulates by runs", observation.figure->id), point_name(observation));
}

/// In uncertainties; of the logarithm where there is one.
double residual(double predicted, double measured, double scale) {
  if (measured > 3 * scale && predicted > 0) return std::log(predicted / measured) * measured / scale;
  return (predicted - measured) / scale;
}

/// A title is soon copied with a profile: what has the same one may be a machine with other numbers, of which none is
/// sought.
void require_own_profile(const Observation& observation, const std::string& title, const std::string& profile) {
  std::error_code ignored;
  const std::filesystem::path wanted = std::filesystem::weakly_canonical(profile, ignored);
  for (const figures::Series& series : observation.figure->series) {
    const auto* simulation = std::get_if<figures::Simulation>(&series.source);
    if (series.name != observation.series || simulation == nullptr) continue;
    const bool is_named_elsewhere = std::ranges::any_of(
        simulation->overrides, [](const auto& path_and_value) { return path_and_value.first.ends_with("/hardware"); });
    if (is_named_elsewhere || !std::filesystem::exists(simulation->scenario, ignored)) continue;
    for (const std::set<std::filesystem::path>& files : scenario::hardware_files(simulation->scenario, title)) {
      if (files.contains(wanted)) continue;
      refuse_point(observation, ErrorCode::other_hardware,
                   fmt::format("hardware of {} in the scenario of {}", profile, point_name(observation)),
                   fmt::format("that of {} with the same title, {}: give one of them a title of its own",
                               files.begin()->string(), in_quotes(title)));
    }
  }
}

}  // namespace

Problem::Problem(const Stage& stage, const Machine& machine, const Varied& varied, const std::string& profile,
                 const figures::Engine& engine, int jobs, int& evaluations)
    : stage_{stage}, machine_{machine}, varied_{varied}, engine_{engine}, jobs_{jobs}, evaluations_{evaluations} {
  const auto is_unknown = [&](const std::string& pointer) {
    return std::ranges::any_of(stage.unknowns, [&](const Unknown& unknown) { return unknown.pointer == pointer; });
  };
  for (const Observation& observation : stage.observations) {
    experiments_.push_back(experiment_of(observation, stage.method, engine));
    model::Scenario trial = experiments_.back().scenario;
    require_own_profile(observation, varied.title, profile);
    if (std::ranges::any_of(vary(trial, varied_, machine_), is_unknown)) continue;
    refuse_point(observation, ErrorCode::other_hardware,
                 fmt::format("the profile {} of {} as hardware of machines, storage or dma in the scenario of {}",
                             in_quotes(varied.title), profile, point_name(observation)),
                 "other hardware, or values of its own for what is sought: nothing of it can be fitted to this point");
  }
}

Vector Problem::predict(const std::vector<double>& values, const Selection& points) const {
  Machine trial = machine_;
  std::vector<double> rounded;
  for (std::size_t i = 0; i < values.size(); ++i) {
    set(trial, stage_.unknowns[i].pointer, values[i]);
    rounded.push_back(*get(trial, stage_.unknowns[i].pointer));
  }
  std::vector<std::optional<double>> unremembered;
  std::vector<std::optional<double>>& known = values.empty() ? unremembered : predicted_[rounded];
  known.resize(experiments_.size());
  std::vector<std::pair<Experiment, double>> runs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < experiments_.size(); ++i) {
    if (!is_selected(points, i) || known[i]) continue;
    runs.emplace_back(experiments_[i], 0.0);
    places.push_back(i);
    vary(runs.back().first.scenario, varied_, trial);
  }
  simulate_apart(runs);
  figures::for_each_in_parallel(runs, jobs_, [this](std::pair<Experiment, double>& run) {
    const Experiment& experiment = run.first;
    if (stage_.method == Method::closed_form) {
      const std::optional<Rate> bound = engine_.bound(experiment.scenario);
      run.second = bound ? bound->millions() : 0;
    } else if (!experiment.scenario.is_fluid()) {
      run.second = figures::value_of(engine_.run(experiment.scenario), *experiment.metric);
    }
  });
  evaluations_ += static_cast<int>(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) known[places[i]] = runs[i].second;
  Vector predictions = Vector::Zero(static_cast<Eigen::Index>(experiments_.size()));
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (is_selected(points, i)) predictions[static_cast<Eigen::Index>(i)] = known[i].value_or(0);
  }
  return predictions;
}

Vector Problem::deviations(Vector predictions, const Selection& points) const {
  for (std::size_t i = 0; i < experiments_.size(); ++i) {
    double& entry = predictions[static_cast<Eigen::Index>(i)];
    entry =
        is_selected(points, i) ? residual(entry, experiments_[i].observation->point.value, experiments_[i].scale) : 0;
  }
  return predictions;
}

double Problem::resolution_of(std::size_t point) const {
  using Kind = figures::Metric::Kind;
  const Experiment& experiment = experiments_[point];
  const Kind kind = experiment.metric->kind;
  if (stage_.method == Method::closed_form || (kind != Kind::latency_p50 && kind != Kind::latency_p99)) return 0;
  constexpr double widest_bin = 1.0 / 128;  // of core::LatencyHistogram
  return widest_bin * std::abs(experiment.observation->point.value) / experiment.scale;
}

double Problem::rounded(std::size_t unknown, double value) const {
  Machine trial = machine_;
  set(trial, stage_.unknowns[unknown].pointer, value);
  return *get(trial, stage_.unknowns[unknown].pointer);
}

std::string Problem::limit_of(std::size_t point) const {
  const Experiment& experiment = experiments_[point];
  const auto kind = experiment.metric->kind;
  const bool is_rate = kind == figures::Metric::Kind::throughput || kind == figures::Metric::Kind::bandwidth;
  if (!is_rate || !engine_.bottleneck) return {};
  model::Scenario scenario = experiment.scenario;
  vary(scenario, varied_, machine_);
  return engine_.bottleneck(scenario);
}

/// Scenarios that need processes of their own, before any thread is started.
void Problem::simulate_apart(std::vector<std::pair<Experiment, double>>& runs) const {
  if (stage_.method == Method::closed_form) return;
  std::vector<const model::Scenario*> scenarios;
  std::vector<std::pair<Experiment, double>*> places;
  for (auto& run : runs) {
    if (!run.first.scenario.is_fluid()) continue;
    scenarios.push_back(&run.first.scenario);
    places.push_back(&run);
  }
  if (scenarios.empty()) return;
  engine_.run_fluid(scenarios, jobs_, [&](std::size_t i, const model::RunResult& result) {
    places[i]->second = figures::value_of(result, *places[i]->first.metric);
  });
}

}  // namespace doorbell::calibrate
