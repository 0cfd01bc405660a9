// Why processing units of NICs cannot go on.
#pragma once

#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

[[nodiscard]] std::string receive_buffers_of(const MachineSet& set);

/// Tells of the processing units of a group, among what is held, for which receive buffers they are held if packets
/// wait for room there for most of the time for which units wait: of the buffers of those to whom this group sends the
/// ones that are full most of the time.
void explain_unit_waits(MachineSet& set, Simulation& simulation, Time measured, std::vector<Utilisation>& holders);

}  // namespace doorbell::model
