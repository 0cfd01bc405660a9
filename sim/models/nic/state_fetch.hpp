// What it takes to find out what the NIC had to forget: for simulation and closed form.
#pragma once

#include "core/quantity.hpp"
#include "models/hardware/hardware_profile.hpp"

namespace doorbell::model {

/// Time of one small read of what the NIC had to forget, a translation or the WQE of a READ, without queueing.
[[nodiscard]] inline Time state_fetch_time(const HardwareProfile& hardware) {
  return hardware.root_complex.read_latency + hardware.pcie.latency * 2;
}

}  // namespace doorbell::model
