// Write-combining MMIO: stores gather in 64 B buffers of the core, and a full buffer leaves as one TLP.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Kalia et al. 2016, sections 3.1 and 5.2.1. A WQE fills its last line, too, which leaves as one TLP with the others:
/// WQEs begin at cache lines and are padded to whole ones, which the paper counts (its appendix: a WQE of 65 B takes
/// two TLPs of 64 B with their headers), and drivers copy them to the BlueFlame register 64 B at a time (libmlx4,
/// libmlx5).
struct MmioParameters {
  Bytes line;
  int buffers = 0;
  Time line_cost{0};
  Time fence_cost{0};
  Bytes doorbell;
  Bytes blueflame{256};
  bool only_inline = false;
  bool last_of_list = false;
};
template <class V> void describe(V& v, MmioParameters& s) {
  v.field("line", s.line, {.doc = "Bytes of a write-combining buffer.", .min = 8, .max = 512});
  v.field("buffers", s.buffers,
          {.doc = "Write-combining buffers of one core; a core with none free waits.", .min = 1, .max = 1024});
  v.field("line_cost", s.line_cost, {.doc = "CPU time to fill one buffer.", .max = 1e-5});
  v.field("fence_cost", s.fence_cost,
          {.doc = "CPU time of the barrier that closes and flushes the buffers after a post.", .max = 1e-5});
  v.field("doorbell", s.doorbell, {.doc = "Bytes of a doorbell write.", .min = 1, .max = 64, .symbol = "d"});
  v.field("blueflame", s.blueflame,
          {.doc = "Longest WQE that the driver writes by MMIO; the NIC reads longer ones after a doorbell.",
           .min = 0,
           .max = 4096});
  v.field(
      "only_inline", s.only_inline,
      {.doc = "Whether the driver writes a WQE by MMIO only if nothing is left to gather for it: its data are in the "
              "WQE, or it is a READ."});
  v.field(
      "last_of_list", s.last_of_list,
      {.doc = "Whether the driver writes the last WQE of a list by MMIO, too, in place of a doorbell: the NIC reads "
              "the others."});
}

}  // namespace doorbell::model
