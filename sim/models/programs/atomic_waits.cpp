#include "models/programs/atomic_waits.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/group_average.hpp"
#include "models/programs/related_programs.hpp"

namespace doorbell::model {
namespace {

bool posts_atomics(const ProgramPlan& asking, const ProgramPlan& asked) {
  return std::ranges::any_of(posts_to(asking, asked), [](const PostStep* post) {
    return any_operation(*post, [](const PostStep& operation) { return is_atomic(operation.verb); });
  });
}

/// Those that send atomics to the memory of a group.
std::vector<const ProgramPlan*> senders_of_atomics(const MachineSet& set, Simulation& simulation) {
  std::vector<const ProgramPlan*> senders;
  for (const auto& plan : simulation.programs()) {
    const bool sends = std::ranges::any_of(simulation.programs(), [&](const auto& asked) {
      return asked->program->machine == set.name && posts_atomics(*plan, *asked);
    });
    if (sends) senders.push_back(plan.get());
  }
  return senders;
}

bool posts_reads_on(const ProgramPlan& plan, const std::string& set) {
  return has_step<PostStep>(*plan.program, [&](const PostStep& step) {
    return step.queue_pairs == set && any_operation(step, [](const PostStep& operation) {
             return operation.verb == Verb::read || is_atomic(operation.verb);
           });
  });
}

/// How many READs and atomics the queue pairs in use can have in flight.
double places_of_reads(const ProgramPlan& plan, const MachineSet& set) {
  int pairs = 0;
  for (std::size_t i = 0; i < plan.program->queue_pairs.size(); ++i) {
    if (!posts_reads_on(plan, plan.program->queue_pairs[i].first)) continue;
    for (const Thread* thread : plan.threads) {
      for (const auto& pair : thread->queue_pairs()[i]) pairs += pair->posted > 0 ? 1 : 0;
    }
  }
  const HardwareProfile& own = plan.threads.front()->machine().profile();
  return static_cast<double>(pairs) * most_in_flight(own.nic, set.group->hardware.nic);
}

}  // namespace

void explain_atomic_waits(MachineSet& set, Simulation& simulation, Time measured, std::vector<Utilisation>& holders) {
  const std::vector<const ProgramPlan*> senders = senders_of_atomics(set, simulation);
  // Of several it is not known whose atomics wait.
  if (senders.size() != 1) return;
  const ProgramPlan& plan = *senders.front();
  const Time now = simulation.calendar().now();
  double queued = 0;
  GroupAverage engines;
  for (auto& machine : set.instances) {
    queued += machine->nic().atomics().queued(now) * to_seconds(measured);
    engines.add(machine->nic().atomics().engines_waiting(now));
  }
  const auto explain = [&](Utilisation& holder, double held) {
    if (held <= 0 || waits_for_one(holder)) return;
    const double share = std::min(1.0, queued / held);
    // From half of the time on, locks that are free sooner gain more than twice as many places ever could.
    constexpr double worth_telling = 0.5;
    if (share < worth_telling) return;
    holder.held_for = HeldFor{atomic_engines_of(set.name), Limit::pcie_round_trip, share, engines.value(), 1};
    holder.remark.clear();
  };
  const std::string& machine = plan.program->machine;
  for (Utilisation& holder : holders) {
    if (holder.limit == Limit::in_flight && is_resource(holder.resource, window_of(machine, plan.name)))
      explain(holder, to_seconds(plan.statistics.in_window));
    if (holder.limit == Limit::outstanding_reads &&
        is_resource(holder.resource, reads_in_flight_of(machine, plan.name)))
      explain(holder, places_of_reads(plan, set) * holder.busy * to_seconds(measured));
  }
}

}  // namespace doorbell::model
