// Sweeps: axes of values, and the points of their product.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// One axis: a parameter and its values, or several parameters that change together (zipped).
struct Axis {
  std::vector<Pointer> paths;
  std::vector<Location> places;         ///< Where each path was written.
  std::vector<std::vector<Node>> rows;  ///< For each step of the axis one value per path.
};

/// Reads `"sweep": [{"path": p, "values": [v, ...]}, {"paths": [p, q], "values": [[v, w], ...]}]`.
/// Throws ScenarioError.
[[nodiscard]] std::vector<Axis> read_sweep(const Node& sweep);

/// Removes a path, and what lies in the value there, from the axes that vary it; an axis that varies nothing any more
/// vanishes.
void drop_path(std::vector<Axis>& axes, const Pointer& path);

/// The same for paths that `drop` is true for, in a sweep as it is written. What is not as it should be is left to
/// read_sweep().
void drop_from_sweep(Node& sweep, const std::function<bool(const std::string&)>& drop);

/// How many points the axes span; 1 without axes.
[[nodiscard]] std::size_t point_count(const std::vector<Axis>& axes);

/// Which row each axis takes at a point. The last axis changes fastest.
[[nodiscard]] std::vector<std::size_t> rows_at(const std::vector<Axis>& axes, std::size_t point);

/// A value of a sweep as text: without quotes, and without its provenance.
[[nodiscard]] std::string coordinate_text(const Node& value);

}  // namespace doorbell::scenario
