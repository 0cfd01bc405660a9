// How well the points of a stage determine what was found.
#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/fit.hpp"
#include "calibrate/problem.hpp"

namespace doorbell::calibrate {

struct Interval {
  double half_width = 0;  ///< Of 95 %; infinite where the parameter is open.
  Open open = Open::no;
  /// Unknowns of the stage, by their places, that it is hardly told apart from.
  std::vector<std::size_t> with;
};

/// From the derivatives at `values`, and from the uncertainties of the points that decide. Where the points scatter
/// about the solution by more than these explain (chi above `largest_chi`), the scatter counts instead, with Student's
/// t, if there are more points than unknowns. Percentiles, which come in steps, add half a step, and leave open what
/// they tell no better than these steps.
[[nodiscard]] std::vector<Interval> intervals(const Problem& problem, const std::vector<double>& values,
                                              const Selection& deciding);

}  // namespace doorbell::calibrate
