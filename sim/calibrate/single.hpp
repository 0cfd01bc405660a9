// Finding one unknown.
#pragma once

#include <optional>
#include <vector>

#include "calibrate/problem.hpp"

namespace doorbell::calibrate {

struct SingleSolution {
  double value = 0;
  Selection depending;  ///< The points that depend on the unknown there.
  Selection deciding;   ///< Those of them that the value rests on: without what contradicts a majority.
  /// For each point, the value that suits it alone, of several the nearest; nothing where none in the range does.
  std::vector<std::optional<double>> wanted;
};

/// Least squares for a stage with a single unknown, over all of its range and over those points that depend on it: a
/// point that something else limits at the solution has no say. Where points contradict each other grossly, they are
/// not averaged if more than half of those that depend on the unknown agree: of what the points want, that is taken
/// which leaves the least unexplained. A point that was slower than the model has it may be limited by what the model
/// lacks; one that was faster counts as much as three of those.
[[nodiscard]] SingleSolution solve_single(const Problem& problem);

}  // namespace doorbell::calibrate
