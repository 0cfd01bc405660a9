// Which ports of their NICs programs send by, and by which ports that comes to other machines.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// By machine of a group.
using PortsInUse = std::vector<std::set<int>>;

/// Ports by which the work requests of a post leave the machines of `from`. Answers leave by the port that faces the
/// one of the request, where the program has queue pairs there.
[[nodiscard]] PortsInUse ports_of_post(const Flow& flow, const ProgramFlow& from, const PostFlow& post);
/// Ports by which they come to the machines that they are sent to, having left by `leaving`. SENDs come by the port of
/// the queue pair that takes them, answers by that of the request; the rest by the port that faces the sender's.
[[nodiscard]] PortsInUse ports_of_arrival(const Flow& flow, const ProgramFlow& from, const PostFlow& post,
                                          const PortsInUse& leaving);
/// Ports that face those by which `senders` send, of a NIC that has `ports`: any machine may send to any.
[[nodiscard]] std::set<int> ports_reached(const PortsInUse& senders, int ports);
/// Ports on which the requests of a step come to one thread of the receiving program: on the fewest to any, where each
/// asks a fixed one.
[[nodiscard]] int ports_towards(const ProgramFlow& asker, const model::PostStep& step, const model::QueuePairs& set,
                                const ProgramFlow& receiver);

/// What work asks of the ports of a group of machines, in one direction.
class PortLoad {
 public:
  /// Work of `seconds` goes by any of these ports.
  void add(const PortsInUse& ports, double seconds);
  /// The number of ports that would be as busy with all of it as the busiest is at best, however the work is divided.
  [[nodiscard]] double servers() const;
  /// The number of ports by which any of it goes.
  [[nodiscard]] double ports() const;

 private:
  using Port = std::pair<std::size_t, int>;  // machine and number
  std::map<std::set<Port>, double> seconds_;
};

}  // namespace doorbell::analytic
