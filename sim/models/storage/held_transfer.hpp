// What a transfer over buses adds to what something is held for.
#pragma once

#include "models/common/held_time.hpp"
#include "models/fabric/fluid_network.hpp"

namespace doorbell::model {

/// Half of it goes to what was narrowest when the transfer began, half to what was when it ended. Resource 0 of the
/// network is stage `resources`.
inline void add_transfer(HeldTime& held, HeldTime::Stage resources, FluidNetwork::Narrowest narrowest, Time time) {
  held.add(resources + narrowest.first.resource, time / 2, narrowest.first.gain);
  held.add(resources + narrowest.last.resource, time - time / 2, narrowest.last.gain);
}

}  // namespace doorbell::model
