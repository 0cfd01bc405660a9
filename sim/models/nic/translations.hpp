// What the NIC has to know of the pages of regions, and what it takes to find out: for simulation and closed form.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "models/hardware.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

/// Translations (MTT entries) that a region has.
[[nodiscard]] inline std::int64_t pages_of(const Region& region) {
  return ceil_div(region.stride * region.count, region.page);
}

/// Time of one small read of what the NIC had to forget, a translation or the WQE of a READ, without queueing.
[[nodiscard]] inline Time state_fetch_time(const HardwareProfile& hardware) {
  return hardware.root_complex.read_latency + hardware.pcie.latency * 2;
}

}  // namespace doorbell::model
