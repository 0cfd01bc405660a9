// What a run tells of devices on remote memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/remote_memory/hosted_device.hpp"

namespace doorbell::model {

/// The devices of the machines of one group, of which there is one at least.
struct DevicesOfGroup {
  const std::string& machine;
  const std::vector<std::unique_ptr<HostedDevice>>& devices;
};

/// How busy what serves their requests is, on average over the machines.
void report_devices(const DevicesOfGroup& group, Time now, Time measured, std::vector<Utilisation>& report);
/// Windows, where there are some.
void report_windows(const DevicesOfGroup& group, const RemoteAccess& access, Time now, Time measured,
                    std::vector<Utilisation>& holders);
/// A warning where much of what was asked of their disks while measuring waits for these at the end, on top of what did
/// at the beginning; empty otherwise.
[[nodiscard]] std::string piled_up(const DevicesOfGroup& group);
/// Work requests, requests to disks, interrupts and context switches of all of them.
void report_device_counters(const DevicesOfGroup& group, Time measured, std::vector<CounterReading>& report);
/// What is under way at one of them, on average over the machines, and how long it takes.
[[nodiscard]] std::vector<Level> device_levels(const DevicesOfGroup& group, Time now);

}  // namespace doorbell::model
