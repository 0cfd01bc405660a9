#include "analytic/unrelated.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/programs/loop_pass.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// On which it runs, to whose programs it posts, and on which memory lies that its own machines use.
std::set<std::string> machines_used(const Scenario& scenario, const Program& program) {
  std::set<std::string> machines{program.machine};
  for (const auto& [name, other] : scenario.programs) {
    if (sends_to(program, name)) machines.insert(other.machine);
  }
  for (const auto& [name, group] : scenario.machines) {
    if (name == program.machine && group.remote_device) machines.insert(group.remote_device->peers);
  }
  return machines;
}

}  // namespace

std::set<std::string> related_to_measured(const Scenario& scenario) {
  std::set<std::string> related{scenario.measure.program};
  const auto is_linked = [&](const std::string& name, const Program& program) {
    return std::ranges::any_of(scenario.programs, [&](const auto& entry) {
      return related.contains(entry.first) &&
             (works_for(entry.second, entry.first, program) || works_for(program, name, entry.second));
    });
  };
  for (std::size_t before = 0; before < related.size();) {
    before = related.size();
    for (const auto& [name, program] : scenario.programs) {
      if (is_linked(name, program)) related.insert(name);
    }
  }
  return related;
}

void tell_unrelated(const Flow& flow, std::vector<std::string>& left_out) {
  const Scenario& scenario = flow.scenario();
  const std::set<std::string> related = related_to_measured(scenario);
  std::set<std::string> own;
  for (const auto& [name, program] : scenario.programs) {
    if (related.contains(name)) own.merge(machines_used(scenario, program));
  }
  for (const auto& [name, program] : scenario.programs) {
    if (related.contains(name) || fresh_pass(program).total == 0) continue;
    std::set<std::string> shared = machines_used(scenario, program);
    std::erase_if(shared, [&](const std::string& machine) { return !own.contains(machine); });
    if (shared.empty()) continue;
    left_out.push_back(fmt::format(
        "what {} takes of the NIC, ports and PCI Express of {}, which it shares: neither works for the other, and "
        "the bound is for {} alone",
        name, fmt::join(shared, " and "), scenario.measure.program));
  }
}

}  // namespace doorbell::analytic
