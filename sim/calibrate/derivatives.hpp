// How the predictions of a stage follow its unknowns.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "calibrate/problem.hpp"

namespace doorbell::calibrate {

/// Of the residuals by the logarithms of the unknowns: a row for each point, a column for each unknown.
struct Derivatives {
  Eigen::MatrixXd jacobian;
  Eigen::MatrixXd noise;  ///< Standard deviations of its entries, from the steps that predictions come in.
};

/// By differences at `values`. Where a small one drowns in the resolution of what is predicted, or of an unknown, the
/// difference is taken wider, in the range of the unknown. 0 for other points than `points`.
[[nodiscard]] Derivatives derivatives(const Problem& problem, const std::vector<double>& values,
                                      const Selection& points = {});

[[nodiscard]] inline Eigen::MatrixXd jacobian(const Problem& problem, const std::vector<double>& values,
                                              const Selection& points = {}) {
  return derivatives(problem, values, points).jacobian;
}

}  // namespace doorbell::calibrate
