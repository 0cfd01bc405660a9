// Going down to a least sum of squares.
#pragma once

#include <vector>

#include "calibrate/problem.hpp"

namespace doorbell::calibrate {

/// Levenberg-Marquardt on the residuals of `points`, from `values` on: what it ends with, or `values` where that is no
/// better. Problems are smooth but for the places where the bottleneck changes.
[[nodiscard]] std::vector<double> descend(const Problem& problem, const std::vector<double>& values,
                                          const Selection& points = {});

}  // namespace doorbell::calibrate
