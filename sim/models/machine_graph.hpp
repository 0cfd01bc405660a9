// The machines of a scenario as a graph.
#pragma once

#include "models/common/component_graph.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

/// Of machines with programs, without disks, which these do not use; or of a host that uses remote memory and its
/// peers, with the host's disk where anything goes to it, and the machines of programs beside the load.
[[nodiscard]] MachineGraph make_machine_graph(const Scenario& scenario);

}  // namespace doorbell::model
