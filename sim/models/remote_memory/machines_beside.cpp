#include "models/remote_memory/machines_beside.hpp"

#include <algorithm>
#include <string>

namespace doorbell::model {

int program_threads(const Named<Program>& programs, std::string_view machine) {
  int threads = 0;
  for (const auto& [name, program] : programs) {
    if (program.machine == machine && !program.loop.empty()) threads += program.threads;
  }
  return threads;
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
  const int left = hardware_threads(remote.hardware.cpu) - program_threads(scenario.programs, host_machine);
  int threads = load_threads(remote);
  for (const auto& [name, load] : remote.beside) threads += load_threads(load);
  all.machines.front().second.other_threads = std::clamp(threads, 0, std::max(0, left));
  all.machines.insert(all.machines.end(), scenario.machines.begin(), scenario.machines.end());
  all.programs = scenario.programs;
  return all;
}

}  // namespace doorbell::model
