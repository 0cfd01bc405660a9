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

/// What a pass collects on average, as a share of what it may take; 1 where nothing is collected.
double batches_of(const ProgramPlan& plan) {
  if (!plan.collects() || plan.statistics.collections == 0) return 1;
  int most = 0;
  for (const Step& step : plan.program->loop) {
    if (const auto* collect = std::get_if<CollectStep>(&step)) most = collect->at_most;
  }
  return most == 0 ? 1 : mean_collected(plan) / most;
}

/// Requests of a pass that can be told from one at a time.
constexpr double several = 1.5;

}  // namespace

bool has_room_in_batches(const ProgramPlan& plan) { return batches_of(plan) <= 0.5; }

bool works_in_growing_batches(const ProgramPlan& plan) {
  // Cores that work on each request for long find more and more of them, too, but not before they are nearly full.
  return batches_of(plan) <= 0.25 && mean_collected(plan) >= several;
}

bool shares_work_in_batches(const ProgramPlan& plan) {
  // From here on twice as many at a time are a seventh more.
  constexpr double much = 0.25;
  const ProgramStatistics& done = plan.statistics;
  return has_room_in_batches(plan) && mean_collected(plan) >= several &&
         done.per_pass >= stretched(done.busy + done.stalled, much);
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
