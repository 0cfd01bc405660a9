// The part of a simulation that makes the steps of programs ready to run.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "models/programs/connected_peers.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/parts_of_programs.hpp"
#include "models/programs/posted_operation.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {
namespace {

/// `peers`: what connected queue pairs lead to.
void require_queue_pairs(const ProgramPlan& plan, const QueuePairs& queue_pairs, std::size_t peers,
                         const std::string& which) {
  if (static_cast<std::size_t>(queue_pairs.count) >= peers) return;
  throw std::invalid_argument("program \"" + plan.name + "\" has not a queue pair for each " + which);
}

/// What the posting calls of a step cost.
class CallPlanner {
 public:
  /// `awaited`: an await step waits for what is posted.
  CallPlanner(const PostStep& step, const QueuePairs& queue_pairs, const MachineGroup& group, bool awaited)
      : step_{step}, queue_pairs_{queue_pairs}, group_{group}, awaited_{awaited} {}

  [[nodiscard]] StepPlans towards(const Receiver& receiver) const {
    StepPlans plans;
    plans.responder = &receiver.program;
    PostStep own = step_;
    own.mix.clear();
    own.then.clear();
    plans.own = plans_of(own, receiver);
    for (const Alternative& other : step_.mix) plans.alternatives.push_back(plans_of(only(step_, other), receiver));
    for (const FollowUp* next : follow_ups_of(step_))
      plans.follow_ups.push_back(plans_of(only(step_, *next), receiver));
    if (step_.acknowledgement) plans.acknowledgement = plans_of(with_payload(step_, *step_.acknowledgement), receiver);
    return plans;
  }

 private:
  [[nodiscard]] CallPlans plans_of(const PostStep& kind, const Receiver& receiver) const {
    return {.single = plan_of_call(kind, 1, receiver), .batched = plan_of_call(kind, step_.batch, receiver)};
  }
  [[nodiscard]] OperationPlan plan_of_call(const PostStep& kind, int batch, const Receiver& receiver) const {
    const Operation operation = operation_of(kind, queue_pairs_, batch, group_.hardware, receiver);
    OperationPlan made =
        make_plan(with_data_access(operation, kind, group_.software), group_.hardware, receiver.hardware);
    if (kind.region && reaches_memory(kind.verb, kind.payload)) made.page = kind.region->page;
    const bool acknowledged = queue_pairs_.transport == Transport::rc;
    const bool forgotten = completes_itself(kind, receiver.program);
    made.answered = !(acknowledged && forgotten);
    made.completes_when_sent = !acknowledged && forgotten && awaited_;
    return made;
  }

  const PostStep& step_;
  const QueuePairs& queue_pairs_;
  const MachineGroup& group_;
  bool awaited_;
};

}  // namespace

void Simulation::plan_steps(ProgramPlan& plan) {
  for (const Step& step : plan.program->loop) {
    std::visit(
        [&](const auto& kind) {
          if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, PostStep>) {
            plan_post(plan, kind);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, AccessStep>) {
            plan_access(plan, kind);
          } else {
            plan.steps.emplace_back(kind);
          }
        },
        step);
  }
  plan.calls_of_steps.resize(plan.steps.size());
}

void Simulation::plan_post(ProgramPlan& plan, const PostStep& step) {
  PostPlan post;
  post.step = &step;
  post.follow_ups = FollowUpList{step};
  post.number = plan.steps.size();
  const auto& sets = plan.program->queue_pairs;
  const auto set =
      std::find_if(sets.begin(), sets.end(), [&](const auto& item) { return item.first == step.queue_pairs; });
  if (set == sets.end()) throw std::invalid_argument("no queue pairs named " + step.queue_pairs);
  const QueuePairs& queue_pairs = set->second;
  post.queue_pairs = static_cast<std::size_t>(set - sets.begin());
  post.all_ports = queue_pairs.ports == PortUse::all;

  const bool answers = step.destination == Destination::origin;
  const std::vector<Receiver> receivers =
      answers ? plan_answers(plan, queue_pairs, post) : std::vector{plan_requests(plan, queue_pairs, post)};
  const bool awaited = step.relay || (starts_work(step) && has_step<AwaitStep>(*plan.program));
  const CallPlanner planner{step, queue_pairs, *machine_set(plan.program->machine).group, awaited};
  for (const Receiver& receiver : receivers) post.plans.push_back(planner.towards(receiver));
  const auto add_popularity = [&](const std::optional<Region>& region) {
    std::optional<Popularity>& popularity = post.popularities.emplace_back();
    if (region && region->skew > 0) popularity.emplace(region->count, region->skew);
  };
  add_popularity(step.region);
  for (const Alternative& other : step.mix) add_popularity(other.region);
  for (const FollowUp* next : post.follow_ups.operations()) add_popularity(next->region);
  post.first_region = plan.regions;
  plan.regions += post.popularities.size();
  plan.steps.emplace_back(std::move(post));
}

