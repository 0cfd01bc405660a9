// The port of its NIC by which a SEND comes to a thread: a queue pair is on one port, which the sender addresses. All
// that comes over a connection comes by the port of its SENDs, if there are some.
#pragma once

#include <algorithm>
#include <string>
#include <variant>

#include "models/programs/program.hpp"

namespace doorbell::model {

/// The queue pairs by which the threads of a program take SENDs over `transport`: those whose RECVs they post, or those
/// by which they answer, or the first of that transport. Null where they name none: then they have some on each port.
[[nodiscard]] inline const QueuePairs* receiving_set(const Program& program, Transport transport) {
  const auto* recvs = find_step<ReplenishStep>(program);
  const QueuePairs* first = nullptr;
  const QueuePairs* answering = nullptr;
  for (const auto& [name, set] : program.queue_pairs) {
    if (set.transport != transport) continue;
    if (recvs != nullptr && recvs->queue_pairs == name) return &set;
    for (const Step& step : program.loop) {
      if (is_answer(step) && std::get<PostStep>(step).queue_pairs == name) answering = &set;
    }
    if (first == nullptr) first = &set;
  }
  return answering != nullptr ? answering : first;
}

/// Whether SENDs over `transport` come to each thread by its own port; otherwise by the one that faces the sender's.
[[nodiscard]] inline bool receives_on_own_port(const Program& program, Transport transport) {
  const QueuePairs* set = receiving_set(program, transport);
  return set != nullptr && set->ports == PortUse::own;
}

/// Whether SENDs are among what a program posts on its queue pairs of that name.
[[nodiscard]] inline bool sends_over(const Program& program, const std::string& queue_pairs) {
  return has_step<PostStep>(
      program, [&](const PostStep& step) { return step.queue_pairs == queue_pairs && leads_to_thread(step); });
}

/// Whether some of its queue pairs are on one port only: then what goes there, or comes from there, need not keep to
/// the ports that face each other.
[[nodiscard]] inline bool has_own_ports(const Program& program) {
  return std::ranges::any_of(program.queue_pairs, [](const auto& set) { return set.second.ports == PortUse::own; });
}

}  // namespace doorbell::model
