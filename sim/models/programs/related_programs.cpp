#include "models/programs/related_programs.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

namespace doorbell::model {
namespace {

/// The program, and all to which others that are found already are linked.
template <class Linked>
std::vector<const ProgramPlan*> linked_to(const ProgramPlan& observed, Simulation& simulation, Linked linked) {
  std::vector<const ProgramPlan*> found{&observed};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& plan : simulation.programs()) {
      if (linked(*found[i], *plan) && std::ranges::find(found, plan.get()) == found.end()) found.push_back(plan.get());
    }
  }
  return found;
}

}  // namespace

std::vector<const PostStep*> posts_to(const ProgramPlan& asking, const ProgramPlan& asked) {
  std::vector<const PostStep*> posts;
  for (const Step& step : asking.program->loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post != nullptr && post->to == asked.name) posts.push_back(post);
  }
  return posts;
}

bool asks(const ProgramPlan& asking, const ProgramPlan& asked) { return !posts_to(asking, asked).empty(); }

bool sends_to(const ProgramPlan& sender, const ProgramPlan& receiver) {
  if (asks(sender, receiver)) return true;
  return std::ranges::any_of(posts_to(receiver, sender), [&](const PostStep* post) {
    return sender.answers || find(receiver.program->queue_pairs, post->queue_pairs)->transport == Transport::rc;
  });
}

bool any_sends(const MachineSet& senders, const MachineSet& receivers, Simulation& simulation) {
  const auto lends = [](const MachineSet& lender, const MachineSet& borrower) {
    return borrower.group->remote_device && borrower.group->remote_device->peers == lender.name;
  };
  if (lends(senders, receivers) || lends(receivers, senders)) return true;
  const auto& programs = simulation.programs();
  return std::ranges::any_of(programs, [&](const auto& sender) {
    return sender->program->machine == senders.name && std::ranges::any_of(programs, [&](const auto& receiver) {
             return receiver->program->machine == receivers.name && sends_to(*sender, *receiver);
           });
  });
}

std::vector<const ProgramPlan*> asked_for(const ProgramPlan& observed, Simulation& simulation) {
  return linked_to(observed, simulation, asks);
}

std::vector<const ProgramPlan*> related_to(const ProgramPlan& observed, Simulation& simulation) {
  return linked_to(observed, simulation, [](const ProgramPlan& one, const ProgramPlan& other) {
    return works_for(*one.program, one.name, *other.program) || works_for(*other.program, other.name, *one.program);
  });
}

bool any_uses(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines, Simulation& simulation) {
  const auto runs_on = [&](const std::string& name) {
    return std::ranges::any_of(programs, [&](const ProgramPlan* plan) { return plan->program->machine == name; });
  };
  const bool reached = std::ranges::any_of(simulation.programs(), [&](const auto& target) {
    return target->program->machine == machines.name &&
           std::ranges::any_of(programs, [&](const ProgramPlan* plan) { return asks(*plan, *target); });
  });
  return reached || runs_on(machines.name) || std::ranges::any_of(simulation.machines(), [&](const MachineSet& set) {
           const auto& device = set.group->remote_device;
           return device && device->peers == machines.name && runs_on(set.name);
         });
}

}  // namespace doorbell::model
