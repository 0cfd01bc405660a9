// Machines, servers and transfers as graphs: components, and the links that data takes between them.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <string>

#include "core/quantity.hpp"

namespace doorbell::model {

/// A component of a group of equal machines, or the switch.
struct Component {
  std::string name;   ///< "server/NIC", or "switch".
  std::string label;  ///< With counts and rates.
  double row = 0;     ///< For drawing: the machine group; parts of it may lie lower.
  int column = 0;     ///< From the cores (0) to the switch (5).
};

struct Link {
  std::string label;
  bool used = false;  ///< Where machines have ways that not all data takes: the scenario's data takes this one.
};

using MachineGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Component, Link>;

/// "12.30 GB/s".
[[nodiscard]] std::string label_of(Bandwidth bandwidth);
/// A link in each direction, with a label of its own.
void connect(MachineGraph& graph, std::size_t a, std::size_t b, const Link& there, const Link& back);

/// Whether data gets from the first component to the second.
[[nodiscard]] bool reaches(const MachineGraph& graph, const std::string& from, const std::string& to);

}  // namespace doorbell::model
