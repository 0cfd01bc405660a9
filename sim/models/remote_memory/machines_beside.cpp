#include "models/remote_memory/machines_beside.hpp"

#include <algorithm>
#include <string>

#include "models/remote_memory/make_load.hpp"

namespace doorbell::model {

int program_threads(const Named<Program>& programs, std::string_view machine) {
  int threads = 0;
  for (const auto& [name, program] : programs) {
    if (program.machine == machine && !program.loop.empty()) threads += program.threads;
  }
  return threads;
}

namespace {

/// Threads that a load keeps active, without the handlers of completions.
int active_threads(const RemoteLoad& load) { return load.block && load.block->in_handler ? 0 : load_threads(load); }

int threads_of_loads(const RemoteMemoryScenario& remote) {
  int threads = active_threads(remote);
  for (const auto& [name, load] : remote.beside) threads += active_threads(load);
  return threads;
}

}  // namespace

int threads_beside(const Named<Program>& programs, std::string_view machine, const MachineGroup& group) {
  int threads = group.other_threads;
  if (group.remote_device) {
    const RemoteAccess& access = group.remote_device->access;
    if (access.completion.mode == CompletionMode::busy)
      threads += completion_queues(access) * access.completion.threads_per_queue;
  }
  const int left = hardware_threads(group.hardware.cpu) - program_threads(programs, machine);
  return std::clamp(threads, 0, std::max(0, left));
}

Scenario with_host_and_peers(const Scenario& scenario, const RemoteMemoryScenario& remote) {
  const auto group = [&](int count) {
    return MachineGroup{.hardware_name = {}, .hardware = remote.hardware, .count = count, .software = remote.software};
  };
  Scenario all;
  all.title = scenario.title;
  all.seed = scenario.seed;
  all.fabric = remote.fabric;
  all.machines = {{std::string{host_machine}, group(1)}, {std::string{peer_machine}, group(remote.access.peers)}};
  MachineGroup& host = all.machines[0].second;
  host.other_threads = threads_of_loads(remote);
  host.remote_device = {std::string{peer_machine}, remote.access, Bytes{parts_of_loads(remote).back()}};
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
