#include "core/confidence.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>

namespace doorbell::core {
namespace {

/// The mean, whose interval is not known.
ConfidenceInterval unbounded(std::span<const double> observations) {
  ConfidenceInterval result{0, std::numeric_limits<double>::infinity(), observations.size()};
  for (const double observation : observations) result.mean += observation / static_cast<double>(observations.size());
  return result;
}

double quantile(double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t{degrees_of_freedom}, 0.975);
}

}  // namespace

ConfidenceInterval confidence_interval(std::span<const double> independent) {
  const auto n = static_cast<double>(independent.size());
  ConfidenceInterval result = unbounded(independent);
  if (independent.size() < 2) return result;
  double squares = 0;
  for (const double observation : independent) {
    // std::pow may round differently from build to build.
    const double deviation = observation - result.mean;
    squares += deviation * deviation;
  }
  result.half_width = quantile(n - 1) * std::sqrt(squares / (n - 1) / n);
  return result;
}

double variance_by_neighbours(std::span<const double> drifting) {
  const auto n = static_cast<double>(drifting.size());
  double squares = 0;
  for (std::size_t i = 1; i < drifting.size(); ++i) {
    const double difference = drifting[i] - drifting[i - 1];
    squares += difference * difference;
  }
  return squares / 2 / (n - 1) / n;
}

ConfidenceInterval interval_by_neighbours(std::span<const double> drifting) {
  ConfidenceInterval result = unbounded(drifting);
  if (drifting.size() < 2) return result;
  const auto n = static_cast<double>(drifting.size());
  const double degrees_of_freedom = 2 * (n - 1) * (n - 1) / (3 * n - 4);
  result.half_width = quantile(degrees_of_freedom) * std::sqrt(variance_by_neighbours(drifting));
  return result;
}

}  // namespace doorbell::core
