// Which locks of their NIC atomic operations take.
#pragma once

#include <optional>

#include "analytic/ports.hpp"
#include "models/programs/region.hpp"

namespace doorbell::analytic {

/// What work asks of the locks of one machine, which the low bits of an address choose (Kalia et al. 2016, section
/// 5.4).
class LockLoad {
 public:
  explicit LockLoad(int address_bits) : address_bits_{address_bits} {}

  /// Work of `seconds` takes the locks of a region's words; without a region, all of it takes one.
  void add(const std::optional<model::Region>& region, double seconds);
  /// The number of locks that would be as busy with all of it as the busiest is on average.
  [[nodiscard]] double servers() const;
  /// The number of locks that any of it takes, at most.
  [[nodiscard]] double locks() const;

 private:
  int address_bits_;
  double seconds_ = 0;  // of all work
  double alone_ = 0;    // of the busiest lock because of one kind of work
  double few_ = 0;      // of work that takes few locks, ...
  PortLoad load_;       // ... and which these are
  double most_ = 0;     // locks of other work
};

}  // namespace doorbell::analytic
