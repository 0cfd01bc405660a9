#include "calibrate/influence.hpp"

#include <algorithm>
#include <cmath>

namespace doorbell::calibrate {
namespace {

/// The power with which predictions follow the unknowns: 1 for a rate that doubles with what doubles. Uncertainties do
/// not count: a point that hardly follows is drawn away by other errors of the model, however well it was measured.
Eigen::MatrixXd powers_of(const Problem& problem, Eigen::MatrixXd jacobian) {
  for (std::size_t i = 0; i < problem.experiments().size(); ++i) {
    const Experiment& experiment = problem.experiments()[i];
    const double size = std::max(std::abs(experiment.observation->point.value), 3 * experiment.scale);
    jacobian.row(static_cast<Eigen::Index>(i)) *= experiment.scale / size;
  }
  return jacobian.cwiseAbs();
}

}  // namespace

Selection depending_points(const Problem& problem, const Eigen::MatrixXd& jacobian) {
  constexpr double least_share = 0.2;
  const Eigen::MatrixXd powers = powers_of(problem, jacobian);
  if (!powers.allFinite()) return {};
  const Eigen::RowVectorXd largest = powers.colwise().maxCoeff();
  Selection points(problem.experiments().size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (Eigen::Index k = 0; k < powers.cols(); ++k) {
      const double power = powers(static_cast<Eigen::Index>(i), k);
      if (power > 0 && power >= least_share * largest[k]) points[i] = true;
    }
  }
  const auto decide = std::count(points.begin(), points.end(), true);
  if (decide == 0 || decide == static_cast<std::ptrdiff_t>(points.size())) return {};
  return points;
}

}  // namespace doorbell::calibrate
