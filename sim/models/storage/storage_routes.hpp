// Which buses, disks and links the data of a block request crosses. The simulation's flows and the closed form both
// take them from here.
#pragma once

#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "models/storage/data_route.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Whether data leaves the server.
[[nodiscard]] bool is_remote(DataPath path);
/// Whether data rests in the server's memory.
[[nodiscard]] bool crosses_memory(DataPath path);
/// Whether data rests in the NIC's memory.
[[nodiscard]] bool in_sram(DataPath path);

struct StorageRoutes {
  using Route = DataRoute;

  std::vector<RouteResource> resources;
  std::vector<Route> from_disks;  ///< Into the buffer, by the number of disks that move data together.
  Route from_device;              ///< The same from a fast device, or the page cache.
  Route to_device;                ///< Out of the buffer, to either.
  Route send;                     ///< Between buffer and network, in either direction.
  Route copies;                   ///< From memory to memory; a copy is twice its bytes. Only of TCP.
  Route memory;                   ///< What a compute process reads.

  /// Of copies for TCP, what each byte of a request moves: out of the buffer into socket buffers, and on into those of
  /// the protocol; each reads it and writes it.
  static constexpr std::int64_t moved_by_copies = 4;

  /// Rate of a flow that is alone.
  [[nodiscard]] Bandwidth rate(const Route& route) const { return rate_alone(resources, route); }
};

/// The routes of a scenario's data path (Koukis 2010, sections 3.2 and 3.4).
[[nodiscard]] StorageRoutes storage_routes(const StorageScenario& scenario);

}  // namespace doorbell::model
