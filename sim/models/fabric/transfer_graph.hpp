// The resources that streams of transfers share, in the order in which data crosses them.
#pragma once

#include "models/common/component_graph.hpp"
#include "models/fabric/transfers.hpp"

namespace doorbell::model {

/// A row for each stream. Throws std::invalid_argument when a route names a resource that does not exist.
[[nodiscard]] MachineGraph make_transfer_graph(const TransferScenario& scenario);

}  // namespace doorbell::model
