// The write-combining buffers of one core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::model {

/// Buffers are freed in the order in which their TLPs leave; a core that finds none free waits for the oldest.
class WriteCombiningBuffers {
 public:
  explicit WriteCombiningBuffers(int buffers) : free_at_(static_cast<std::size_t>(buffers), Time{0}) {}

  /// When the next buffer can be filled, at the earliest `now`.
  [[nodiscard]] Time available(Time now) const { return std::max(now, free_at_[next_]); }
  /// Takes the next buffer until its TLP has left at `departure`.
  void hold_until(Time departure) {
    free_at_[next_] = departure;
    if (++next_ == free_at_.size()) next_ = 0;
  }

 private:
  std::vector<Time> free_at_;
  std::size_t next_ = 0;
};

}  // namespace doorbell::model
