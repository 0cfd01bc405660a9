#include "cli/bounds_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

constexpr int bound_decimals = 2;

/// Heading and rows of one shape; `unit` is how much room a bound takes. Without room for these, columns are as narrow
/// as they can be, and names above the numbers where they have to be.
std::string bounds_table(const analytic::Bounds& bounds, Layout layout, std::size_t unit,
                         const std::function<std::string(const analytic::Bound&)>& limit_of) {
  std::vector<std::vector<std::string>> rows{{"Resource", "demand", "servers", "bound"}};
  std::size_t longest = 0;
  for (const analytic::Bound& bound : bounds.bounds) {
    rows.push_back({bound.resource, time_text(bound.demand, bound_decimals),
                    fmt::format("{:g}", std::round(bound.servers * 100) / 100), limit_of(bound)});
    longest = std::max(longest, width(bound.resource));
  }
  const std::size_t numbers = 1 + 12 + 1 + 9 + 1 + unit;
  if (longest + numbers > layout.tables) return fmt::format("{}", fmt::join(lines_of_rows(rows, layout), ""));
  const std::size_t usual = 54 - unit;
  const std::size_t names = std::clamp(layout.tables - numbers, longest, std::max(longest, usual));
  std::string text;
  for (const auto& row : rows)
    text += fmt::format("{:<{}} {:>12} {:>9} {:>{}}\n", row[0], names, row[1], row[2], row[3], unit);
  return text;
}

std::string rates_table(const analytic::Bounds& bounds, Layout layout) {
  return bounds_table(bounds, layout, 12, [](const analytic::Bound& bound) { return rate_text(bound.limit); }) +
         fmt::format("\nBound        {}\n", rate_text(bounds.throughput));
}

std::string moved_text(const analytic::Bounds& bounds, double times = 1) {
  return fmt::format("{:.1f} MiB/s", times * bounds.bandwidth.bytes_per_second / (1024 * 1024));
}

/// The same for what moves blocks.
std::string bandwidths_table(const analytic::Bounds& bounds, Layout layout) {
  const auto limit_of = [&](const analytic::Bound& bound) {
    return moved_text(bounds, bound.limit.per_second / bounds.throughput.per_second);
  };
  return bounds_table(bounds, layout, 14, limit_of) + "\nBound        " + moved_text(bounds) + "\n";
}

}  // namespace

std::string bounds_text(const analytic::Bounds& bounds, std::optional<Rate> mean_value, Layout layout) {
  if (bounds.bounds.empty())
    return "Nothing bounds it: no program asks without collecting as well, which is not followed.\n";
  const bool moves_blocks = bounds.bandwidth.bytes_per_second > 0;
  const bool of_one_size = moves_blocks && !bounds.sizes_differ;
  std::string text = of_one_size ? bandwidths_table(bounds, layout) : rates_table(bounds, layout);
  if (moves_blocks && !of_one_size) text += "Bandwidth    at most " + moved_text(bounds) + "\n";
  if (bounds.shared) {
    text += wrapped(fmt::format("Shared       {}, if {} get as much of what they share as they keep under way, or as "
                                "arrives",
                                rate_text(*bounds.shared), fmt::join(bounds.sharing, " and ")),
                    2, layout);
  }
  if (mean_value) text += fmt::format("Mean value   {}, with queueing\n", rate_text(*mean_value));
  text += fmt::format("Unloaded     {}\n", time_text(bounds.unloaded_latency, bound_decimals));
  text += wrapped(fmt::format("Bottleneck   {}", bounds.bottleneck), 2, layout);
  if (!bounds.next.empty())
    text += wrapped(fmt::format("Next         {}, at {:.2f} times the rate", bounds.next, bounds.gap), 2, layout);
  if (!bounds.assumed_shares.empty()) {
    text += wrapped(fmt::format("Assumed      {} start work, each as much as it keeps under way: what they really take "
                                "decides, and a run may pass this bound",
                                fmt::join(bounds.assumed_shares, " and ")),
                    2, layout);
  }
  for (const std::string& what : bounds.left_out) text += wrapped("Left out     " + what, 2, layout);
  return text;
}

}  // namespace doorbell::cli
