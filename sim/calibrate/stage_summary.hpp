// How well the points of each stage fit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibrate/fit.hpp"

namespace doorbell::calibrate {

struct StageSummary {
  std::string stage;
  std::size_t points = 0;
  double median_error = 0;  ///< Of the magnitudes of relative errors.
  Residual worst;           ///< The point with the largest.
  /// Root of the sum of squared deviations over the points that are left when each parameter found has taken one:
  /// about 1 when only the uncertainties of the points part prediction and measurement.
  double chi = 0;
  /// Whether that is as small as uncertainties that are right would make it. Otherwise the model lacks something or
  /// they are too small, and intervals that follow from them are too small as well.
  bool fits = true;
};

/// In the order of the stages.
[[nodiscard]] std::vector<StageSummary> summarise(const Fit& fit);

}  // namespace doorbell::calibrate
