// Runs in processes of their own, for models whose libraries allow one simulation per process.
#pragma once

#include <cstddef>
#include <functional>

#include "models/common/result.hpp"

namespace doorbell::model {

/// Calls `work` in a child process and returns what it returned. What it throws is thrown here, std::invalid_argument
/// as such and all else as std::runtime_error with the same message; so is the child's death. Forks: call it only while
/// the process has no other thread, whose locks would stay closed in the child.
[[nodiscard]] RunResult run_isolated(const std::function<RunResult()>& work);

/// The same for `work(0)` to `work(count - 1)`, up to `jobs` at a time. `done` takes each result here, as it comes.
/// When several throw, what the first of them in order has thrown is thrown on, after all have ended.
void run_isolated(std::size_t count, int jobs, const std::function<RunResult(std::size_t)>& work,
                  const std::function<void(std::size_t, RunResult)>& done);

}  // namespace doorbell::model
