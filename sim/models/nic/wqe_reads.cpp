#include "models/nic/wqe_reads.hpp"

#include <algorithm>

namespace doorbell::model {

WqeReads::WqeReads(const HardwareProfile& hardware)
    : hardware_{hardware},
      slot_{hardware.nic.wqe_slot},
      unit_{hardware.nic.wqe_fetch_unit},
      place_{std::min(hardware.nic.wqe_cache_place, unit_)} {}

DmaReadCost WqeReads::between(Bytes from, Bytes to, Bytes end) {
  const Bytes whole = unit_ * ceil_div(to, unit_);
  return of(std::max(to, std::min(whole, end)) - unit_of(from));
}

WqeReads::Ahead WqeReads::ahead(Bytes from, Bytes to, Bytes length) {
  const Bytes begin = unit_of(from);
  const Bytes end = std::max(begin + length, to);
  return {of(end - begin), end};
}

Bytes WqeReads::end_of_place(Bytes end) const { return place_ * ceil_div(end, place_); }

DmaReadCost WqeReads::of(Bytes size) {
  const auto slots = static_cast<std::size_t>(std::max<std::int64_t>(1, ceil_div(size, slot_)));
  while (by_slots_.size() <= slots) {
    const auto next = std::max<std::int64_t>(1, static_cast<std::int64_t>(by_slots_.size()));
    by_slots_.push_back(dma_read_cost(hardware_.pcie, hardware_.root_complex.read_latency, slot_ * next));
  }
  return by_slots_[slots];
}

}  // namespace doorbell::model
