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
/// The program, those that work for it or for which it works, and so on. Who only accesses the memory of a program's
/// machine has nothing to do with that program.
[[nodiscard]] std::vector<const ProgramPlan*> related_to(const ProgramPlan& observed, Simulation& simulation);
/// Whether a program sends another one messages: requests, answers, or what RC returns for each request.
[[nodiscard]] bool sends_to(const ProgramPlan& sender, const ProgramPlan& receiver);
/// Whether a program on machines of one group does so to one on those of another, or a device on remote memory does.
[[nodiscard]] bool any_sends(const MachineSet& senders, const MachineSet& receivers, Simulation& simulation);
/// Whether one of `programs` runs on these machines, sends something there, or runs on some to which these lend memory.
[[nodiscard]] bool any_uses(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines,
                            Simulation& simulation);

}  // namespace doorbell::model