std::vector<Receiver> Simulation::plan_answers(const ProgramPlan& plan, const QueuePairs& queue_pairs, PostPlan& post) {
  std::vector<Receiver> receivers;
  for (const auto& [name, other] : scenario_.programs) {
    if (sends_to(other, plan.name)) receivers.push_back({machine_set(other.machine).group->hardware, other});
  }
  if (queue_pairs.transport != Transport::ud) {
    post.connected_to = askers_of(plan.name, scenario_.programs, scenario_.machines).threads;
    require_queue_pairs(plan, queue_pairs, post.connected_to, "thread that may ask one of its own");
  }
  return receivers;
}

Receiver Simulation::plan_requests(ProgramPlan& plan, const QueuePairs& queue_pairs, PostPlan& post) {
  const PostStep& step = *post.step;
  ProgramPlan& target = program(step.to);
  const MachineSet& machines = machine_set(target.program->machine);
  const bool at_home = target.program->machine == plan.program->machine;
  post.targets = target.threads;
  if (step.destination == Destination::others && at_home && machines.instances.size() == 1) {
    throw std::invalid_argument("destination \"others\" needs a second machine in the group of program \"" + plan.name +
                                "\"");
  }
  const std::string of_target = " of \"" + step.to + "\"";
  if (needs_connections(step, queue_pairs)) {
    post.connected_to = static_cast<std::size_t>(peers_asked(step, scenario_.programs, scenario_.machines));
    require_queue_pairs(plan, queue_pairs, post.connected_to,
                        (leads_to_thread(step) ? "thread" : "machine") + of_target);
  }
  post.completes_itself = completes_itself(step, *target.program);
  post.whole_windows = post.completes_itself && waits_for_whole_windows(*plan.program, step);
  post.polls_for_room = polls_for_room(*plan.program, step, *target.program);
  post.told_by_cqes = told_by_cqes(*plan.program, step, *target.program);
  post.checks_room = post.polls_for_room || step.relay || step.arrivals;
  if (step.relay) {
    const std::size_t peers = machines.instances.size() - (at_home ? 1 : 0);
    if (queue_pairs.transport != Transport::ud) require_queue_pairs(plan, queue_pairs, peers, "machine" + of_target);
    post.relay = plan.relays++;
  }
  return {machines.group->hardware, *target.program};
}

void Simulation::plan_access(ProgramPlan& plan, const AccessStep& step) {
  const MachineGroup& group = *machine_set(plan.program->machine).group;
  if (step.device == AccessedDevice::remote) {
    plan.steps.emplace_back(plan_remote_access(plan, step, group));
    return;
  }
  if (!group.drives) throw std::invalid_argument("no drives in the machine of program " + plan.name);
  const auto cost = [&](bool write) {
    return command_cost(group.drives->hardware, group.hardware.root_complex, step.size, write);
  };
  AccessPlan access;
  access.step = &step;
  access.take = group.hardware.cpu.poll_cqe;
  access.read = cost(false);
  access.write = cost(true);
  plan.steps.emplace_back(access);
}

AccessPlan Simulation::plan_remote_access(const ProgramPlan& plan, const AccessStep& step,
                                          const MachineGroup& group) const {
  if (!group.remote_device) throw std::invalid_argument("no remote device in the machine of program " + plan.name);
  const int parts = step.order == AccessOrder::sequential ? plan.program->threads : 1;
  AccessPlan access;
  access.step = &step;
  access.take = group.software->block.reap;
  access.begin = part_on_device(scenario_.programs, plan.name, *group.remote_device).of_access;
  access.blocks = std::max<std::int64_t>(1, step.extent.count / parts / step.size.count);
  return access;
}

void Simulation::build_memories() {
  for (auto& plan : programs_) {
    const auto& memory = plan->program->memory;
    if (!memory) continue;
    MachineSet& set = machine_set(plan->program->machine);
    if (set.devices.empty()) throw std::invalid_argument("no remote device in the machine of program " + plan->name);
    const Bytes begin = part_on_device(scenario_.programs, plan->name, *set.group->remote_device).of_memory;
    for (std::size_t i = 0; i < set.devices.size(); ++i) {
      HostedDevice& hosted = *set.devices[i];
      core::RandomStream random{scenario_.seed, plan->name + "'s memory/" + std::to_string(i)};
      plan->memories.push_back(std::make_unique<PagedMemory>(
          calendar_, hosted.cpu(), DevicePart{hosted.device(), begin}, *set.group->software, *memory,
          touches_of(*memory, plan->program->threads), plan->program->threads, random));
    }
    for (std::size_t i = 0; i < plan->threads.size(); ++i) {
      plan->threads[i]->use(*plan->memories[i % plan->memories.size()]);
    }
  }
}

}  // namespace doorbell::model
