// The points of a figure before anything runs, and what of its file does not fit them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "figures/evaluate.hpp"
#include "figures/sweep_position.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {

/// A complaint about what a figure says of a scenario, at the place where it says so: an override, or the name of a
/// file that cannot be taken. What is wrong in the scenario itself stays where it is.
[[nodiscard]] scenario::ScenarioError in_figure(const scenario::ScenarioError& error, const Simulation& simulation);
/// The same of any file that a figure names.
[[nodiscard]] scenario::ScenarioError in_figure(const scenario::ScenarioError& error, const std::filesystem::path& file,
                                                const Mention& mention);

/// A misspelt x should not cost the time of all simulations.
class PlannedPoints {
 public:
  /// A series of a scenario whose sweep has `points`. Throws ScenarioError when it asks of them what they do not
  /// have.
  void add(const Series& series, const Simulation& simulation, const std::vector<Coordinates>& points);
  /// A series whose points are known. Throws ScenarioError when one before has such a point.
  void add(const Series& series, std::vector<PointResult> points);

  /// Throws ScenarioError for bars, claims and rows of the reference that name points which are not there.
  void require_all_of(const Figure& figure) const;

 private:
  void require(const std::string& series, const Position& x, const Mention& mention, const std::string& found) const;

  std::vector<PointResult> points_;  ///< Without what is simulated.
  std::set<std::string> open_;       ///< Series whose points only the run tells.
};

}  // namespace doorbell::figures
