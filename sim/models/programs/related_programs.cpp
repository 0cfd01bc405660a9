#include "models/programs/related_programs.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace doorbell::model {
namespace {

bool posts_to(const ProgramPlan& from, const ProgramPlan& to) {
  return std::ranges::any_of(from.program->loop, [&](const Step& step) {
    const auto* post = std::get_if<PostStep>(&step);
    return post != nullptr && post->to == to.name;
  });
}

}  // namespace

std::vector<const ProgramPlan*> related_to(const ProgramPlan& observed, Simulation& simulation) {
  std::vector<const ProgramPlan*> found{&observed};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& plan : simulation.programs()) {
      if (!posts_to(*found[i], *plan) && !posts_to(*plan, *found[i])) continue;
      if (std::ranges::find(found, plan.get()) == found.end()) found.push_back(plan.get());
    }
  }
  return found;
}

bool any_uses(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines, Simulation& simulation) {
  const auto runs_on = [&](const std::string& name) {
    return std::ranges::any_of(programs, [&](const ProgramPlan* plan) { return plan->program->machine == name; });
  };
  return runs_on(machines.name) || std::ranges::any_of(simulation.machines(), [&](const MachineSet& set) {
           const auto& device = set.group->remote_device;
           return device && device->peers == machines.name && runs_on(set.name);
         });
}

}  // namespace doorbell::model
