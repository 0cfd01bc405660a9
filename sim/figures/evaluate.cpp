#include "figures/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "figures/attach_reference.hpp"
#include "figures/claim.hpp"
#include "figures/closed_form.hpp"
#include "figures/parallel.hpp"
#include "figures/planned_points.hpp"
#include "figures/sweep_position.hpp"
#include "models/common/replications.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

/// All results, in the order of `scenarios`.
std::vector<model::RunResult> run_all(const Engine& engine, const std::vector<model::Scenario>& scenarios, int jobs) {
  std::vector<model::RunResult> results(scenarios.size());
  // Runs that fork must not do so beside other threads, which may hold locks that no one opens in the child.
  std::vector<std::size_t> forking;
  std::vector<std::size_t> threaded;
  std::vector<const model::Scenario*> fluid;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    (scenarios[i].is_fluid() ? forking : threaded).push_back(i);
    if (scenarios[i].is_fluid()) fluid.push_back(&scenarios[i]);
  }
  if (!fluid.empty()) {
    engine.run_fluid(fluid, jobs,
                     [&](std::size_t i, model::RunResult result) { results[forking[i]] = std::move(result); });
  }
  for_each_in_parallel(threaded, jobs, [&](std::size_t i) { results[i] = engine.run(scenarios[i]); });
  return results;
}

std::string key_of(const Simulation& simulation, unsigned seeds) {
  std::string key = fmt::format("{} x {}", simulation.scenario.string(), seeds);
  if (!simulation.overrides.empty()) key += "\n" + simulation.folder.string();
  for (const auto& [path, value] : simulation.overrides) key += fmt::format("\n{}={}", path, value);
  return key;
}

struct Reading {
  double value = 0;
  std::optional<double> ci95 = std::nullopt;
};

/// That no `kind` of that name is in the results of a run, where there are those of `names`.
std::string none_of_that_name(const std::string& kind, const std::string& name, const std::vector<std::string>& names) {
  const std::string nearest = scenario::nearest(name, names);
  return fmt::format("no {} '{}' in the results of the run{}", kind, name,
                     nearest.empty() ? "" : fmt::format("; nearest: '{}'", nearest));
}

template <class Items, class Name> const auto& find_named(const Items& items, Name name, const Metric& metric) {
  const auto match =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.*name == metric.subject; });
  if (match == items.end()) {
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items) names.push_back(item.*name);
    throw DefinitionError{none_of_that_name(name_of(metric), metric.subject, names)};
  }
  return *match;
}

/// Of operations of the metric's kind, or of all. What nobody measured is no latency of 0.
const model::LatencySummary& latency_of(const model::RunResult& run, const Metric& metric) {
  const model::LatencySummary& latency =
      metric.subject.empty() ? run.latency : find_named(run.kinds, &model::KindSummary::kind, metric).latency;
  if (latency.samples == 0) throw DefinitionError{no_latencies};
  return latency;
}

Reading throughput_of(const model::RunResult& run, const Metric& metric) {
  if (metric.subject.empty()) return {run.throughput.millions(), run.throughput_ci95.millions()};
  return {find_named(run.kinds, &model::KindSummary::kind, metric).throughput.millions()};
}

Reading read_one(const model::RunResult& run, const Metric& metric) {
  const auto microseconds = [](Time time) { return to_seconds(time) * 1e6; };
  switch (metric.kind) {
    case Metric::Kind::throughput:
    case Metric::Kind::relative_throughput: return throughput_of(run, metric);
    case Metric::Kind::bandwidth: {
      const double value = run.bandwidth.bytes_per_second / (1024.0 * 1024.0);
      // In proportion: what is known of the rate of requests is known of their bytes.
      const double share = run.throughput > Rate{} ? run.throughput_ci95.per_second / run.throughput.per_second : 0.0;
      return {value, value * share};
    }
    case Metric::Kind::latency_mean: return {microseconds(latency_of(run, metric).mean)};
    case Metric::Kind::latency_p50: return {microseconds(latency_of(run, metric).p50)};
    case Metric::Kind::latency_p99: return {microseconds(latency_of(run, metric).p99)};
    case Metric::Kind::counter: return {find_named(run.counters, &model::CounterReading::name, metric).rate.millions()};
    case Metric::Kind::batch: return {find_named(run.programs, &model::ProgramSummary::program, metric).mean_batch};
    case Metric::Kind::level: return {find_named(run.levels, &model::Level::name, metric).value};
    case Metric::Kind::per_operation:
      return {find_named(run.counters, &model::CounterReading::name, metric).rate.per_second /
              run.throughput.per_second};
    case Metric::Kind::time_per:
      return {1 / find_named(run.counters, &model::CounterReading::name, metric).rate.millions()};
    case Metric::Kind::levels: throw DefinitionError{R"(the metric "levels" goes with "x": {"levels": "number"})"};
    case Metric::Kind::utilisation: break;
  }
  return {find_named(run.utilisations, &model::Utilisation::resource, metric).busy};
}

