// Peers of devices on remote memory that do not answer: machines of a group which are idle in a run.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "models/programs/program_scenario.hpp"

namespace doorbell::model {

/// How many machines of the group, the first ones, do nothing: they lend memory, every device that uses it takes them
/// for unreachable, and no program runs on them. One less where that would be all, so that there is always one to tell
/// of.
[[nodiscard]] inline int silent_machines(const ProgramScenario& scenario, const std::string& group) {
  const MachineGroup* machines = find(scenario.machines, group);
  if (machines == nullptr) return 0;
  for (const auto& [name, program] : scenario.programs) {
    if (program.machine == group) return 0;
  }
  int unreachable = std::numeric_limits<int>::max();
  bool lends = false;
  for (const auto& [name, other] : scenario.machines) {
    if (!other.remote_device || other.remote_device->peers != group) continue;
    lends = true;
    unreachable = std::min(unreachable, other.remote_device->access.unreachable);
  }
  return lends ? std::clamp(unreachable, 0, machines->count - 1) : 0;
}

}  // namespace doorbell::model
