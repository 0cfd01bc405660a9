// Distribution of latencies over many orders of magnitude.
#pragma once

#include "core/quantity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace doorbell::core {

/// Log-linear histogram: every power of two is divided into 128 equal bins, and latencies below 256 ps have bins of
/// their own. A percentile is the middle of its bin, so that it is off by at most 1/256 (0.4 %) of itself, plus half a
/// picosecond; count and maximum are exact, and so is the mean as long as the sum stays below 2^53 ps (2.5 hours). An
/// addition costs a few instructions and never allocates.
class LatencyHistogram {
 public:
  LatencyHistogram() : bins_(bin_count, 0) {}

  /// Adds a latency; negative ones count as 0.
  void add(Time latency) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
    ++bins_[bin_of(value)];
    ++count_;
    sum_ += static_cast<double>(value);
    minimum_ = std::min(minimum_, value);
    maximum_ = std::max(maximum_, value);
  }

  /// Adds all that `other` holds.
  void merge(const LatencyHistogram& other) {
    for (std::size_t bin = 0; bin < bin_count; ++bin) bins_[bin] += other.bins_[bin];
    count_ += other.count_;
    sum_ += other.sum_;
    minimum_ = std::min(minimum_, other.minimum_);
    maximum_ = std::max(maximum_, other.maximum_);
  }

  /// Forgets everything, as at the end of the warm-up.
  void reset() { *this = LatencyHistogram{}; }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The following are 0 if nothing was added.
  [[nodiscard]] Time maximum() const { return Time{static_cast<std::int64_t>(maximum_)}; }
  [[nodiscard]] Time mean() const {
    if (count_ == 0) return Time{0};
    const double mean = sum_ / static_cast<double>(count_);
    return mean < static_cast<double>(maximum_) ? Time{std::llround(mean)} : maximum();
  }

  /// The smallest latency that at least `fraction` (0 to 1) of all do not exceed: percentile(0.99) is the 99th.
  [[nodiscard]] Time percentile(double fraction) const {
    const double wanted = fraction * static_cast<double>(count_);
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < bin_count; ++bin) {
      below += bins_[bin];
      if (bins_[bin] == 0 || static_cast<double>(below) < wanted) continue;
      return Time{static_cast<std::int64_t>(std::clamp(middle(bin), minimum_, maximum_))};
    }
    return maximum();
  }

 private:
  static constexpr unsigned fine_bits = 7;
  static constexpr std::uint64_t fine = 1U << fine_bits;
  // Values of 63 bits: 8 of them resolved exactly, then 128 bins for each of the other 55.
  static constexpr std::size_t bin_count = (63 - fine_bits + 1) * fine;

  static std::size_t bin_of(std::uint64_t value) {
    const unsigned width = static_cast<unsigned>(std::bit_width(value | fine));
    const unsigned shift = width - fine_bits - 1;
    return shift * fine + (value >> shift);
  }
  static std::uint64_t middle(std::size_t bin) {
    if (bin < 2 * fine) return bin;
    const unsigned shift = static_cast<unsigned>(bin / fine) - 1;
    const std::uint64_t low = (bin - shift * fine) << shift;
    return low + ((std::uint64_t{1} << shift) >> 1);
  }

  std::vector<std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  std::uint64_t minimum_ = ~std::uint64_t{0};
  std::uint64_t maximum_ = 0;
};

}  // namespace doorbell::core
