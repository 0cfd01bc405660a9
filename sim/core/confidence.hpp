// How sure one may be of the mean of independent observations.
#pragma once

#include <cstddef>
#include <span>

namespace doorbell::core {

/// A mean with a two-sided 95 % confidence interval: mean +- half_width, in the unit of the observations.
struct ConfidenceInterval {
  double mean = 0;
  double half_width = 0;  ///< Infinite with fewer than two observations.
  std::size_t observations = 0;

  [[nodiscard]] bool contains(double value) const { return value >= mean - half_width && value <= mean + half_width; }
};

/// By Student's t (Law, Simulation Modeling and Analysis, section 4.5). The mean of nothing is 0.
[[nodiscard]] ConfidenceInterval confidence_interval(std::span<const double> independent);

}  // namespace doorbell::core
