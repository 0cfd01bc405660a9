// Which buses, disks and links the data of shared files crosses. The simulation's flows and the closed form both take
// them from here.
#pragma once

#include <cstddef>
#include <vector>

#include "models/fabric/fluid_network.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage/data_route.hpp"

namespace doorbell::model {

/// Routes of the server and of any one disk and machine (Koukis 2010, sections 3.2 and 5.1).
struct SharedFilesRoutes {
  enum class Owner { server, disk, node };
  struct Resource : RouteResource {
    Owner owner = Owner::server;  ///< Every disk and machine has its own.
    int flows = 0;                ///< So many at most have that rate each; 0: all share it.
  };
  using Route = DataRoute;

  std::vector<Resource> resources;
  Route disk_to_memory;
  Route disk_to_nic;
  Route memory_to_disk;
  Route copy_in_server;   ///< A copy reads and writes: move twice its bytes.
  Route memory_and_node;  ///< Between the server's memory and a machine's, in either direction.
  Route nic_to_node;
  Route copy_in_node;   ///< Likewise twice the bytes.
  Route copy_to_cache;  ///< Into a buffer that stays in the core's cache: the bytes once.

  /// From a disk to where the exported path lets data rest.
  [[nodiscard]] const Route& from_disk(DataPath path) const;
  /// And from there to a machine.
  [[nodiscard]] const Route& to_node(DataPath path) const;
  /// Rate of a flow that is alone.
  [[nodiscard]] Bandwidth rate(const Route& route) const { return rate_alone(resources, route); }
};

[[nodiscard]] SharedFilesRoutes shared_files_routes(const SharedFilesScenario& scenario);

/// Those resources in a fluid network, for every disk and machine.
class SharedFilesNetwork {
 public:
  SharedFilesNetwork(FluidNetwork& network, const SharedFilesScenario& scenario);

  [[nodiscard]] const SharedFilesRoutes& routes() const { return routes_; }
  /// A route; where it crosses what every disk or every machine has, that of number `which`.
  FluidNetwork::Route add_route(const SharedFilesRoutes::Route& route, std::size_t which = 0);

 private:
  FluidNetwork& network_;
  SharedFilesRoutes routes_;
  std::vector<std::vector<FluidNetwork::Resource>> placed_;  // of each resource, by disk or machine
};

}  // namespace doorbell::model
