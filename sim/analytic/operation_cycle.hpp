// One operation at a time: how long it takes from the begin of its post, through whoever answers it, until its thread
// may begin the next.
#pragma once

#include <cstddef>

#include "analytic/demand.hpp"
#include "analytic/flow.hpp"
#include "analytic/timeline.hpp"

namespace doorbell::analytic {

/// A call of so many work requests of a post, alone in the system; with what it waits for translations on average.
[[nodiscard]] Timeline timeline_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post, int wqes = 1);

/// Operations that a program starts for one measured request.
[[nodiscard]] double started_by(const ProgramFlow& program);

/// Time of an operation of `source` when nothing else is under way, on average over its posts: threads that sleep are
/// woken for it. `demands` are those of the flow.
[[nodiscard]] Time cycle_alone(const Flow& flow, std::size_t source, const DemandMatrix& demands);

/// From the begin of an operation of `source` until its thread may begin the next in its place, on average over its
/// posts, where threads look for it; they count as asleep only where they surely are.
[[nodiscard]] Time turn_alone(const Flow& flow, std::size_t source, const DemandMatrix& demands);
/// The same at the least: whoever has been busy with others finds it when it looks.
[[nodiscard]] Time shortest_turn(const Flow& flow, std::size_t source, const DemandMatrix& demands);

}  // namespace doorbell::analytic
