// The parts of a storage server as a graph, and the way that a scenario's data takes through them.
#pragma once

#include <string>

#include "models/common/component_graph.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

[[nodiscard]] MachineGraph make_storage_graph(const StorageScenario& scenario);
/// Of a server whose data goes from or to `medium` and, if there are some, `clients`.
[[nodiscard]] MachineGraph make_storage_graph(const StorageServer& server, Medium medium, DataPath path,
                                              const std::string& clients);

}  // namespace doorbell::model
