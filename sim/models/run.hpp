// The entry point of the models: run one scenario.
#pragma once

#include "models/result.hpp"
#include "models/scenario.hpp"
#include "models/tracing.hpp"

namespace doorbell::model {

/// Simulates one point. The same scenario and seed give the same result, whatever else runs.
/// `trace`, where given, draws the beginning of the measured time.
/// Throws std::invalid_argument when the scenario is impossible (no route, no such program, batch by MMIO, ...): the
/// scenario layer checks all of that first and says it better.
[[nodiscard]] RunResult run(const Scenario& scenario, const Tracing* trace = nullptr);

}  // namespace doorbell::model
