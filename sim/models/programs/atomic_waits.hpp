// Windows and READs in flight that are held by atomics which wait for the locks of others.
#pragma once

#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Tells of what the programs that send atomics to a group hold, windows and places of READs and atomics in flight,
/// that they hold it for the atomic engines of that group, where their atomics wait there for most of that time: with
/// more in flight more would wait.
void explain_atomic_waits(MachineSet& set, Simulation& simulation, Time measured, std::vector<Utilisation>& holders);

}  // namespace doorbell::model
