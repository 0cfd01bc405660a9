// The parts of a storage server as a graph, with the machines that mount its disks.
#pragma once

#include "models/common/component_graph.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::model {

[[nodiscard]] MachineGraph make_shared_files_graph(const SharedFilesScenario& scenario);

}  // namespace doorbell::model
