#include "models/programs/active_threads.hpp"

#include <algorithm>

namespace doorbell::model {

int program_threads(const Named<Program>& programs, std::string_view machine) {
  int threads = 0;
  for (const auto& [name, program] : programs) {
    if (program.machine == machine && !program.loop.empty()) threads += program.threads;
  }
  return threads;
}

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

}  // namespace doorbell::model
