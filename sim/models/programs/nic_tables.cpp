#include "models/programs/nic_tables.hpp"

#include <algorithm>
#include <optional>
#include <variant>

namespace doorbell::model {
namespace {

bool posts_to(const Program& program, const std::string& queue_pairs, const std::string& receiver) {
  return has_step<PostStep>(
      program, [&](const PostStep& post) { return post.to == receiver && post.queue_pairs == queue_pairs; });
}

}  // namespace

std::map<std::string, std::int64_t> contexts_by_machine(const ProgramScenario& scenario) {
  std::map<std::string, std::int64_t> contexts;
  const auto group = [&](const std::string& name) -> const MachineGroup& { return *find(scenario.machines, name); };
  for (const auto& [name, program] : scenario.programs) {
    const MachineGroup& machines = group(program.machine);
    for (const auto& [set_name, set] : program.queue_pairs) {
      const int ports = set.ports == PortUse::all ? machines.hardware.port.ports : 1;
      const std::int64_t pairs = std::int64_t{program.threads} * set.count * ports;
      contexts[program.machine] += pairs;
      if (set.transport != Transport::rc) continue;  // see RdmaNic::received
      for (const auto& [receiver, other] : scenario.programs) {
        if (!posts_to(program, set_name, receiver)) continue;
        const int peers = group(other.machine).count;
        contexts[other.machine] += (pairs * machines.count + peers - 1) / peers;
      }
    }
  }
  for (const auto& [name, machines] : scenario.machines) {
    if (!machines.remote_device) continue;
    const std::int64_t to_one_peer = machines.remote_device->access.queue_pairs;
    const std::string& peers = machines.remote_device->peers;
    contexts[name] += to_one_peer * group(peers).count;
    contexts[peers] += to_one_peer * machines.count;
  }
  return contexts;
}

std::map<std::string, std::int64_t> translations_by_machine(const ProgramScenario& scenario) {
  std::map<std::string, std::int64_t> pages;
  for (const auto& [name, program] : scenario.programs) {
    for (const Step& step : program.loop) {
      const auto* post = std::get_if<PostStep>(&step);
      if (post == nullptr || post->to.empty()) continue;
      std::int64_t& most = pages[find(scenario.programs, post->to)->machine];
      const auto consider = [&](const std::optional<Region>& region) {
        if (region) most = std::max(most, pages_of(*region));
      };
      consider(post->region);
      for (const Alternative& other : post->mix) consider(other.region);
      for (const FollowUp* next : follow_ups_of(*post)) consider(next->region);
    }
  }
  return pages;
}

}  // namespace doorbell::model