/// What comes before the last number in the name of a level.
std::string before_number(const std::string& name) {
  constexpr const char* digits = "0123456789.";
  return name.substr(0, name.find_last_not_of(digits, name.find_last_of(digits)) + 1);
}

Reading read_off(const model::RunResult& run, const Metric& metric) {
  Reading reading = read_one(run, metric);
  if (!metric.plus.empty()) reading.value += read_one(run, {Metric::Kind::level, metric.plus, {}}).value;
  return reading;
}

/// Says which point of which figure could not be read off its run.
template <class Read>
auto in_series(const Figure& figure, const Series& series, const std::string& point, const Read& read) {
  try {
    return read();
  } catch (const DefinitionError& error) {
    throw DefinitionError{fmt::format("figure {}, series '{}', {}: {}", figure.id, series.name, point, error.what())};
  }
}

PointResult simulated_point(const Figure& figure, const Series& series, const Simulation& simulation, Position x,
                            const std::shared_ptr<const Outcome>& outcome) {
  PointResult point;
  point.series = series.name;
  point.x = std::move(x);
  point.metric = name_of(simulation.metric);
  point.unit = unit_of(simulation.metric);
  const Reading reading =
      in_series(figure, series, "at " + to_string(point.x), [&] { return read_off(outcome->run, simulation.metric); });
  point.simulated = reading.value;
  point.simulated_ci95 = reading.ci95;
  const Rate throughput = outcome->run.throughput;
  const bool is_rate =
      simulation.metric.kind == Metric::Kind::throughput || simulation.metric.kind == Metric::Kind::bandwidth;
  if (is_rate && outcome->bound && throughput > Rate{}) {
    point.analytic = reading.value * (outcome->bound->per_second / throughput.per_second);
  }
  point.outcome = outcome;
  return point;
}

/// Of one run, at the positions of its levels.
std::vector<PointResult> points_of_levels(const Figure& figure, const Series& series, const Simulation& simulation,
                                          const std::shared_ptr<const Outcome>& outcome) {
  std::vector<PointResult> points;
  const auto levels = in_series(figure, series, "x", [&] { return levels_of(outcome->run, simulation.metric); });
  for (const model::Level& level : levels) {
    PointResult& point = points.emplace_back();
    point.series = series.name;
    point.x = *level.position;
    point.metric = name_of(simulation.metric);
    point.unit = unit_of(simulation.metric);
    point.simulated = level.value;
    point.outcome = outcome;
  }
  return points;
}

std::vector<PointResult> simulated_points(const Figure& figure, const Series& series, const Simulation& simulation,
                                          const std::vector<std::shared_ptr<const Outcome>>& outcomes) {
  if (std::holds_alternative<FromLevels>(simulation.x)) {
    if (outcomes.size() != 1) throw DefinitionError{fmt::format("series '{}': levels of one run only", series.name)};
    return points_of_levels(figure, series, simulation, outcomes.front());
  }
  std::vector<Coordinates> places;
  places.reserve(outcomes.size());
  for (const auto& outcome : outcomes) places.push_back(outcome->coordinates);
  std::vector<PointResult> points;
  if (const auto positions = positions_of(simulation, places)) {
    for (std::size_t i = 0; i < positions->size(); ++i) {
      const auto& outcome = outcomes[outcomes.size() == 1 ? 0 : i];
      points.push_back(simulated_point(figure, series, simulation, (*positions)[i], outcome));
    }
    return points;
  }
  for (const auto& outcome : outcomes) {
    const Metric& metric = std::get<FromRun>(simulation.x).metric;
    const double x = in_series(figure, series, "x", [&] { return read_off(outcome->run, metric).value; });
    points.push_back(simulated_point(figure, series, simulation, x, outcome));
  }
  return points;
}

