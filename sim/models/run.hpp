// The entry point of the models: run one scenario.
#pragma once

#include "models/result.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

/// Simulates one point. The same scenario and seed give the same result, whatever else runs.
/// Throws std::invalid_argument when the scenario is impossible (no route, no such program, batch by MMIO, ...): the
/// scenario layer checks all of that first and says it better.
[[nodiscard]] RunResult run(const Scenario& scenario);

}  // namespace doorbell::model
