#include "figures/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace doorbell::figures {

ErrorSummary summarise(const std::vector<double>& errors) {
  if (errors.empty()) return {};
  std::vector<double> sizes(errors.size());
  // What is no number is as wrong as can be, and has its place in an order.
  std::transform(errors.begin(), errors.end(), sizes.begin(), [](double error) {
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : std::abs(error);
  });
  std::sort(sizes.begin(), sizes.end());
  const std::size_t middle = sizes.size() / 2;
  const double median = sizes.size() % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
  return {median, sizes.back(), sizes.size()};
}

std::optional<double> relative_error(double simulated, double measured) {
  if (measured == 0) return std::nullopt;
  return (simulated - measured) / measured + 0.0;  // never -0, which would be printed with its sign
}

std::string signed_percent(double fraction) {
  std::string text = fmt::format("{:+.1f} %", fraction * 100);
  return text == "+0.0 %" || text == "-0.0 %" ? text.substr(1) : text;
}

double interval_to_show(double half_width, double value) {
  constexpr double rounding = 1e-9;
  return half_width <= rounding * std::abs(value) ? 0 : half_width;
}

}  // namespace doorbell::figures
