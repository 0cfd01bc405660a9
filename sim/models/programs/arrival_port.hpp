// The port of its NIC by which a SEND comes to a thread: a queue pair is on one port, which the sender addresses.
#pragma once

#include <string>

#include "models/programs/program.hpp"

namespace doorbell::model {

/// The queue pairs by which the threads of a program take SENDs over `transport`: those whose RECVs they post, or those
/// by which they answer, or the first of that transport. Null where they name none: then they have some on each port.
[[nodiscard]] inline const QueuePairs* receiving_set(const Program& program, Transport transport) {
  const QueuePairs* first = nullptr;
  const QueuePairs* answering = nullptr;
  for (const auto& [name, set] : program.queue_pairs) {
    if (set.transport != transport) continue;
    const auto* recvs = find_step<ReplenishStep>(program);
    if (recvs != nullptr && recvs->queue_pairs == name) return &set;
    const std::string& here = name;
    if (has_step<PostStep>(program, [&here](const PostStep& step) {
          return step.destination == Destination::origin && step.queue_pairs == here;
        }))
      answering = &set;
    if (first == nullptr) first = &set;
  }
  return answering != nullptr ? answering : first;
}

/// Whether SENDs over `transport` come to each thread by its own port; otherwise by the one that faces the sender's.
[[nodiscard]] inline bool receives_on_own_port(const Program& program, Transport transport) {
  const QueuePairs* set = receiving_set(program, transport);
  return set != nullptr && set->ports == PortUse::own;
}

}  // namespace doorbell::model
