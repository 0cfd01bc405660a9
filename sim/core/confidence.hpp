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

/// Variance of the mean of at least two observations that are independent except that their expected value drifts: by
/// the differences of neighbours, which hardly see the drift (von Neumann et al., The Mean Square Successive
/// Difference, Annals of Mathematical Statistics 12, 1941).
[[nodiscard]] double variance_by_neighbours(std::span<const double> drifting);
/// The interval of a mean of such observations, by Student's t with the degrees of freedom of that variance.
[[nodiscard]] ConfidenceInterval interval_by_neighbours(std::span<const double> drifting);

}  // namespace doorbell::core
