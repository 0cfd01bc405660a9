// For tests that look into a simulation after its run.
#pragma once

#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Runs warm-up and measured time.
inline void run_through(Simulation& simulation) {
  const auto& measure = simulation.scenario().measure;
  simulation.calendar().run_until(measure.warmup);
  simulation.measure(measure.warmup + measure.duration);
  simulation.calendar().run_until(measure.warmup + measure.duration);
}

}  // namespace doorbell::model
