// What the virtual hardware counters of a run read, and what took time or cores on average.
#pragma once

#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// The virtual hardware counters of every group of machines.
[[nodiscard]] std::vector<CounterReading> report_counters(Simulation& simulation, Time measured);
/// How long requests wait for what programs relay, and commands take at the drives of groups that have some.
[[nodiscard]] std::vector<Level> report_levels(Simulation& simulation, Time measured);
/// Appends how often threads of programs that may sleep were woken, and what they counted besides.
void report_program_counters(Simulation& simulation, Time measured, std::vector<CounterReading>& report);
/// Appends counters of machines, without software.
void report_machine_counters(std::vector<MachineSet>& machines, Time measured, std::vector<CounterReading>& report);

}  // namespace doorbell::model
