#include "models/programs/contended_lines.hpp"

#include <set>
#include <variant>

#include "models/common/resource_name.hpp"
#include "models/programs/group_average.hpp"
#include "models/programs/growing_batches.hpp"

namespace doorbell::model {
namespace {

/// Of all lines of one name.
struct LineUse {
  std::string resource;
  Time taken{0};
  bool elastic = false;
  Average busy = {};

  void add(const SharedLine& line, Time now) {
    taken += line.taken();
    busy.add(line.server().utilisation(now));
  }
};

Time busy_of_users(Simulation& simulation, const std::string& machine, const std::string& line) {
  Time busy{0};
  for (const auto& plan : simulation.programs()) {
    if (plan->program->machine == machine && increments(*plan->program, line)) busy += plan->statistics.busy;
  }
  return busy;
}

}  // namespace

std::optional<ContendedLine> costliest_line(Simulation& simulation, const ProgramPlan& plan) {
  const Time now = simulation.calendar().now();
  const std::string& machine = plan.program->machine;
  std::optional<ContendedLine> costliest;
  // A faster line shortens the queue for it, too: this gains as much as the same of all other work.
  constexpr double as_much_as_the_rest = 0.45;
  double most = as_much_as_the_rest;
  const auto consider = [&](const LineUse& use, Time busy) {
    if (busy <= Time{0}) return;
    const double share = to_seconds(use.taken) / to_seconds(busy);
    if (share < most) return;
    most = share;
    costliest = ContendedLine{use.resource, use.busy.value(), use.elastic};
  };

  std::set<std::string> counters;
  for (const Step& step : plan.program->loop) {
    if (const auto* increment = std::get_if<IncrementStep>(&step)) counters.insert(increment->line);
  }
  for (const std::string& counter : counters) {
    LineUse use{shared_line_of(machine, counter)};
    use.elastic = is_incremented_for_growing_batches(simulation, machine, counter);
    for (MachineSet& set : simulation.machines()) {
      if (set.name != machine) continue;
      for (auto& instance : set.instances) use.add(instance->line(counter), now);
    }
    consider(use, busy_of_users(simulation, machine, counter));
  }

  LineUse completions{completion_queues_of(machine, plan.name)};
  LineUse receives{receive_queues_of(machine, plan.name)};
  for (const RequestQueue& queue : plan.request_queues) {
    completions.add(queue.completions(), now);
    receives.add(queue.receives(), now);
  }
  consider(completions, plan.statistics.busy);
  consider(receives, plan.statistics.busy);
  return costliest;
}

}  // namespace doorbell::model
