// Why processing units of NICs cannot go on.
#pragma once

#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Tells of the processing units of a group, among what is held, for which receive buffers they are held if packets
/// wait for room there for most of the time for which units wait: of those buffers the ones that are full most of the
/// time.
void explain_unit_waits(MachineSet& set, Time now, Time measured, std::vector<Utilisation>& holders);

}  // namespace doorbell::model
