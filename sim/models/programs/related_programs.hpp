// Which programs and machines can hold up the work of one program at all.
#pragma once

#include <vector>

#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// The program, those that it asks or that ask it, and those that ask these or are asked by them.
[[nodiscard]] std::vector<const ProgramPlan*> related_to(const ProgramPlan& observed, Simulation& simulation);
/// Whether one of `programs` runs on these machines, or on some to which these lend memory.
[[nodiscard]] bool any_uses(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines,
                            Simulation& simulation);

}  // namespace doorbell::model
