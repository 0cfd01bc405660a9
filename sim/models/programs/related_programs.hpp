// Which programs ask which, and which programs and machines can hold up the work of one at all.
#pragma once

#include <vector>

#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// The steps of a program that post to another one, answers included.
[[nodiscard]] std::vector<const PostStep*> posts_to(const ProgramPlan& asking, const ProgramPlan& asked);
/// Whether there are some.
[[nodiscard]] bool asks(const ProgramPlan& asking, const ProgramPlan& asked);
/// The program, those that it asks, and those that these ask.
[[nodiscard]] std::vector<const ProgramPlan*> asked_for(const ProgramPlan& observed, Simulation& simulation);
/// The program, those that it asks or that ask it, and those that ask these or are asked by them.
[[nodiscard]] std::vector<const ProgramPlan*> related_to(const ProgramPlan& observed, Simulation& simulation);
/// Whether one of `programs` runs on these machines, or on some to which these lend memory.
[[nodiscard]] bool any_uses(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines,
                            Simulation& simulation);

}  // namespace doorbell::model
