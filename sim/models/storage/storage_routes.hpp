// Which buses, disks and links the data of a block request crosses. The simulation's flows and the closed form both
// take them from here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/result.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Whether data leaves the server.
[[nodiscard]] bool is_remote(DataPath path);
/// Whether data rests in the server's memory.
[[nodiscard]] bool crosses_memory(DataPath path);
/// Whether data rests in the NIC's memory.
[[nodiscard]] bool in_sram(DataPath path);

struct StorageRoutes {
  struct Resource {
    std::string name;  ///< As in reports: "server/PCI bus".
    Bandwidth bandwidth;
    Limit limit = Limit::bus_bandwidth;
  };
  using Route = std::vector<std::size_t>;  ///< Numbers of resources that data crosses at one rate.

  std::vector<Resource> resources;
  std::vector<Route> from_disks;  ///< Into the buffer, by the number of disks that move data together.
  Route from_device;              ///< The same from a fast device, or the page cache.
  Route to_device;                ///< Out of the buffer, to either.
  Route send;                     ///< Between buffer and network, in either direction.
  Route memory;                   ///< What a compute process reads.

  /// Rate of a flow that is alone.
  [[nodiscard]] Bandwidth rate(const Route& route) const;
};

/// The routes of a scenario's data path (Koukis 2010, sections 3.2 and 3.4).
[[nodiscard]] StorageRoutes storage_routes(const StorageScenario& scenario);

}  // namespace doorbell::model
