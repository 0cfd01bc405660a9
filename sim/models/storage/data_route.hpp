// What data crosses on its way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/result.hpp"

namespace doorbell::model {

/// A bus, a link or a disk.
struct RouteResource {
  std::string name;  ///< As in reports: "server/PCI bus".
  Bandwidth bandwidth;
  Limit limit = Limit::bus_bandwidth;
};

/// Numbers of resources that data crosses at one rate.
using DataRoute = std::vector<std::size_t>;

/// Rate of a flow over `route`, which must not be empty, when it is alone.
template <class Resource> Bandwidth rate_alone(const std::vector<Resource>& resources, const DataRoute& route) {
  Bandwidth slowest = resources.at(route.front()).bandwidth;
  for (const std::size_t resource : route) slowest = std::min(slowest, resources.at(resource).bandwidth);
  return slowest;
}

}  // namespace doorbell::model
