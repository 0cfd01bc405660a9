#include "models/programs/growing_batches.hpp"

#include <variant>

#include "models/programs/group_average.hpp"

namespace doorbell::model {
namespace {

/// Requests of a pass that found some.
double mean_collected(const ProgramPlan& plan) {
  const ProgramStatistics& done = plan.statistics;
  return done.collections == 0 ? 0 : static_cast<double>(done.collected) / static_cast<double>(done.collections);
}

}  // namespace

bool has_room_in_batches(const ProgramPlan& plan) {
  if (!plan.collects || plan.statistics.collections == 0) return false;
  int most = 0;
  for (const Step& step : plan.program->loop) {
    if (const auto* collect = std::get_if<CollectStep>(&step)) most = collect->at_most;
  }
  return mean_collected(plan) <= most / 2.0;
}

bool works_in_growing_batches(const ProgramPlan& plan) {
  constexpr double several = 1.5;
  return has_room_in_batches(plan) && mean_collected(plan) >= several;
}

bool is_incremented_for_growing_batches(Simulation& simulation, const std::string& machine, const std::string& line) {
  bool incremented = false;
  for (const auto& plan : simulation.programs()) {
    if (plan->program->machine != machine) continue;
    for (const Step& step : plan->program->loop) {
      const auto* increment = std::get_if<IncrementStep>(&step);
      if (increment == nullptr || increment->line != line) continue;
      if (increment->per_item || !has_room_in_batches(*plan)) return false;
      incremented = true;
    }
  }
  return incremented;
}

bool fills_elastic_line(Simulation& simulation, const ProgramPlan& plan) {
  constexpr double nearly_always = 0.9;
  const std::string& machine = plan.program->machine;
  for (const Step& step : plan.program->loop) {
    const auto* increment = std::get_if<IncrementStep>(&step);
    if (increment == nullptr || !is_incremented_for_growing_batches(simulation, machine, increment->line)) continue;
    Average busy;
    for (auto& instance : simulation.machine_set(machine).instances)
      busy.add(instance->line(increment->line).server().utilisation(simulation.calendar().now()));
    if (busy.value() >= nearly_always) return true;
  }
  return false;
}

}  // namespace doorbell::model
