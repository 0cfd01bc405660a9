#include "models/remote_loads/machines_beside.hpp"

#include <string>

#include "models/remote_loads/make_load.hpp"

namespace doorbell::model {

namespace {

/// Threads that a load keeps active, without the handlers of completions.
int active_threads(const RemoteLoad& load) { return load.block && load.block->in_handler ? 0 : load_threads(load); }

int threads_of_loads(const RemoteMemoryScenario& remote) {
  int threads = active_threads(remote);
  for (const auto& [name, load] : remote.beside) threads += active_threads(load);
  return threads;
}

}  // namespace

ProgramScenario with_host_and_peers(const ProgramScenario& scenario, const RemoteMemoryScenario& remote) {
  const auto group = [&](int count) {
    return MachineGroup{.hardware_name = {}, .hardware = remote.hardware, .count = count, .software = remote.software};
  };
  ProgramScenario all;
  all.seed = scenario.seed;
  all.fabric = remote.fabric;
  all.machines = {{std::string{host_machine}, group(1)}, {std::string{peer_machine}, group(remote.access.peers)}};
  MachineGroup& host = all.machines[0].second;
  host.other_threads = threads_of_loads(remote);
  host.remote_device = {std::string{peer_machine}, remote.access, parts_of_loads(remote).back()};
  if (remote.access.protocol == Protocol::two_sided)
    all.machines[1].second.other_threads = remote.software.daemon.threads;
  all.machines.insert(all.machines.end(), scenario.machines.begin(), scenario.machines.end());
  for (auto& [name, machines] : all.machines) {
    if (!machines.remote_device) continue;
    RemoteDeviceGroup& device = *machines.remote_device;
    if (const MachineGroup* peers = find(all.machines, device.peers)) device.access.peers = peers->count;
  }
  all.programs = scenario.programs;
  return all;
}

}  // namespace doorbell::model
