#include "analytic/ports.hpp"

#include <algorithm>
#include <cstddef>

#include "models/hardware/port.hpp"
#include "models/programs/arrival_port.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

int ports_of_nic(const ProgramFlow& flow) { return flow.machine->hardware.port.ports; }

/// Those on which a program has queue pairs of a set.
PortsInUse ports_of_set(const ProgramFlow& flow, const QueuePairs& set) {
  PortsInUse ports(static_cast<std::size_t>(flow.machine->count));
  for (int machine = 0; machine < flow.machine->count; ++machine) {
    for (int thread = 0; thread < flow.program->threads; ++thread) {
      const std::vector<int> of_thread = ports_of(set, thread + machine, ports_of_nic(flow));
      ports[static_cast<std::size_t>(machine)].insert(of_thread.begin(), of_thread.end());
    }
  }
  return ports;
}

/// The queue pairs of a device use the ports in turn.
PortsInUse ports_of_device(const ProgramFlow& flow) {
  const RemoteAccess& access = flow.machine->remote_device.value().access;
  std::set<int> ports;
  for (int port = 0; port < std::min(ports_of_nic(flow), access.peers * access.queue_pairs); ++port) ports.insert(port);
  return PortsInUse(static_cast<std::size_t>(flow.machine->count), ports);
}

/// The queue pairs of a program to which those of `set` lead, on which a step of `asker` posts; null for what goes to
/// the memory of its machine.
const QueuePairs* set_that_takes(const ProgramFlow& asker, const ProgramFlow& receiver, const PostStep& step,
                                 const QueuePairs& set) {
  return sends_over(*asker.program, step.queue_pairs) ? receiving_set(*receiver.program, set.transport) : nullptr;
}

/// Those by which a program asks another one.
PortsInUse ports_of_requests(const ProgramFlow& asker, std::size_t receiver) {
  PortsInUse ports(static_cast<std::size_t>(asker.machine->count));
  for (const PostFlow& post : asker.posts) {
    if (post.to != receiver || post.step->destination == Destination::origin) continue;
    const PortsInUse more = ports_of_set(asker, *post.queue_pairs);
    for (std::size_t machine = 0; machine < ports.size(); ++machine)
      ports[machine].insert(more[machine].begin(), more[machine].end());
  }
  return ports;
}

}  // namespace

PortsInUse ports_of_post(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  if (post.by_device) return ports_of_device(from);
  if (post.step->destination != Destination::origin || post.queue_pairs->ports == PortUse::own)
    return ports_of_set(from, *post.queue_pairs);
  const PortsInUse asking = ports_of_requests(flow.programs()[post.to], flow.index_of(from.name));
  return PortsInUse(static_cast<std::size_t>(from.machine->count), ports_reached(asking, ports_of_nic(from)));
}

PortsInUse ports_of_arrival(const Flow& flow, const ProgramFlow& from, const PostFlow& post,
                            const PortsInUse& leaving) {
  const ProgramFlow& to = flow.programs()[post.to];
  if (!post.by_device && post.step->destination == Destination::origin)
    return ports_of_requests(to, flow.index_of(from.name));
  const QueuePairs* set = post.by_device ? nullptr : set_that_takes(from, to, *post.step, *post.queue_pairs);
  if (set != nullptr && set->ports == PortUse::own) return ports_of_set(to, *set);
  return PortsInUse(static_cast<std::size_t>(to.machine->count), ports_reached(leaving, ports_of_nic(to)));
}

std::set<int> ports_reached(const PortsInUse& senders, int ports) {
  std::set<int> reached;
  for (const std::set<int>& of_machine : senders) {
    for (const int port : of_machine)
      reached.insert(static_cast<int>(facing_port(static_cast<std::size_t>(port), static_cast<std::size_t>(ports))));
  }
  return reached;
}

int ports_towards(const ProgramFlow& asker, const PostStep& step, const QueuePairs& set, const ProgramFlow& receiver) {
  const int ports = ports_of_nic(receiver);
  const QueuePairs* takes = set_that_takes(asker, receiver, step, set);
  if (takes != nullptr && takes->ports == PortUse::own) return 1;
  // Any thread of the asker may ask any of the receiver; each of its machines begins with the next port.
  if (step.destination != Destination::fixed || set.ports == PortUse::all)
    return static_cast<int>(ports_reached({ports_of_set(asker, set).front()}, ports).size());
  // Threads are numbered across the machines of their group.
  std::vector<PortsInUse> of_threads(static_cast<std::size_t>(receiver.threads()), PortsInUse(1));
  for (int thread = 0; thread < asker.program->threads; ++thread) {
    for (int machine = 0; machine < asker.machine->count; ++machine) {
      const int number = thread * asker.machine->count + machine;
      const std::vector<int> used = ports_of(set, thread + machine, ports_of_nic(asker));
      of_threads[static_cast<std::size_t>(number) % of_threads.size()].front().insert(used.begin(), used.end());
    }
  }
  std::size_t fewest = static_cast<std::size_t>(ports);
  for (const PortsInUse& of_one : of_threads) {
    if (!of_one.front().empty()) fewest = std::min(fewest, ports_reached(of_one, ports).size());
  }
  return static_cast<int>(fewest);
}

void PortLoad::add(const PortsInUse& ports, double seconds) {
  std::set<Port> all;
  for (std::size_t machine = 0; machine < ports.size(); ++machine) {
    for (const int port : ports[machine]) all.emplace(machine, port);
  }
  seconds_[all] += seconds;
}

double PortLoad::servers() const {
  // What can go nowhere else fills some ports at least so far: Hall's theorem, for the unions of the sets that occur.
  std::set<std::set<Port>> places;
  constexpr std::size_t many = 256;
  for (const auto& [ports, seconds] : seconds_) {
    std::set<std::set<Port>> more{ports};
    for (std::set<Port> place : places) {
      place.insert(ports.begin(), ports.end());
      more.insert(std::move(place));
    }
    if (places.size() < many) places.merge(more);
  }
  double all = 0;
  for (const auto& [ports, seconds] : seconds_) all += seconds;
  double busiest = 0;
  for (const std::set<Port>& place : places) {
    double inside = 0;
    for (const auto& [ports, seconds] : seconds_) {
      if (std::ranges::includes(place, ports)) inside += seconds;
    }
    busiest = std::max(busiest, inside / static_cast<double>(place.size()));
  }
  return busiest > 0 ? all / busiest : 0;
}

double PortLoad::ports() const {
  std::set<Port> all;
  for (const auto& [ports, seconds] : seconds_) all.insert(ports.begin(), ports.end());
  return static_cast<double>(all.size());
}

}  // namespace doorbell::analytic
