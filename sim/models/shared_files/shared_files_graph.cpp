#include "models/shared_files/shared_files_graph.hpp"

#include <string>

#include "models/storage/storage_graph.hpp"

namespace doorbell::model {

MachineGraph make_shared_files_graph(const SharedFilesScenario& scenario) {
  const std::string clients = std::to_string(scenario.mount.nodes) + " nodes";
  return make_storage_graph(scenario.server, Medium::raid, scenario.disks.path, clients);
}

}  // namespace doorbell::model
