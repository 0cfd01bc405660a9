// Ranks of which the first ones are drawn more often than the last.
#pragma once

#include <cstdint>

#include "core/random.hpp"

namespace doorbell::core {

/// Integral of a rank to the power of minus `skew`, from 1 to `rank`; exact also where the skew is almost 1.
[[nodiscard]] double zipf_integral(double rank, double skew);

/// Rank k of 1 to `count` with a probability proportional to k to the power of minus `skew`. Needs no table: drawn by
/// rejection-inversion (Hormann and Derflinger, 1996, doi:10.1145/235025.235029), rarely in more than one try.
class Zipf {
 public:
  /// count >= 1, skew > 0.
  Zipf(std::int64_t count, double skew);

  [[nodiscard]] std::int64_t draw(RandomStream& random) const;
  /// Probability of the first rank, at most 0.1 % too small.
  [[nodiscard]] double first() const;

 private:
  [[nodiscard]] double weight(double rank) const;
  [[nodiscard]] double integral(double rank) const { return zipf_integral(rank, skew_); }
  [[nodiscard]] double inverse(double integral) const;

  std::int64_t count_;
  double skew_;
  double begin_;  // of the integral
  double end_;
  double sure_;  // ranks so close to the point drawn need no rejection
};

}  // namespace doorbell::core
