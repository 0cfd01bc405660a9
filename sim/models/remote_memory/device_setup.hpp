// What a device on remote memory finds where it is.
#pragma once

#include "models/hardware/hardware_profile.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/remote_memory/remote_access.hpp"

namespace doorbell::model {

/// Machines, software and what is asked of it; all of these outlive the device.
struct DeviceSetup {
  const HardwareProfile& host;
  const HardwareProfile& peer;
  const HostSoftware& software;
  const RemoteAccess& access;
};

}  // namespace doorbell::model
