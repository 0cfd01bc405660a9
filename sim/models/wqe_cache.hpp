// The NIC's cache of send WQEs (paper sections 3.3 and 5.3.2): a ring in which every new WQE takes the oldest place.
#pragma once

#include <cstdint>

namespace doorbell::model {

class WqeCache {
 public:
  /// `capacity` WQEs.
  explicit WqeCache(int capacity) : capacity_{static_cast<std::uint64_t>(capacity)} {}

  /// Takes in a WQE, written by MMIO or read by DMA. Returns its ticket.
  [[nodiscard]] std::uint64_t insert() { return next_++; }
  /// Whether the WQE of this ticket is still there: fewer than `capacity` have come after it.
  [[nodiscard]] bool holds(std::uint64_t ticket) const { return next_ - ticket <= capacity_; }

 private:
  std::uint64_t capacity_;
  std::uint64_t next_ = 0;
};

}  // namespace doorbell::model
