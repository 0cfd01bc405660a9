// The NIC's cache of send WQEs (Kalia et al. 2016, sections 3.3 and 5.3.2): sets of a few places, in each of which a
// new WQE takes the oldest one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scatter.hpp"

namespace doorbell::model {

class WqeCache {
 public:
  /// `capacity` WQEs in sets of `ways`; 0: one set of all, a ring. Which set a WQE goes to is as good as random.
  explicit WqeCache(int capacity, int ways = 0)
      : ways_{static_cast<std::uint64_t>(ways > 0 ? std::min(ways, capacity) : capacity)},
        arrivals_(static_cast<std::size_t>(ways > 0 ? std::max(1, capacity / ways) : 1)) {}

  /// Takes in a WQE, written by MMIO or read by DMA. Returns its ticket.
  [[nodiscard]] std::uint64_t insert() {
    const std::size_t set = arrivals_.size() == 1 ? 0 : core::scatter(core::golden_gamma + next_++) % arrivals_.size();
    return static_cast<std::uint64_t>(set) << arrival_bits | arrivals_[set]++;
  }
  /// Takes in what is used up at once, and yet displaces others.
  void occupy() { static_cast<void>(insert()); }
  /// Whether the WQE of this ticket is still there: fewer than `ways` have come to its set after it.
  [[nodiscard]] bool holds(std::uint64_t ticket) const {
    constexpr std::uint64_t arrival = (std::uint64_t{1} << arrival_bits) - 1;
    return arrivals_[ticket >> arrival_bits] - (ticket & arrival) <= ways_;
  }

 private:
  static constexpr int arrival_bits = 33;  // which leaves 31 for the set: more than the parameters allow

  std::uint64_t ways_;
  std::vector<std::uint64_t> arrivals_;  // in each set so far
  std::uint64_t next_ = 0;
};

}  // namespace doorbell::model
