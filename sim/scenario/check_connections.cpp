// Connected queue pairs: there are enough of them, and each leads to one peer, whichever step posts on it.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "models/programs/connected_peers.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// How the queue pairs of a set are dealt out to the peers that a step reaches.
enum class Dealing {
  by_thread,  ///< All queue pairs of a thread lead to one peer.
  in_turn,    ///< Each leads to the next peer.
  divided,    ///< Likewise, but only to those that ask this thread.
  at_random,  ///< Each leads to another peer, as thread_post deals them out.
};

/// Where the queue pairs of a step lead.
struct Leads {
  std::vector<std::string> groups;
  bool to_own_machine = true;  ///< Machines of one's own group: also to the thread's own.
  int machines = 0;
  std::vector<std::string> programs = {};  ///< Whose threads they lead to; none: to memory.
  int peers = 0;                           ///< Machines or threads.
  Dealing dealing = Dealing::by_thread;

  [[nodiscard]] bool same_as(const Leads& other) const {
    if (groups != other.groups || to_own_machine != other.to_own_machine) return false;
    if (programs.empty() || other.programs.empty()) return machines == 1 || dealing == other.dealing;
    return programs == other.programs && ((peers == 1 && other.peers == 1) || dealing == other.dealing);
  }
};

Leads leads_of(const Examined& examined, const StepSite& site, const PostStep& step) {
  const Scenario& scenario = examined.scenario;
  Leads leads;
  if (step.destination == Destination::origin) {
    const Askers askers = askers_of(site.program_name, scenario.programs, scenario.machines);
    leads.dealing = Dealing::in_turn;
    std::set<std::string> groups;
    for (const AskingThreads& asking : askers.programs) {
      const auto is_it = [&](const auto& named) { return &named.second == asking.program; };
      leads.programs.push_back(std::ranges::find_if(scenario.programs, is_it)->first);
      groups.insert(asking.program->machine);
      if (asking.among > 1) leads.dealing = Dealing::divided;
    }
    leads.groups.assign(groups.begin(), groups.end());
    leads.peers = static_cast<int>(askers.threads);
  } else {
    leads.groups.push_back(find(scenario.programs, step.to)->machine);
    const bool to_others = step.relay || step.destination == Destination::others;
    leads.to_own_machine = !to_others || leads.groups.front() != site.program.machine;
    if (step.destination == Destination::others) {
      leads.dealing = Dealing::at_random;
    } else if (step.relay || step.destination != Destination::fixed) {
      leads.dealing = Dealing::in_turn;
    }
    if (leads_to_thread(step)) leads.programs.push_back(step.to);
    leads.peers = peers_asked(step, scenario.programs, scenario.machines);
  }
  for (const std::string& group : leads.groups) leads.machines += find(scenario.machines, group)->count;
  if (!leads.to_own_machine) --leads.machines;
  return leads;
}

std::string machines_of(const Leads& leads) {
  std::string names;
  for (const std::string& group : leads.groups) names += (names.empty() ? "" : " and ") + in_quotes(group);
  if (!leads.to_own_machine) names += " but its own";
  if (leads.machines == 1) return "the machine of " + names;
  const std::string text = fmt::format("the {} machines of {}, ", leads.machines, names);
  switch (leads.dealing) {
    case Dealing::by_thread: return text + "one for each thread";
    case Dealing::in_turn: return text + "one after the other";
    case Dealing::divided: return text + "those that ask the same thread";
    case Dealing::at_random: break;
  }
  return text + "any of them";
}

void require_enough(const Examined& examined, const StepSite& site, PostStep& step, const QueuePairs& set) {
  const auto require = [&](int needed, const std::string& which) {
    if (set.count >= needed) return;
    examined.refuse(ErrorCode::unconnected, site.pointer / member_name(step, step.queue_pairs),
                    fmt::format("at least {} {} queue pairs in {}, one for each {}", needed, text_of(set.transport),
                                in_quotes(step.queue_pairs), which),
                    std::to_string(set.count));
  };
  const Leads leads = leads_of(examined, site, step);
  if (step.relay) {
    require(leads.machines, "machine of " + in_quotes(step.to));
  } else if (step.destination == Destination::origin) {
    require(leads.peers, "thread that may ask the same thread of " + in_quotes(site.program_name));
  } else if (needs_connections(step, set)) {
    require(leads.peers, (leads_to_thread(step) ? "thread of " : "machine of ") + in_quotes(step.to));
  }
}

}  // namespace

void check_connections(const Examined& examined, const StepSite& site, PostStep& step) {
  const QueuePairs& set = *find(site.program.queue_pairs, step.queue_pairs);
  if (set.transport == Transport::ud) return;
  require_enough(examined, site, step, set);
  const Leads leads = leads_of(examined, site, step);
  for (std::size_t i = 0; i < site.index; ++i) {
    const auto* before = std::get_if<PostStep>(&site.program.loop[i]);
    if (before == nullptr || before->queue_pairs != step.queue_pairs) continue;
    const Leads others = leads_of(examined, site, *before);
    if (leads.same_as(others)) continue;
    examined.refuse(ErrorCode::two_peers, site.pointer / member_name(step, step.queue_pairs),
                    fmt::format("other {} queue pairs than in step {} of the loop, where those of {} lead to {}",
                                text_of(set.transport), i, in_quotes(step.queue_pairs), machines_of(others)),
                    fmt::format("the same, for {}", machines_of(leads)));
  }
}

}  // namespace doorbell::scenario
