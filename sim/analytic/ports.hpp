// Which ports of their NICs programs send by, and by which ports that comes to other machines.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// By machine of a group.
using PortsInUse = std::vector<std::set<int>>;

/// Ports by which the work requests of a post leave the machines of `from`. Answers leave by the port that faces the
/// one of the request, where the program has queue pairs there.
[[nodiscard]] PortsInUse ports_of_post(const Flow& flow, const ProgramFlow& from, const PostFlow& post);
/// Ports by which what leaves by `senders` comes to each machine of a group whose NICs have `ports`: any machine may
/// send to any.
[[nodiscard]] std::set<int> ports_reached(const PortsInUse& senders, int ports);
/// Ports on which the requests of a step come to one thread of the receiving program: on the fewest to any, where each
/// asks a fixed one.
[[nodiscard]] int ports_towards(const ProgramFlow& asker, const model::PostStep& step, const model::QueuePairs& set,
                                const ProgramFlow& receiver);

/// The ports that work has used so far. Both sides of it send and receive: requests go one way, responses and ACKs the
/// other.
class PortUsage {
 public:
  void add(const Flow& flow, const ProgramFlow& from, const PostFlow& post);
  /// On all machines of a group together.
  [[nodiscard]] double count(const std::string& machine) const;

 private:
  void use(const ProgramFlow& here, const PortsInUse& ports);

  std::map<std::string, PortsInUse> used_;  // by group
};

}  // namespace doorbell::analytic
