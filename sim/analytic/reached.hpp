// How much of a group of machines what is posted to fixed destinations reaches.
#pragma once

#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// Machines on which some thread of the receiver is asked: all, unless each thread that asks has a fixed one and these
/// are few.
[[nodiscard]] int machines_reached(const Flow& flow, const ProgramFlow& from, const PostFlow& post);
/// Machines on which a program has something to do: all, unless it only does what it is asked.
[[nodiscard]] int machines_at_work(const Flow& flow, const ProgramFlow& program);
/// Queues from which its threads take requests, as far as some come to them.
[[nodiscard]] double queues_at_work(const Flow& flow, const ProgramFlow& program);
/// Its threads that have something to do.
[[nodiscard]] double threads_at_work(const Flow& flow, const ProgramFlow& program);

}  // namespace doorbell::analytic
