#include "calibrate/derivatives.hpp"

#include <algorithm>
#include <cmath>

namespace doorbell::calibrate {
namespace {

/// Times the resolution that a change has to be to tell a derivative to a few per cent.
constexpr double clear_change = 8;

/// One column of the derivatives.
class Column {
 public:
  Column(const Problem& problem, const std::vector<double>& values, std::size_t unknown, Derivatives& all)
      : problem_{problem}, values_{values}, unknown_{unknown}, all_{all} {}

  void fill(Selection points) const {
    // The first one is larger than the noise of a simulation; beyond the last one nothing is a derivative any more.
    constexpr double wider = 3;
    constexpr double widest = 0.9;
    const double first = problem_.stage().method == Method::closed_form ? 0.001 : 0.03;
    for (double step = first; std::find(points.begin(), points.end(), true) != points.end(); step *= wider) {
      fill(points, step, first, step * wider > widest);
    }
  }

 private:
  /// Takes those points out of `points` that this step is wide enough for.
  void fill(Selection& points, double step, double first, bool is_last) const {
    const Unknown& range = problem_.stage().unknowns[unknown_];
    const double value = values_[unknown_];
    // Only the first may lead beyond the range.
    const double up = std::min(value * std::exp(step), std::max(range.max, value * std::exp(first)));
    const double down = std::max(value * std::exp(-step), std::min(range.min, value * std::exp(-first)));
    const double distance = std::log(problem_.rounded(unknown_, up) / problem_.rounded(unknown_, down));
    const bool is_apart = distance > 0 && std::isfinite(distance);
    if (!is_apart && !is_last) return;
    const Vector change = is_apart ? Vector{residuals_with(up, points) - residuals_with(down, points)}
                                   : Vector::Zero(static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double resolution = problem_.resolution_of(i);
      if (!points[i] || (!is_last && std::abs(change[row]) < clear_change * resolution)) continue;
      points[i] = false;
      if (is_apart) set(row, change[row] / distance, distance, resolution);
    }
  }

  [[nodiscard]] Vector residuals_with(double value, const Selection& points) const {
    std::vector<double> trial = values_;
    trial[unknown_] = value;
    return problem_.residuals(trial, points);
  }

  void set(Eigen::Index row, double slope, double distance, double resolution) const {
    const auto column = static_cast<Eigen::Index>(unknown_);
    all_.jacobian(row, column) = slope;
    if (resolution == 0) return;
    // Either end lies anywhere in its bin; and over a wide step, what is added to something constant bends.
    const double by_bins = resolution / std::sqrt(6.0) / distance;
    const double by_bending = slope * distance * distance / 24;
    all_.noise(row, column) = std::hypot(by_bins, by_bending);
  }

  const Problem& problem_;
  const std::vector<double>& values_;
  std::size_t unknown_;
  Derivatives& all_;
};

}  // namespace

Derivatives derivatives(const Problem& problem, const std::vector<double>& values, const Selection& points) {
  const std::size_t count = problem.experiments().size();
  const auto rows = static_cast<Eigen::Index>(count);
  const auto columns = static_cast<Eigen::Index>(values.size());
  Derivatives all{Eigen::MatrixXd::Zero(rows, columns), Eigen::MatrixXd::Zero(rows, columns)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Column{problem, values, i, all}.fill(points.empty() ? Selection(count, true) : points);
  }
  return all;
}

}  // namespace doorbell::calibrate
