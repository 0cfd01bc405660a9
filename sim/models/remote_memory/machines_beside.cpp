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

namespace {

/// Threads that a load keeps active, without the handlers of completions.
int active_threads(const RemoteLoad& load) { return load.block && load.block->in_handler ? 0 : load_threads(load); }

/// On the host, loads and what polls for ever.
int threads_of_host(const RemoteMemoryScenario& remote) {
  int threads = active_threads(remote);
  for (const auto& [name, load] : remote.beside) threads += active_threads(load);
  const CompletionHandling& completion = remote.access.completion;
  if (completion.mode == CompletionMode::busy)
    threads += completion_queues(remote.access) * completion.threads_per_queue;
  return threads;
}

}  // namespace

Scenario with_host_and_peers(const Scenario& scenario, const RemoteMemoryScenario& remote) {
  const auto group = [&](int count) {
    return MachineGroup{.hardware_name = {}, .hardware = remote.hardware, .count = count, .software = remote.software};
  };
  Scenario all;
  all.title = scenario.title;
  all.seed = scenario.seed;
  all.fabric = remote.fabric;
  all.machines = {{std::string{host_machine}, group(1)}, {std::string{peer_machine}, group(remote.access.peers)}};
  const auto fitting = [&](std::string_view machine, int threads) {
    const int left = hardware_threads(remote.hardware.cpu) - program_threads(scenario.programs, machine);
    return std::clamp(threads, 0, std::max(0, left));
  };
  all.machines[0].second.other_threads = fitting(host_machine, threads_of_host(remote));
  if (remote.access.protocol == Protocol::two_sided) {
    all.machines[1].second.other_threads = fitting(peer_machine, remote.software.daemon.threads);
  }
  all.machines.insert(all.machines.end(), scenario.machines.begin(), scenario.machines.end());
  all.programs = scenario.programs;
  return all;
}

}  // namespace doorbell::model
