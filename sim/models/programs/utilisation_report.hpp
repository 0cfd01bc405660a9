// What was busy in the machines of a run, and what operations held there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Utilisation of every resource over the time measured, busiest first.
[[nodiscard]] std::vector<Utilisation> report_utilisations(Simulation& simulation, Time measured);
/// Whether what holds up `plan` can hold up what `observed` does: not where both start work of their own, or where
/// more work comes than `observed` can do.
[[nodiscard]] bool serves(const ProgramPlan& plan, const ProgramPlan& observed);
/// Whether requests pass a resource on their way to the queue of `observed`, and answers do not.
[[nodiscard]] bool is_before_queue(const std::string& resource, Simulation& simulation, const ProgramPlan& observed);
/// Without the cores of programs that start work of their own beside the one whose rate is measured, or have nothing to
/// do with it, and without machines on which only such programs run; where requests pile up at that one, without what
/// they have passed by then.
[[nodiscard]] std::vector<Utilisation> without_others(std::vector<Utilisation> utilisations, Simulation& simulation,
                                                      const ProgramPlan& observed);
/// How much of the time measured operations were held up by what they hold or wait for besides resources: tags, the
/// limit of READs under way, arrivals, send queues and windows; innermost first, as find_bottleneck wants them. Not of
/// programs that start work of their own beside the one whose rate is measured, or have nothing to do with it;
/// nor, where requests pile up at that one, of what they have passed by then.
[[nodiscard]] std::vector<Utilisation> report_holders(Simulation& simulation, const ProgramPlan& observed,
                                                      Time measured);
/// Sum over the threads of a program.
[[nodiscard]] ArrivalCount count_arrivals(const ProgramPlan& plan);
/// The machines of a group that rows are about: all but the silent ones.
[[nodiscard]] std::span<const std::unique_ptr<Machine>> answering_machines(const Simulation& simulation,
                                                                           const MachineSet& set);
/// Appends what operations hold in the NICs of a group, the innermost first.
void report_nic_holders(Simulation& simulation, MachineSet& set, Time measured, std::vector<Utilisation>& holders);
/// Brings those of several machines into one order: what is short at one of them fills the queues of the others.
void sort_causes_first(std::vector<Utilisation>& holders);
/// Appends how busy the programs' cores and shared queues were to a report that has the machines, unsorted, and marks
/// in that which lines are elastic.
void report_cores(Simulation& simulation, Time measured, std::vector<Utilisation>& report);
/// Appends utilisations of machines, unsorted, without software.
void report_machines(Simulation& simulation, MachineSet& set, Time measured, std::vector<Utilisation>& report);

}  // namespace doorbell::model
