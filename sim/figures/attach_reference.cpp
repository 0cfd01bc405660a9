#include "figures/attach_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "figures/sweep_position.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {

using scenario::in_quotes;
using scenario::ScenarioError;

void refuse_unsimulated(const Figure& figure, const ReferencePoint& reference, const std::vector<PointResult>& points) {
  std::vector<Position> places;
  std::vector<std::string> metrics;  // at the same place
  for (const PointResult& point : points) {
    if (point.series != reference.series) continue;
    places.push_back(point.x);
    if (same(point.x, reference.x)) metrics.push_back(point.metric);
  }
  if (metrics.empty()) {
    throw ScenarioError{{scenario::ErrorCode::not_simulated, reference.place_of(Cell::x), std::string{},
                         fmt::format("an x at which {} simulates {}", figure.id, in_quotes(reference.series)),
                         to_string(reference.x), nearest_position(reference.x, places)}};
  }
  throw ScenarioError{
      {scenario::ErrorCode::not_simulated, reference.place_of(Cell::metric), std::string{},
       fmt::format("the metric that {} simulates of {} at {}: {}", figure.id, in_quotes(reference.series),
                   to_string(reference.x), scenario::alternatives(metrics)),
       in_quotes(reference.metric), scenario::nearest(reference.metric, metrics)}};
}

void require_unit(const Figure& figure, const ReferencePoint& reference, std::string_view unit) {
  if (reference.unit == unit) return;
  throw ScenarioError{{scenario::ErrorCode::other_unit, reference.place_of(Cell::unit), std::string{},
                       fmt::format("{}, in which {} simulates {}", unit, figure.id, in_quotes(reference.series)),
                       in_quotes(reference.unit), std::string{}}};
}

void attach_reference(const Figure& figure, std::vector<PointResult>& points, const std::set<std::string>& left_out) {
  for (const ReferencePoint& reference : figure.reference) {
    const bool is_drawn = std::any_of(figure.series.begin(), figure.series.end(),
                                      [&](const Series& series) { return series.name == reference.series; });
    if (!is_drawn || left_out.contains(reference.series)) continue;
    const auto point = std::find_if(points.begin(), points.end(), [&](const PointResult& candidate) {
      return candidate.series == reference.series && same(candidate.x, reference.x) &&
             candidate.metric == reference.metric;
    });
    if (point == points.end()) refuse_unsimulated(figure, reference, points);
    require_unit(figure, reference, point->unit);
    point->measured = reference.value;
    point->measured_uncertainty = reference.uncertainty;
    point->use = reference.use;
    point->note = reference.note;
  }
}

}  // namespace doorbell::figures
