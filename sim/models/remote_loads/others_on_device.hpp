// Whether the loads beside the one that is measured fill what limits it.
#pragma once

#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/remote_memory/device_part.hpp"

namespace doorbell::model {

/// What one load has asked of the device.
struct UseByLoad {
  std::string name;
  DeviceUse use;
};

/// Tells, where what limits works for all loads and most of that for those in `beside`, which of these asks most.
/// A window is no remedy: all loads wait for it in one line.
void tell_of_others(Bottleneck& bottleneck, const DeviceUse& measured, const std::vector<UseByLoad>& beside);

}  // namespace doorbell::model
