// The machines of a scenario as a graph: components, and the links that data takes between them.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <string>

#include "models/scenario.hpp"

namespace doorbell::model {

/// A component of a group of equal machines, or the switch.
struct Component {
  std::string name;   ///< "server/NIC", or "switch".
  std::string label;  ///< With counts and rates.
  int row = 0;        ///< For drawing: the machine group.
  int column = 0;     ///< From the cores (0) to the switch (5).
};

struct Link {
  std::string label;
};

using MachineGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Component, Link>;

[[nodiscard]] MachineGraph make_machine_graph(const Scenario& scenario);

/// Whether data gets from the first component to the second.
[[nodiscard]] bool reaches(const MachineGraph& graph, const std::string& from, const std::string& to);

/// What lacks a route: "client cannot reach server", or nothing.
[[nodiscard]] std::string missing_route(const Scenario& scenario, const MachineGraph& graph);

}  // namespace doorbell::model
