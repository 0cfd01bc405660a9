// The loads of a scenario with remote memory, on its host and device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "models/common/load.hpp"
#include "models/remote_loads/remote_memory.hpp"
#include "models/remote_memory/device_part.hpp"
#include "models/remote_memory/host_cpu.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

/// Where loads run, and the software and stripes that they find there.
struct LoadPlace {
  core::Calendar& calendar;
  HostCpu& cpu;
  RemoteDevice& device;
  const RemoteMemoryScenario& scenario;
  DeviceUse* use = nullptr;  ///< Counts what the load asks of the device; must outlive the load.
};

/// A load whose part of the device begins at `begin`. `load` must outlive it, and say one of the loads: throws
/// std::invalid_argument if it says none.
[[nodiscard]] std::unique_ptr<Load> make_load(const LoadPlace& place, const RemoteLoad& load, Bytes begin,
                                              std::uint64_t seed);

/// How much of the device it uses.
[[nodiscard]] Bytes extent_of(const RemoteLoad& load);

/// Where each load's part of the device begins: that of the one that is measured, those beside it, and what follows
/// them. Each begins with a stripe.
[[nodiscard]] std::vector<Bytes> parts_of_loads(const RemoteMemoryScenario& scenario);

}  // namespace doorbell::model
