// How well the points of each stage fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit.hpp"

namespace doorbell::calibrate {

/// Chance alone exceeds it in less than 5 % of cases, however few points there are: the quantiles of the chi-square
/// distribution allow 1.96 for one point to spare, 1.5 for five and less for more.
inline constexpr double largest_chi = 2;

struct StageSummary {
  std::string stage;
  std::size_t points = 0;
  std::optional<double> median_error;  ///< Of the magnitudes of relative errors, of points that have one.
  Residual worst;                      ///< The point with the largest.
  /// Root of the sum of squared deviations of the points that depend on the parameters, over those left when each
  /// parameter found has taken one: about 1 when only the uncertainties part prediction and measurement.
  double chi = 0;
  /// Whether that is as small as uncertainties that are right would make it. Otherwise the model lacks something or
  /// they are too small.
  bool fits = true;
  /// Whether more points decide than there are parameters, so that intervals follow from how they scatter where they do
  /// not fit.
  bool scatter_is_known = false;
  std::size_t outvoted = 0;
};

/// In the order of the stages.
[[nodiscard]] std::vector<StageSummary> summarise(const Fit& fit);

}  // namespace doorbell::calibrate
