// Errors of simulated against measured values, summed up.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace doorbell::figures {

/// Report and page point out the points whose relative error is larger.
inline constexpr double large_error = 0.15;

/// Median and largest of the magnitudes of some errors; empty when there are none.
struct ErrorSummary {
  std::optional<double> median;
  std::optional<double> worst;
  std::size_t count = 0;
};

/// `errors` are signed fractions. The median of an even number is the mean of the middle two.
[[nodiscard]] ErrorSummary summarise(const std::vector<double>& errors);

/// (simulated - measured) / measured; nothing when measured is 0, for then no fraction says anything.
[[nodiscard]] std::optional<double> relative_error(double simulated, double measured);

/// "+1.2 %"; "0.0 %", without a sign, for what is zero to these digits.
[[nodiscard]] std::string signed_percent(double fraction);

/// The half width of an interval around `value`; none where it is what rounding left of equal numbers.
[[nodiscard]] double interval_to_show(double half_width, double value);

}  // namespace doorbell::figures
