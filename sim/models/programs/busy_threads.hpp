// Requests that wait for a thread which is busy with others, while threads idle on average.
#pragma once

#include <optional>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// What the operations in the window of `asking` owe to waiting for the threads of a program that it asks, beyond the
/// work of these threads on each of them and their sleep: of several programs that of which it is most. Nothing where
/// that is little, or it asks none that answers, or one that is also asked by relays, which hold no window, or that
/// awaits others itself.
[[nodiscard]] std::optional<HeldFor> held_for_threads(Simulation& simulation, const ProgramPlan& asking, Time measured);

}  // namespace doorbell::model
