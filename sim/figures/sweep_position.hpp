// Where the points of a sweep stand on the x axis of a figure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "figures/reference.hpp"

namespace doorbell::figures {

/// JSON pointers of the axes of a sweep, with the value that each has at a point, as in the scenario file.
using Coordinates = std::vector<std::pair<std::string, std::string>>;

/// The values of the axis at `path` at these points: "128 B" stands at 128, "READ" at "READ". Throws DefinitionError,
/// which names `series`, when a point has no such axis, or when the values are in several units, for what is drawn has
/// none: "512 KiB" and "1 MiB" would stand at 512 and 1. Zero fits beside any unit.
[[nodiscard]] std::vector<Position> swept_positions(const std::vector<Coordinates>& points, const std::string& path,
                                                    const std::string& series);

}  // namespace doorbell::figures
