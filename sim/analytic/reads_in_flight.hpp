// READs and atomics that queue pairs may have in flight.
#pragma once

#include <string>
#include <vector>

#include "analytic/bounds.hpp"
#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// What a set of queue pairs, or the device on remote memory of a group of machines, holds of its places for READs.
struct ReadsInFlight {
  std::string name;  ///< "client/READs in flight of client", "server/READs in flight of the device".
  Seconds held{0};   ///< By all READs and atomics of a measured request, unloaded: from processing to the response.
  double most = 0;   ///< Places, over all machines that have something to do.
};

[[nodiscard]] std::vector<ReadsInFlight> reads_in_flight(const Flow& flow);

}  // namespace doorbell::analytic
