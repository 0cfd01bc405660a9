// Devices on remote memory that ask for what peers, disks or software do not have.
#include <fmt/format.h>

#include "scenario/checks.hpp"

namespace doorbell::scenario {

using namespace model;

void check_remote_access(const Examined& examined, const Pointer& pointer, RemoteAccess& access,
                         const HardwareProfile& profile, const Pointer& hardware) {
  for (int* asked : {&access.replicas, &access.unreachable}) {
    if (*asked <= access.peers) continue;
    examined.refuse(ErrorCode::too_few_peers, pointer / member_name(access, *asked),
                    fmt::format("at most {}, the number of peers", access.peers), fmt::format("{}", *asked));
  }
  if (uses_disk(access) && !profile.disk) {
    examined.refuse(ErrorCode::no_disk, hardware,
                    access.copy_on_disk ? "a profile with a disk for the copies of writes"
                                        : "a profile with a disk for blocks of which no replica is left",
                    "none");
  }
  check_device_settings(examined, pointer, access);
}

void check_remote_devices(const Examined& examined) {
  for (auto& [name, group] : examined.scenario.machines) {
    const Pointer machine = Pointer{} / keys::machines / name;
    // What a document about remote memory says of its host has been checked there.
    if (!group.remote_device || examined.has_load(name)) continue;
    RemoteDeviceGroup& device = *group.remote_device;
    const Pointer at = machine / keys::remote_device;
    const Pointer peers = at / member_name(device, device.peers);
    examined.require_name(device.peers, examined.scenario.machines, ErrorCode::unknown_machine, peers);
    if (device.peers == name)
      examined.refuse(ErrorCode::too_few_peers, peers, "other machines, which lend memory", in_quotes(name));
    if (!group.software) {
      examined.refuse(ErrorCode::no_software, at,
                      "a machine with a \"software\" profile, which says what block layer and driver cost", "none");
    }
    check_remote_access(examined, at, device.access, group.hardware, machine / keys::hardware);
  }
}

}  // namespace doorbell::scenario
