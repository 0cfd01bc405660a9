#include "core/confidence.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>

namespace doorbell::core {

ConfidenceInterval confidence_interval(std::span<const double> independent) {
  const auto n = static_cast<double>(independent.size());
  ConfidenceInterval result{0, std::numeric_limits<double>::infinity(), independent.size()};
  for (const double observation : independent) result.mean += observation / n;
  if (independent.size() < 2) return result;
  double squares = 0;
  for (const double observation : independent) {
    // std::pow may round differently from build to build.
    const double deviation = observation - result.mean;
    squares += deviation * deviation;
  }
  const boost::math::students_t student(n - 1);
  result.half_width = boost::math::quantile(student, 0.975) * std::sqrt(squares / (n - 1) / n);
  return result;
}

}  // namespace doorbell::core
