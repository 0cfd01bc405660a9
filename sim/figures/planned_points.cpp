#include "figures/planned_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "figures/attach_reference.hpp"
#include "figures/claim.hpp"
#include "scenario/overrides.hpp"

namespace doorbell::figures {
namespace {

using scenario::ErrorCode;
using scenario::in_quotes;
using scenario::ScenarioError;

/// Names of what the points can have: axes, or the values of one.
template <class Name> std::vector<std::string> distinct_names(const std::vector<Coordinates>& points, Name name) {
  std::vector<std::string> names;
  for (const Coordinates& point : points) {
    for (const auto& coordinate : point) {
      const std::string& one = name(coordinate);
      if (!one.empty() && std::ranges::find(names, one) == names.end()) names.push_back(one);
    }
  }
  return names;
}

std::vector<std::string> axes_of(const std::vector<Coordinates>& points) {
  return distinct_names(points, [](const auto& coordinate) { return coordinate.first; });
}

void require_axis(const std::vector<Coordinates>& points, const std::string& path, const Mention& mention) {
  const std::vector<std::string> axes = axes_of(points);
  if (std::ranges::find(axes, path) != axes.end()) return;
  throw ScenarioError{{ErrorCode::not_swept, mention.at, mention.pointer,
                       axes.empty() ? "an axis of the scenario's sweep, which has none"
                                    : "an axis of the scenario's sweep: " + scenario::alternatives(axes),
                       in_quotes(path), scenario::nearest(path, axes)}};
}

/// Those points of the scenario at which the series stands.
std::vector<Coordinates> standing_at(const Simulation& simulation, const std::vector<Coordinates>& points) {
  const Mention& mention = simulation.mentions.at;
  std::vector<Coordinates> standing = points;
  for (const auto& coordinate : simulation.at) {
    require_axis(points, coordinate.first, mention);
    std::erase_if(standing, [&](const Coordinates& point) { return !stands_at(point, {coordinate}); });
    if (!standing.empty()) continue;
    const auto values = distinct_names(
        points, [&](const auto& other) { return other.first == coordinate.first ? other.second : std::string{}; });
    throw ScenarioError{{ErrorCode::not_swept, mention.at, mention.pointer,
                         fmt::format("a point of {}", simulation.scenario.string()),
                         fmt::format("none where {} is {}", coordinate.first, coordinate.second),
                         scenario::nearest(coordinate.second, values)}};
  }
  return standing;
}

}  // namespace

ScenarioError in_figure(const ScenarioError& error, const std::filesystem::path& file, const Mention& mention) {
  scenario::Complaint complaint = error.complaint();
  const bool is_of_file = complaint.pointer.empty() && complaint.at.file_name() == file.string() &&
                          (complaint.code == ErrorCode::file_not_found || complaint.code == ErrorCode::not_a_file ||
                           complaint.code == ErrorCode::file_too_large || complaint.code == ErrorCode::wrong_file);
  if (!is_of_file) return error;
  complaint.at = mention.at;
  complaint.pointer = mention.pointer;
  return ScenarioError{std::move(complaint)};
}

ScenarioError in_figure(const ScenarioError& error, const Simulation& simulation) {
  scenario::Complaint complaint = error.complaint();
  const auto index = static_cast<std::size_t>(complaint.at.line - 1);
  if (!scenario::is_override(complaint.at) || index >= simulation.mentions.overrides.size()) {
    return in_figure(error, simulation.scenario, simulation.mentions.scenario);
  }
  complaint.at = simulation.mentions.overrides[index].at;
  complaint.pointer = simulation.mentions.overrides[index].pointer;
  return ScenarioError{std::move(complaint)};
}

void PlannedPoints::add(const Series& series, const Simulation& simulation, const std::vector<Coordinates>& points) {
  const std::vector<Coordinates> standing = standing_at(simulation, points);
  if (const auto* sweep = std::get_if<FromSweep>(&simulation.x))
    require_axis(points, sweep->path, simulation.mentions.x);
  const auto positions = positions_of(simulation, standing);
  if (!positions) {
    open_.insert(series.name);
    return;
  }
  std::vector<PointResult> planned;
  for (const Position& x : *positions) {
    PointResult& point = planned.emplace_back();
    point.series = series.name;
    point.x = x;
    point.metric = name_of(simulation.metric);
    point.unit = unit_of(simulation.metric);
  }
  add(series, std::move(planned));
}

void PlannedPoints::add(const Series& series, std::vector<PointResult> points) {
  const std::size_t before = points_.size();
  for (PointResult& point : points) {
    const auto known = std::ranges::find_if(points_, [&](const PointResult& other) {
      return other.series == point.series && other.metric == point.metric && same(other.x, point.x);
    });
    if (known == points_.end()) {
      points_.push_back(std::move(point));
      continue;
    }
    const bool is_own = known - points_.begin() >= static_cast<std::ptrdiff_t>(before);
    throw ScenarioError{{ErrorCode::named_twice, series.name_at.at, series.name_at.pointer,
                         is_own ? "each x once" : "another name, or another x: a series before has this point",
                         fmt::format("{} at {}{}", in_quotes(series.name), to_string(point.x), is_own ? " twice" : ""),
                         std::string{}}};
  }
}

void PlannedPoints::require(const std::string& series, const Position& x, const Mention& mention,
                            const std::string& found) const {
  if (open_.contains(series)) return;
  std::vector<Position> there;
  for (const PointResult& point : points_) {
    if (point.series != series) continue;
    if (same(point.x, x)) return;
    there.push_back(point.x);
  }
  throw ScenarioError{{ErrorCode::not_simulated, mention.at, mention.pointer,
                       fmt::format("an x at which {} is simulated", in_quotes(series)), found,
                       nearest_position(x, there)}};
}

void PlannedPoints::require_all_of(const Figure& figure) const {
  for (const Panel& panel : figure.panels) {
    for (const Bar& bar : panel.bars) require(bar.series, bar.x, bar.x_at, to_string(bar.x));
  }
  const auto require_points_of = [this](const Expression& expression, const Mention& mention) {
    for (const NamedPoint& point : points_named_in(expression)) {
      require(point.series, point.x, mention, fmt::format("{} in column {}", to_string(point.x), point.column));
    }
  };
  for (const Claim& claim : figure.claims) {
    require_points_of(claim.expression, claim.expression_at);
    require_points_of(claim.holds_if, claim.holds_if_at);
  }
  std::vector<PointResult> points = points_;
  attach_reference(figure, points, open_);
}

}  // namespace doorbell::figures
