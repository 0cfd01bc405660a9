// What the connected queue pairs of a step lead to. Each leads to one peer for good: to the thread that receives what
// is sent, or to the machine whose memory is accessed. Answers return over the connection of their request.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "models/programs/arrival_port.hpp"
#include "models/programs/program_scenario.hpp"

namespace doorbell::model {

/// Threads of a program on all machines of its group.
[[nodiscard]] inline int threads_of(const Program& program, const Named<MachineGroup>& machines) {
  return program.threads * find(machines, program.machine)->count;
}

/// Peers among which the queue pairs of a step are divided that starts work: machines of the program it posts to, or
/// threads, if it SENDs.
[[nodiscard]] inline int peers_asked(const PostStep& step, const Named<Program>& programs,
                                     const Named<MachineGroup>& machines) {
  const Program& asked = *find(programs, step.to);
  return leads_to_thread(step) ? threads_of(asked, machines) : find(machines, asked.machine)->count;
}

/// Whether each thread that relays reaches one thread of every machine only, always the same: where the step says so,
/// or where it goes over connections that lead to a thread: SENDs go there, too, or what it posts takes RECVs.
[[nodiscard]] inline bool relays_to_one_thread(const PostStep& step, const Program& program) {
  if (step.destination == Destination::fixed) return true;
  const QueuePairs* set = find(program.queue_pairs, step.queue_pairs);
  const bool takes_recvs = any_operation(step, [](const PostStep& operation) { return operation.immediate; });
  return set != nullptr && set->transport != Transport::ud && (takes_recvs || sends_over(program, step.queue_pairs));
}

/// Threads of `asked`, of that name, among which those of `asking`, for which it works, are divided, each asking one of
/// them; 1 where any may ask any.
[[nodiscard]] inline int divided_among(const Program& asking, const Program& asked, const std::string& name,
                                       const Named<MachineGroup>& machines) {
  if (asked.completion.shared_queues > 0) return 1;
  int least = threads_of(asked, machines);
  for (const Step& step : asking.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || post->to != name || completes_itself(*post, asked)) continue;
    if (post->relay) {
      least = std::min(least, relays_to_one_thread(*post, asking) ? asked.threads : 1);
    } else if (post->destination != Destination::fixed) {
      least = 1;
    }
  }
  return least;
}

/// Threads of a program that a thread of another one answers, numbered from `first`: thread i is `first + i / among`.
struct AskingThreads {
  const Program* program = nullptr;
  std::size_t first = 0;
  std::size_t among = 1;
};

/// Those of all programs that ask `name`, in order, and how many threads may ask the same thread there.
struct Askers {
  std::vector<AskingThreads> programs;
  std::size_t threads = 0;
};
[[nodiscard]] inline Askers askers_of(const std::string& name, const Named<Program>& programs,
                                      const Named<MachineGroup>& machines) {
  const Program& asked = *find(programs, name);
  Askers askers;
  for (const auto& [other, program] : programs) {
    if (!works_for(asked, name, program)) continue;
    const auto among = static_cast<std::size_t>(divided_among(program, asked, name, machines));
    askers.programs.push_back({&program, askers.threads, among});
    askers.threads += (static_cast<std::size_t>(threads_of(program, machines)) + among - 1) / among;
  }
  return askers;
}

}  // namespace doorbell::model
