#include "calibrate/interval.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "calibrate/derivatives.hpp"
#include "calibrate/stage_summary.hpp"

namespace doorbell::calibrate {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

constexpr double usual_width = 1.96;

/// Half of a 95 % interval in standard deviations that follow from uncertainties of 1. Scatter that is larger than the
/// uncertainties says by how much they are wrong; but of few points it says so badly, and the uncertainties count as
/// one observation more (a scaled inverse chi-square distribution of one degree of freedom as the prior of variances).
double widening(const Vector& residuals, const Selection& deciding, Eigen::Index found) {
  const auto points = deciding.empty() ? residuals.size()
                                       : static_cast<Eigen::Index>(std::count(deciding.begin(), deciding.end(), true));
  const auto to_spare = static_cast<double>(points - found);
  if (to_spare < 1) return usual_width;
  const double squares = residuals.squaredNorm();
  if (!(squares > largest_chi * largest_chi * to_spare)) return usual_width;
  const boost::math::students_t student{to_spare + 1};
  return std::sqrt((1 + squares) / (1 + to_spare)) * boost::math::quantile(student, 0.975);
}

/// Others that make up for it: with them it could be anything in its interval.
std::vector<std::size_t> partners(const Eigen::MatrixXd& inverse, Eigen::Index k) {
  constexpr double strong = 0.95;
  std::vector<std::size_t> others;
  for (Eigen::Index other = 0; other < inverse.rows(); ++other) {
    const double lengths = inverse.row(k).norm() * inverse.row(other).norm();
    if (other != k && std::abs(inverse.row(k).dot(inverse.row(other))) > strong * lengths) {
      others.push_back(static_cast<std::size_t>(other));
    }
  }
  return others;
}

std::vector<std::size_t> partners_in_combination(const Eigen::MatrixXd& resolved, Eigen::Index k) {
  std::vector<std::size_t> others;
  for (Eigen::Index other = 0; other < resolved.cols(); ++other) {
    if (other != k && std::abs(resolved(k, other)) > 0.01) others.push_back(static_cast<std::size_t>(other));
  }
  return others;
}

/// The change of the unknowns, that of one being 1, which is the hardest for the points to see; so much of a change of
/// this one alone can be made up for by the others.
Vector hidden_change(const Eigen::MatrixXd& covariance, Eigen::Index k) { return covariance.col(k) / covariance(k, k); }

/// Whether what the points see of it may be noise of the derivatives.
bool is_lost_in_noise(const Eigen::MatrixXd& covariance, const Vector& noise, Eigen::Index k) {
  constexpr double sure = 2;
  const double seen = 1 / std::sqrt(covariance(k, k));
  return seen < sure * hidden_change(covariance, k).cwiseProduct(noise).norm();
}

std::vector<std::size_t> partners_in_noise(const Eigen::MatrixXd& covariance, Eigen::Index k) {
  constexpr double considerable = 0.1;
  const Vector change = hidden_change(covariance, k);
  std::vector<std::size_t> others;
  for (Eigen::Index other = 0; other < change.size(); ++other) {
    if (other != k && std::abs(change[other]) > considerable) others.push_back(static_cast<std::size_t>(other));
  }
  return others;
}

}  // namespace

std::vector<Interval> intervals(const Problem& problem, const std::vector<double>& values, const Selection& deciding) {
  std::vector<Interval> found(values.size(), {unbounded, Open::no_influence, {}});
  const Derivatives told = derivatives(problem, values, deciding);
  Eigen::MatrixXd slopes = told.jacobian;
  if (!slopes.allFinite()) return found;
  // Units of equal length, or a parameter that counts little would look like a combination of others.
  const Vector lengths = slopes.colwise().norm();
  Vector noises = told.noise.colwise().norm();
  for (Eigen::Index k = 0; k < slopes.cols(); ++k) {
    if (!(lengths[k] > 0)) continue;
    slopes.col(k) /= lengths[k];
    noises[k] /= lengths[k];
  }
  // Predictions that come in steps may all be off by half a step, and in the same direction.
  Vector half_steps(slopes.rows());
  for (Eigen::Index i = 0; i < half_steps.size(); ++i) {
    const auto point = static_cast<std::size_t>(i);
    half_steps[i] = is_selected(deciding, point) ? problem.resolution_of(point) / 2 : 0;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-6);
  decomposition.compute(slopes);
  const Eigen::MatrixXd inverse = decomposition.pseudoInverse();
  const Eigen::MatrixXd covariance = inverse * inverse.transpose();
  const Eigen::MatrixXd resolved = inverse * slopes;  // 1 on the diagonal where the points tell one from all others
  const double wide = widening(problem.residuals(values, deciding), deciding, decomposition.rank());
  constexpr double worth_telling = 0.1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    Interval& interval = found[i];
    if (!(lengths[k] > 0)) {
      // A step of a percentile may hide an influence.
      if (half_steps.norm() > 0) interval.open = Open::resolution;
      continue;
    }
    if (!(resolved(k, k) > 1 - 1e-6)) {
      interval = {unbounded, Open::combination, partners_in_combination(resolved, k)};
      continue;
    }
    if (is_lost_in_noise(covariance, noises, k)) {
      interval = {unbounded, Open::resolution, partners_in_noise(covariance, k)};
      continue;
    }
    const double deviation = inverse.row(k).norm() / lengths[k];
    const double by_steps = inverse.row(k).cwiseAbs().dot(half_steps) / lengths[k];
    const double relative = wide * deviation + by_steps;
    const Unknown& unknown = problem.stage().unknowns[i];
    // Scatter makes an interval wide; but whether points tell anything at all is a matter of derivatives.
    const double factor = std::exp(usual_width * deviation + by_steps);
    if (relative > worth_telling) interval.with = partners(inverse, k);
    if (values[i] / factor > unknown.min || values[i] * factor < unknown.max) {
      interval.half_width = relative * values[i];
      interval.open = Open::no;
    } else {
      interval.open = interval.with.empty() ? Open::range : Open::combination;
    }
  }
  return found;
}

}  // namespace doorbell::calibrate
