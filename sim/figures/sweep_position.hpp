// Where the points of a sweep stand on the x axis of a figure.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/definition.hpp"

namespace doorbell::figures {

/// JSON pointers of the axes of a sweep, with the value that each has at a point, as in the scenario file.
using Coordinates = std::vector<std::pair<std::string, std::string>>;

/// The values of the axis at `path` at these points: "128 B" stands at 128, "READ" at "READ". Throws ScenarioError
/// where the simulation says its x, when a point has no such axis, or when the values are in several units, for what is
/// drawn has none: "512 KiB" and "1 MiB" would stand at 512 and 1. Zero fits beside any unit.
[[nodiscard]] std::vector<Position> swept_positions(const std::vector<Coordinates>& points, const std::string& path,
                                                    const Simulation& simulation);

/// Whether two points stand at one place; numbers may differ by what rounding does.
[[nodiscard]] bool same(const Position& a, const Position& b);

/// Whether a point of a scenario has all these coordinates.
[[nodiscard]] bool stands_at(const Coordinates& point, const Coordinates& at);

/// Of `there`, what a misspelt x may have meant: of numbers the closest; empty where nothing is near.
[[nodiscard]] std::string nearest_position(const Position& x, const std::vector<Position>& there);

/// Where the points of the scenario at which a series stands are drawn, one after the other; a scenario of one point is
/// drawn at all positions that are given. Nothing when only the run tells. Throws ScenarioError as swept_positions(),
/// and when other than one point has another number of positions.
[[nodiscard]] std::optional<std::vector<Position>> positions_of(const Simulation& simulation,
                                                                const std::vector<Coordinates>& points);

}  // namespace doorbell::figures
