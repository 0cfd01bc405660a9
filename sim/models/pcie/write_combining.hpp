// The write-combining buffers of one core.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"
#include "models/pcie/credit_ring.hpp"

namespace doorbell::model {

/// Buffers are freed in the order in which their TLPs leave; a core that finds none free waits for the oldest.
class WriteCombiningBuffers {
 public:
  explicit WriteCombiningBuffers(int buffers) : free_{buffers} {}

  /// When the next buffer can be filled, at the earliest `now`.
  [[nodiscard]] Time available(Time now) const { return std::max(now, free_.next()); }
  /// Takes the next buffer until its TLP has left at `departure`.
  void hold_until(Time departure) { free_.take(departure); }

 private:
  CreditRing free_;
};

}  // namespace doorbell::model
