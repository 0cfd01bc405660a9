#include "core/zipf.hpp"

#include <algorithm>
#include <cmath>

namespace doorbell::core {
namespace {

/// (exp(x) - 1) / x and log(1 + x) / x, which are 1 at 0.
double expm1_over(double x) { return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2; }
double log1p_over(double x) { return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2; }

}  // namespace

double zipf_integral(double rank, double skew) {
  const double log_rank = std::log(rank);
  return expm1_over((1 - skew) * log_rank) * log_rank;
}

Zipf::Zipf(std::int64_t count, double skew)
    : count_{count},
      skew_{skew},
      begin_{integral(1.5) - 1},
      end_{integral(static_cast<double>(count) + 0.5)},
      sure_{2 - inverse(integral(2.5) - weight(2))} {}

double Zipf::weight(double rank) const { return std::exp(-skew_ * std::log(rank)); }

double Zipf::inverse(double integral) const {
  // Rounding may take it below the smallest value there is.
  const double scaled = std::max(-1.0, integral * (1 - skew_));
  return std::exp(log1p_over(scaled) * integral);
}

std::int64_t Zipf::draw(RandomStream& random) const {
  for (;;) {
    const double point = end_ + random.uniform() * (begin_ - end_);
    const double x = inverse(point);
    const double rank = std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(count_));
    if (rank - x <= sure_ || point >= integral(rank + 0.5) - weight(rank)) return static_cast<std::int64_t>(rank);
  }
}

double Zipf::first() const {
  // Where the weight is convex, its integral over half a rank on both sides is above it.
  constexpr std::int64_t one_by_one = 100;
  const std::int64_t summed = std::min(count_, one_by_one);
  double sum = 0;
  for (std::int64_t rank = 1; rank <= summed; ++rank) sum += weight(static_cast<double>(rank));
  return 1 / (sum + end_ - integral(static_cast<double>(summed) + 0.5));
}

}  // namespace doorbell::core
