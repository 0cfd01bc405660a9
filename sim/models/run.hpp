// The entry point of the models: run one scenario.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

/// Simulates one point. The same scenario and seed give the same result, whatever else runs. A fluid scenario
/// (Scenario::is_fluid) runs in a process of its own, as run_isolated() says: call from the only thread of the process.
/// Others may run in any number of threads.
/// `trace`, where given, draws the beginning of the measured time. Of a fluid scenario, which its own process draws,
/// only what a stream writes to a file arrives: std::ofstream, and not std::ostringstream. Throws std::invalid_argument
/// when the scenario is impossible (no such program, batch by MMIO, ...): the scenario layer checks all of that first
/// and says it better; std::runtime_error when that other process died.
[[nodiscard]] RunResult run(const Scenario& scenario, const Tracing* trace = nullptr);

/// Simulates scenarios that need a process of their own each (Scenario::is_fluid), up to `jobs` at a time. `done` takes
/// each result as it comes. As with run_isolated(), the process must have no other thread.
void run_fluid(const std::vector<const Scenario*>& scenarios, int jobs,
               const std::function<void(std::size_t, RunResult)>& done);

}  // namespace doorbell::model
