// What a thread that starts work computes beside it.
#pragma once

#include "analytic/flow.hpp"
#include "core/quantity.hpp"

namespace doorbell::analytic {

/// Compute steps of one pass, around one operation of a post.
struct Computing {
  Time under_way{0};  ///< While the operation is under way.
  Time after{0};      ///< From its end until that post comes again.
};

/// At the clock of the program's machine. Nothing around what a device posts for the program.
[[nodiscard]] Computing computing_around(const ProgramFlow& program, const PostFlow& post);

/// What a thread computes between the end of one operation and the begin of the next, on average over the posts by
/// which it starts work.
[[nodiscard]] Time computed_between(const ProgramFlow& program);

}  // namespace doorbell::analytic
