// One stage of a plan as residuals of its unknowns.
#pragma once

#include <Eigen/Dense>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/parameter.hpp"
#include "calibrate/plan.hpp"
#include "figures/engine.hpp"

namespace doorbell::calibrate {

using Vector = Eigen::VectorXd;

/// Some of the observations of a stage, one entry for each; empty: all.
using Selection = std::vector<bool>;

[[nodiscard]] inline bool is_selected(const Selection& points, std::size_t i) { return points.empty() || points[i]; }

/// An observation with the scenario that should give it.
struct Experiment {
  const Observation* observation;
  const figures::Metric* metric;
  model::Scenario scenario;
  double scale;  ///< The point's uncertainty, in its unit.
};

/// Rates fall with the inverse of times: with logarithms of both the problem is nearly linear.
class Problem {
 public:
  /// `profile` is the file of what is varied, as it is named to people. The references must outlive the problem.
  /// Throws ScenarioError when a figure has no scenario for one of its points, or one without the profile or
  /// with values of its own for the unknowns: every value of them would be as good.
  Problem(const Stage& stage, const Machine& machine, const Varied& varied, const std::string& profile,
          const figures::Engine& engine, int jobs, int& evaluations);

  [[nodiscard]] const Stage& stage() const { return stage_; }
  [[nodiscard]] const std::vector<Experiment>& experiments() const { return experiments_; }

  /// Predictions, in the units of the points, for unknowns in base units; without any, for the machine as it is.
  /// Those of other points than `points` are not made, and are 0. What was predicted for values is remembered: between
  /// two calls with values, only the unknowns of this stage may change in the machine.
  [[nodiscard]] Vector predict(const std::vector<double>& values, const Selection& points = {}) const;
  /// What predictions differ by, in uncertainties of the points; 0 for other points.
  [[nodiscard]] Vector deviations(Vector predictions, const Selection& points = {}) const;
  [[nodiscard]] Vector residuals(const std::vector<double>& values, const Selection& points = {}) const {
    return deviations(predict(values, points), points);
  }
  [[nodiscard]] double cost(const std::vector<double>& values, const Selection& points = {}) const {
    return residuals(values, points).squaredNorm();
  }
  /// What predictions of a point come in steps of, in uncertainties of it; 0 where they are smooth.
  [[nodiscard]] double resolution_of(std::size_t point) const;
  /// What becomes of a value of an unknown: counts are whole, and times and sizes have a resolution, too.
  [[nodiscard]] double rounded(std::size_t unknown, double value) const;
  /// What limits a rate with the machine as it is, by the closed form; empty for what is no rate, or where nothing
  /// does.
  [[nodiscard]] std::string limit_of(std::size_t point) const;

 private:
  void simulate_apart(std::vector<std::pair<Experiment, double>>& runs) const;

  const Stage& stage_;
  const Machine& machine_;
  const Varied& varied_;
  const figures::Engine& engine_;
  int jobs_;
  int& evaluations_;
  std::vector<Experiment> experiments_;
  mutable std::map<std::vector<double>, std::vector<std::optional<double>>> predicted_;  // by rounded unknowns
};

}  // namespace doorbell::calibrate
