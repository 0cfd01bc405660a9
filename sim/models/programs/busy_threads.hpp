// Requests that wait for a thread which is busy with others, while threads idle on average.
#pragma once

#include <optional>
#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Whether those who ask a program wait for what it asks in turn: it awaits that before it answers, one operation at a
/// time.
[[nodiscard]] bool passes_on(const ProgramPlan& plan);
/// All programs, those that are asked before those that ask them, and otherwise in their order.
[[nodiscard]] std::vector<const ProgramPlan*> asked_first(Simulation& simulation);
/// What the operations in the window of `asking` owe to waiting for the threads of a program that it asks, or of one to
/// which these pass its requests on, beyond the work of these threads on each of them and their sleep: of several
/// programs that of which it is most. Nothing where that is little, or nobody asked answers, or one is also asked by
/// relays, which hold no window, or awaits others itself.
[[nodiscard]] std::optional<HeldFor> held_for_threads(Simulation& simulation, const ProgramPlan& asking, Time measured);

}  // namespace doorbell::model
