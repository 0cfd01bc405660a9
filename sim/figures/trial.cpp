// What a figure reads off its runs by name is tried on single points first: a misspelt name should not cost the time of
// all simulations.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "figures/claim.hpp"
#include "figures/evaluate.hpp"
#include "figures/sweep_position.hpp"

namespace doorbell::figures {
namespace {

bool is_there_always(const Metric& metric) {
  const bool is_rate = metric.kind == Metric::Kind::throughput || metric.kind == Metric::Kind::bandwidth ||
                       metric.kind == Metric::Kind::relative_throughput;
  return is_rate && metric.subject.empty() && metric.plus.empty();
}

/// What the series reads off each of its runs, where that may not be there.
std::vector<Metric> metrics_to_try(const Simulation& simulation) {
  std::vector<Metric> metrics;
  const auto* from_run = std::get_if<FromRun>(&simulation.x);
  if (from_run != nullptr && !is_there_always(from_run->metric)) metrics.push_back(from_run->metric);
  if (std::holds_alternative<FromLevels>(simulation.x) || !is_there_always(simulation.metric))
    metrics.push_back(simulation.metric);
  return metrics;
}

/// Throws DefinitionError where the run does not have what the series reads off it.
void try_metric(const model::RunResult& run, const Metric& metric, const Simulation& simulation) {
  if (std::holds_alternative<FromLevels>(simulation.x)) {
    static_cast<void>(levels_of(run, metric));
  } else {
    static_cast<void>(value_of(run, metric));
  }
}

void try_claims(const Figure& figure, const FigureResult& tried) {
  for (const Claim& claim : figure.claims) {
    try {
      try_named(claim.expression, tried);
      try_named(claim.holds_if, tried);
    } catch (const std::invalid_argument& error) {
      throw DefinitionError{fmt::format("figure {}, claim {}: {}", figure.id, claim.id, error.what())};
    }
  }
}

/// Throws DefinitionError where the run does not have what the series of that figure reads off it.
void try_metrics(const model::RunResult& run, const Simulation& simulation, const std::string& figure,
                 const std::string& series) {
  for (const Metric& metric : metrics_to_try(simulation)) {
    try {
      try_metric(run, metric, simulation);
    } catch (const DefinitionError& error) {
      throw DefinitionError{fmt::format("figure {}, series '{}': {}", figure, series, error.what())};
    }
  }
}

std::vector<NamedPoint> points_of_claims(const Figure& figure) {
  std::vector<NamedPoint> points;
  for (const Claim& claim : figure.claims) {
    for (const Expression* expression : {&claim.expression, &claim.holds_if}) {
      for (NamedPoint& point : points_read_by_name(*expression)) points.push_back(std::move(point));
    }
  }
  return points;
}

}  // namespace

void Evaluator::add_trials(const Figure& figure, std::size_t number, std::vector<Trial>& trials) {
  const std::vector<NamedPoint> claimed = points_of_claims(figure);
  for (const Series& series : figure.series) {
    const auto* simulation = std::get_if<Simulation>(&series.source);
    if (simulation == nullptr) continue;
    Sweep& sweep = sweep_of(*simulation);
    std::vector<std::size_t> standing;
    std::vector<Coordinates> places;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
      if (!stands_at(sweep.points[i].coordinates, simulation->at)) continue;
      standing.push_back(i);
      places.push_back(sweep.points[i].coordinates);
    }
    if (standing.empty()) continue;
    if (!metrics_to_try(*simulation).empty())
      trials.push_back({number, &series, simulation, &sweep, standing.front(), {}});
    const auto positions = positions_of(*simulation, places);
    for (std::size_t i = 0; positions && i < positions->size(); ++i) {
      const bool is_claimed = std::ranges::any_of(claimed, [&](const NamedPoint& point) {
        return point.series == series.name && same(point.x, (*positions)[i]);
      });
      if (!is_claimed) continue;
      trials.push_back({number, &series, simulation, &sweep, standing[standing.size() == 1 ? 0 : i], (*positions)[i]});
    }
  }
}

void Evaluator::try_names(const std::vector<Figure>& figures) {
  std::vector<Trial> trials;
  for (std::size_t number = 0; number < figures.size(); ++number) add_trials(figures[number], number, trials);
  Tasks tasks;
  for (const Trial& trial : trials) tasks.add(*trial.sweep, trial.point, seeds_of(*trial.simulation));
  run(std::move(tasks.all()));
  std::vector<FigureResult> tried(figures.size());
  for (const Trial& trial : trials) {
    if (!trial.x) {
      try_metrics(trial.outcome()->run, *trial.simulation, figures[trial.figure].id, trial.series->name);
      continue;
    }
    PointResult& point = tried[trial.figure].points.emplace_back();
    point.series = trial.series->name;
    point.x = *trial.x;
    point.outcome = trial.outcome();
  }
  for (std::size_t i = 0; i < figures.size(); ++i) try_claims(figures[i], tried[i]);
}

}  // namespace doorbell::figures
