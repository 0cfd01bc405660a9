// What programs have done in the measured time, and what is doubtful about it.
#pragma once

#include "core/quantity.hpp"
#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Adds to `result`, which covers `result.simulated`, what the programs that post had done for them by their NICs.
void report_work(Simulation& simulation, RunResult& result);

/// Adds warnings: more arrives than is served, datagrams were lost, or, unless the result has warnings already, a
/// program has not settled.
void warn_of_programs(Simulation& simulation, RunResult& result);

}  // namespace doorbell::model
