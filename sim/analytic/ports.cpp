#include "analytic/ports.hpp"

#include <algorithm>
#include <cstddef>

#include "models/hardware/port.hpp"

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

void PortUsage::add(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  const ProgramFlow& to = flow.programs()[post.to];
  const PortsInUse sending = ports_of_post(flow, from, post);
  use(from, sending);
  use(to, PortsInUse(static_cast<std::size_t>(to.machine->count), ports_reached(sending, ports_of_nic(to))));
}

void PortUsage::use(const ProgramFlow& here, const PortsInUse& ports) {
  PortsInUse& used = used_[here.program->machine];
  used.resize(ports.size());
  for (std::size_t machine = 0; machine < ports.size(); ++machine)
    used[machine].insert(ports[machine].begin(), ports[machine].end());
}

double PortUsage::count(const std::string& machine) const {
  std::size_t all = 0;
  for (const std::set<int>& ports : used_.at(machine)) all += ports.size();
  return static_cast<double>(all);
}

}  // namespace doorbell::analytic
