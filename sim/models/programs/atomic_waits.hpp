// Windows and READs in flight that are held by atomics which wait for the locks of others.
#pragma once

#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Tells of what the program that sends atomics to a group holds, its window and places of READs and atomics in flight,
/// that it is held for the atomic engines of that group, where its atomics wait there for most of that time: with more
/// in flight more would wait. Nothing where several programs send some.
void explain_atomic_waits(MachineSet& set, Simulation& simulation, Time measured, std::vector<Utilisation>& holders);

}  // namespace doorbell::model