/// The first point is 100 % whatever its own interval, which makes those of all others wider.
void relate_to_first(std::vector<PointResult>& points) {
  const double first = points.front().simulated;
  if (!(first > 0)) throw DefinitionError{"nothing is relative to a first point that completes nothing"};
  const double doubt = points.front().simulated_ci95.value_or(0) / first;
  for (PointResult& point : points) {
    const bool is_first = &point == &points.front();
    if (point.simulated_ci95) point.simulated_ci95 = is_first ? 0 : *point.simulated_ci95 + doubt * point.simulated;
    point.simulated *= 100 / first;
    if (point.simulated_ci95) *point.simulated_ci95 *= 100 / first;
  }
}

std::vector<PointResult> formula_points(const Series& series, const ClosedForm& form, model::HardwareProfile hardware) {
  if (form.link) hardware.port.bandwidth = *form.link;
  std::vector<PointResult> points;
  for (const Position& x : form.positions) {
    const double size = form.size ? *form.size : std::get<double>(x);
    const FormValue value = closed_form(form.quantity, hardware, Bytes{std::llround(size)}, form.batch);
    PointResult point;
    point.series = series.name;
    point.x = x;
    point.metric = value.metric;
    point.unit = value.unit;
    point.simulated = value.value;
    point.analytic = value.value;
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

double value_of(const model::RunResult& run, const Metric& metric) { return read_off(run, metric).value; }

std::vector<model::Level> levels_of(const model::RunResult& run, const Metric& metric) {
  if (metric.kind != Metric::Kind::levels)
    throw DefinitionError{R"("x": {"levels": "number"} goes with the metric "levels")"};
  std::vector<model::Level> levels;
  std::vector<std::string> names;
  for (const model::Level& level : run.levels) {
    if (!level.position) continue;
    names.push_back(before_number(level.name));
    if (level.name.starts_with(metric.subject)) levels.push_back(level);
  }
  if (levels.empty()) throw DefinitionError{none_of_that_name("levels that begin with", metric.subject, names)};
  return levels;
}

std::optional<model::Scenario> scenario_at(const Series& series, const Position& x, const Engine& engine) {
  const auto* simulation = std::get_if<Simulation>(&series.source);
  if (simulation == nullptr) return std::nullopt;
  std::vector<SweepPoint> points;
  std::vector<Coordinates> places;
  for (SweepPoint& point : engine.load(simulation->scenario, simulation->overrides, simulation->folder)) {
    if (!stands_at(point.coordinates, simulation->at)) continue;
    places.push_back(point.coordinates);
    points.push_back(std::move(point));
  }
  if (points.empty()) return std::nullopt;
  const auto positions = positions_of(*simulation, places).value_or(std::vector<Position>{});
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (same(positions[i], x)) return points[points.size() == 1 ? 0 : i].scenario;
  }
  return std::nullopt;
}

std::optional<double> PointResult::error() const {
  return measured ? relative_error(simulated, *measured) : std::nullopt;
}

const PointResult* FigureResult::find(const std::string& series, const Position& x) const {
  const auto match = std::find_if(points.begin(), points.end(),
                                  [&](const PointResult& point) { return point.series == series && same(point.x, x); });
  return match == points.end() ? nullptr : &*match;
}

Evaluator::Evaluator(Engine engine, int jobs, std::optional<std::uint64_t> seed, unsigned seeds)
    : engine_{std::move(engine)}, jobs_{jobs}, seed_{seed}, seeds_{seeds} {}

unsigned Evaluator::seeds_of(const Simulation& simulation) const { return std::max(simulation.seeds, seeds_); }

Evaluator::Sweep& Evaluator::sweep_of(const Simulation& simulation) {
  const auto [entry, is_new] = sweeps_.try_emplace(key_of(simulation, seeds_of(simulation)));
  Sweep& sweep = entry->second;
  if (is_new) {
    sweep.points = engine_.load(simulation.scenario, simulation.overrides, simulation.folder);
    sweep.outcomes.resize(sweep.points.size());
  }
  return sweep;
}

void Evaluator::Tasks::add(Sweep& sweep, std::size_t point, unsigned seeds) {
  std::shared_ptr<const Outcome>& place = sweep.outcomes[point];
  const bool is_queued = std::ranges::find(tasks_, &place, &Task::place) != tasks_.end();
  if (!place && !is_queued) tasks_.push_back({&sweep.points[point], &place, seeds});
}

void Evaluator::run_missing(const Figure& figure) {
  Tasks tasks;
  for (const Series& series : figure.series) {
    const auto* simulation = std::get_if<Simulation>(&series.source);
    if (simulation == nullptr) continue;
    Sweep& sweep = sweep_of(*simulation);
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
      if (stands_at(sweep.points[i].coordinates, simulation->at)) tasks.add(sweep, i, seeds_of(*simulation));
    }
  }
  // Sweeps mostly grow, so the last points take longest; starting with them leaves no thread idle at the end.
  std::ranges::reverse(tasks.all());
  run(std::move(tasks.all()));
}

