#include "models/common/settling.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace doorbell::model {
namespace {

std::string count_of(double count) {
  constexpr double small = 10;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), count < small ? "%.2g" : "%.0f", count);
  return text.data();
}

}  // namespace

std::string unsettled(std::string_view whose, double accounted, double in_flight, double stuck) {
  constexpr double notable = 1.0 / 8;
  if (accounted <= 0 || std::abs(in_flight - accounted) < notable * accounted) return {};
  std::string warning = std::string{whose} + " has not settled: its rate and latency account for " +
                        count_of(accounted) + " operations in flight, and there were " + count_of(in_flight);
  if (stuck <= 0 || in_flight < accounted || stuck < (in_flight - accounted) / 2)
    return warning + ": a longer warm-up would tell";
  return warning + ", " + count_of(stuck) +
         " of them of threads to which nothing came back while measuring: they wait for long, or for what never comes";
}

}  // namespace doorbell::model
