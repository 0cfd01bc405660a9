// A run in a process of its own, for models whose libraries allow one simulation per process.
#pragma once

#include <functional>

#include "models/result.hpp"

namespace doorbell::model {

/// Calls `work` in a child process and returns what it returned. What it throws is thrown here, as std::runtime_error
/// with the same message; so is the child's death. Forks: call it only while the process has no other thread, whose
/// locks would stay closed in the child.
[[nodiscard]] RunResult run_isolated(const std::function<RunResult()>& work);

}  // namespace doorbell::model
