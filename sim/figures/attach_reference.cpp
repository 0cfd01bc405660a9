#include "figures/attach_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "figures/sweep_position.hpp"

namespace doorbell::figures {
namespace {

std::string place_of(const ReferencePoint& reference) {
  return reference.place.empty() ? std::string{} : reference.place + ": ";
}

}  // namespace

void refuse_unsimulated(const Figure& figure, const ReferencePoint& reference) {
  throw DefinitionError{fmt::format("{}figure {}: the reference has {} of '{}' at {}, which is not simulated",
                                    place_of(reference), figure.id, reference.metric, reference.series,
                                    to_string(reference.x))};
}

void require_unit(const Figure& figure, const ReferencePoint& reference, std::string_view unit) {
  if (reference.unit == unit) return;
  throw DefinitionError{fmt::format("{}figure {}: '{}' is simulated in {} and measured in {}", place_of(reference),
                                    figure.id, reference.series, unit, reference.unit)};
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
    if (point == points.end()) refuse_unsimulated(figure, reference);
    require_unit(figure, reference, point->unit);
    point->measured = reference.value;
    point->measured_uncertainty = reference.uncertainty;
    point->use = reference.use;
    point->note = reference.note;
  }
}

}  // namespace doorbell::figures
