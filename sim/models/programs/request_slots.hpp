// The region in memory where a thread looks for requests: each thread that may write them there has a slot of its own.
#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "models/programs/connected_peers.hpp"

namespace doorbell::model {

/// Whether WRITEs of a step are seen in the region of `receiver`, and not in its completion queue.
[[nodiscard]] inline bool writes_into_slots(const PostStep& step, const Program& receiver) {
  const bool sees_cqes = has_step<CollectStep>(
      receiver, [](const CollectStep& collect) { return collect.via == Channel::completion_queue; });
  return any_operation(
      step, [&](const PostStep& one) { return arrives_by(one, Channel::memory) && !(one.immediate && sees_cqes); });
}

/// The threads of all programs that write requests for program `name`; the number of one is that of its slot, and
/// `threads` how many slots the region of each thread has.
[[nodiscard]] inline Askers slots_of(const std::string& name, const Named<Program>& programs,
                                     const Named<MachineGroup>& machines) {
  const Program& receiver = *find(programs, name);
  Askers writers;
  const auto sweeps = [](const CollectStep& collect) { return collect.via == Channel::memory; };
  if (!has_step<CollectStep>(receiver, sweeps)) return writers;
  for (const auto& [other, program] : programs) {
    int among = 0;  // each may write to one of so many
    for (const Step& step : program.loop) {
      const auto* post = std::get_if<PostStep>(&step);
      if (post == nullptr || post->to != name || !writes_into_slots(*post, receiver)) continue;
      const bool relays = post->relay && relays_to_one_thread(*post, program);
      const bool fixed = !post->relay && post->destination == Destination::fixed;
      const int here = relays ? receiver.threads : fixed ? threads_of(receiver, machines) : 1;
      among = among == 0 || among == here ? here : 1;
    }
    if (among == 0) continue;
    writers.programs.push_back({&program, writers.threads, static_cast<std::size_t>(among)});
    writers.threads += static_cast<std::size_t>((threads_of(program, machines) + among - 1) / among);
  }
  return writers;
}

}  // namespace doorbell::model
