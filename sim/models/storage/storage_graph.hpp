// The parts of a storage server as a graph, and the way that a scenario's data takes through them.
#pragma once

#include "models/machine_graph.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

[[nodiscard]] MachineGraph make_storage_graph(const StorageScenario& scenario);
/// The same with the machines that mount its disks.
[[nodiscard]] MachineGraph make_storage_graph(const SharedFilesScenario& scenario);

}  // namespace doorbell::model
