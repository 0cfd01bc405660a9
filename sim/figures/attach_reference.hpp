// Measured points beside those that are simulated.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// Complains of a reference point that is none of `points`, which are what is simulated: no such place, or another
/// metric.
[[noreturn]] void refuse_unsimulated(const Figure& figure, const ReferencePoint& reference,
                                     const std::vector<PointResult>& points);
/// Throws ScenarioError unless the point was measured in the unit in which it is simulated.
void require_unit(const Figure& figure, const ReferencePoint& reference, std::string_view unit);

/// Puts the reference of `figure` beside `points`, but for the series of `left_out`. Throws ScenarioError as those two.
void attach_reference(const Figure& figure, std::vector<PointResult>& points,
                      const std::set<std::string>& left_out = {});

}  // namespace doorbell::figures
