// The DMA reads that bring WQEs from send queues to the NIC.
#pragma once

#include <vector>

#include "models/hardware/hardware_profile.hpp"
#include "models/pcie/dma_cost.hpp"

namespace doorbell::model {

/// Places in a send queue are counted in bytes from its first WQE on, as if it never began again.
class WqeReads {
 public:
  explicit WqeReads(const HardwareProfile& hardware);

  /// The read that brings the WQEs from `from` to `to`: after a doorbell, or when they have been displaced from the
  /// NIC's cache. Whole fetch units are read, but nothing from `end` on, which is not there yet or at hand.
  [[nodiscard]] DmaReadCost between(Bytes from, Bytes to, Bytes end);

  /// A read of `length`, or up to `to` where that is further, which begins at the fetch unit of `from`.
  struct Ahead {
    DmaReadCost cost;
    Bytes end{0};
  };
  [[nodiscard]] Ahead ahead(Bytes from, Bytes to, Bytes length);

  /// A read of one slot.
  [[nodiscard]] DmaReadCost of_slot() { return of(slot_); }

  /// Up to where a WQE that ends at `end` shares its place in the cache with later ones.
  [[nodiscard]] Bytes end_of_place(Bytes end) const;

  [[nodiscard]] Bytes unit() const { return unit_; }

 private:
  [[nodiscard]] DmaReadCost of(Bytes size);
  [[nodiscard]] Bytes unit_of(Bytes place) const { return Bytes{place.count / unit_.count * unit_.count}; }

  const HardwareProfile& hardware_;
  Bytes slot_;
  Bytes unit_;
  Bytes place_;
  std::vector<DmaReadCost> by_slots_;  // as far as they have been asked for
};

}  // namespace doorbell::model