void Evaluator::run(std::vector<Task> tasks) {
  std::vector<model::Scenario> scenarios;
  for (Task& task : tasks) {
    task.first_run = scenarios.size();
    for (unsigned i = 0; i < task.seeds; ++i) {
      model::Scenario& scenario = scenarios.emplace_back(task.point->scenario);
      scenario.seed = seed_.value_or(scenario.seed) + i;
    }
  }
  const std::vector<model::RunResult> runs = run_all(engine_, scenarios, jobs_);
  for_each_in_parallel(tasks, jobs_, [&](const Task& task) {
    *task.place = std::make_shared<Outcome>(Outcome{task.point->coordinates,
                                                    model::pooled(std::span{runs}.subspan(task.first_run, task.seeds)),
                                                    engine_.bound(task.point->scenario)});
  });
}

std::vector<std::shared_ptr<const Outcome>> Evaluator::outcomes_of(const Simulation& simulation) {
  const Sweep& sweep = sweep_of(simulation);
  std::vector<std::shared_ptr<const Outcome>> outcomes;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (stands_at(sweep.points[i].coordinates, simulation.at)) outcomes.push_back(sweep.outcomes[i]);
  }
  if (outcomes.empty()) {
    throw DefinitionError{fmt::format("{} has no point where {} is {}", simulation.scenario.string(),
                                      simulation.at.front().first, simulation.at.front().second)};
  }
  return outcomes;
}

void Evaluator::prepare(const Figure& figure) {
  PlannedPoints planned;
  for (const Series& series : figure.series) {
    if (const auto* form = std::get_if<ClosedForm>(&series.source)) {
      try {
        planned.add(series, formula_points(series, *form, engine_.profile(form->profile)));
      } catch (const scenario::ScenarioError& error) {
        throw in_figure(error, form->profile, form->profile_at);
      }
      continue;
    }
    const auto& simulation = std::get<Simulation>(series.source);
    std::vector<Coordinates> places;
    try {
      for (const SweepPoint& point : sweep_of(simulation).points) places.push_back(point.coordinates);
    } catch (const scenario::ScenarioError& error) {
      throw in_figure(error, simulation);
    }
    planned.add(series, simulation, places);
  }
  planned.require_all_of(figure);
}

FigureResult Evaluator::evaluate(const Figure& figure) {
  const auto start = std::chrono::steady_clock::now();
  FigureResult result;
  result.id = figure.id;
  result.title = figure.title;
  result.notes = figure.notes;
  run_missing(figure);
  for (const Series& series : figure.series) {
    std::vector<PointResult> points;
    if (const auto* simulation = std::get_if<Simulation>(&series.source)) {
      points = simulated_points(figure, series, *simulation, outcomes_of(*simulation));
      if (simulation->metric.kind == Metric::Kind::relative_throughput)
        in_series(figure, series, "at its first x", [&] { relate_to_first(points); });
    } else {
      const auto& form = std::get<ClosedForm>(series.source);
      points = formula_points(series, form, engine_.profile(form.profile));
    }
    std::move(points.begin(), points.end(), std::back_inserter(result.points));
  }
  attach_reference(figure, result.points);
  for (const Claim& claim : figure.claims) result.claims.push_back(check(claim, result));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace doorbell::figures
