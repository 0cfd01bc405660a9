#include "models/programs/others_share.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>

#include "models/common/bottleneck.hpp"
#include "models/programs/related_programs.hpp"
#include "models/programs/utilisation_report.hpp"

namespace doorbell::model {
namespace {

/// Requests and the bytes that they move through the machines of a group.
struct Traffic {
  double requests = 0;
  double bytes = 0;
};

/// Of a message, whatever its payload: headers, WQE or CQE.
constexpr double beside_payload = 64;

/// Which way data move, as the machines see it.
enum class Way { in, out, both };

/// Whether payload of the step moves that way through the machine that posts, or is asked.
bool moves(const PostStep& step, bool posts, Way way) {
  if (way == Way::both || !step.mix.empty() || has_follow_ups(step)) return true;
  const bool comes_to_poster = step.verb == Verb::read;
  return (way == Way::in) == (comes_to_poster == posts);
}

/// Answers follow from the requests, and do not count: all that passes the machines is for those who ask.
Traffic traffic_through(const std::string& machines, const ProgramPlan& plan, Way way) {
  const ProgramStatistics& done = plan.statistics;
  if (done.calls == 0) return {};
  double calls = 0;
  double moving = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* post = std::get_if<PostPlan>(&plan.steps[i]);
    if (post == nullptr || post->step->destination == Destination::origin || post->targets.empty()) continue;
    const bool posts = plan.program->machine == machines;
    const bool is_asked = post->targets.front()->plan().program->machine == machines;
    if (!posts && !is_asked) continue;
    const auto made = static_cast<double>(plan.calls_of_steps[i]);
    calls += made;
    if ((posts && moves(*post->step, true, way)) || (is_asked && moves(*post->step, false, way))) moving += made;
  }
  const auto all = static_cast<double>(done.calls);
  const double requests = calls / all * static_cast<double>(done.work_requests);
  return {requests, moving / all * static_cast<double>(done.payload.count) + beside_payload * requests};
}

enum class Counted { nothing, requests, bytes };

/// What all programs on a machine share, by its name without that of the machine.
Counted counted_in(std::string_view shared, Limit limit) {
  constexpr std::array by_bytes{"PCIe ", "ports ", "receive buffers", "NIC transmit queue"};
  const auto begins = [shared](std::string_view part) { return shared.starts_with(part); };
  if (limit == Limit::pcie_round_trip) return Counted::nothing;  // atomics, which take much longer than others
  if (std::ranges::any_of(by_bytes, begins)) return Counted::bytes;
  return begins("NIC ") ? Counted::requests : Counted::nothing;
}

Way way_through(std::string_view shared) {
  constexpr std::array inwards{"PCIe upstream", "ports receive", "receive buffers", "PCIe posted credits"};
  constexpr std::array outwards{"PCIe downstream", "ports transmit", "NIC transmit queue"};
  const auto begins = [shared](std::string_view part) { return shared.starts_with(part); };
  if (std::ranges::any_of(inwards, begins)) return Way::in;
  return std::ranges::any_of(outwards, begins) ? Way::out : Way::both;
}

struct Others {
  Counted counted = Counted::nothing;
  double share = 0;       ///< Of what has come through, that for other programs.
  int programs = 0;       ///< How many these are.
  std::string greediest;  ///< Of them, the one of which it is most.
};

class SharesOfOthers {
 public:
  SharesOfOthers(Simulation& simulation, const ProgramPlan& observed)
      : simulation_{simulation}, related_{related_to(observed, simulation)}, observed_{observed} {}

  /// Nothing of what is not shared, and where it is not known who uses it.
  [[nodiscard]] std::optional<Others> of(const Utilisation& item) const {
    for (const MachineSet& set : simulation_.machines()) {
      if (!item.resource.starts_with(set.name + "/")) continue;
      const std::string_view shared = std::string_view{item.resource}.substr(set.name.size() + 1);
      const Counted counted = counted_in(shared, item.limit);
      if (counted == Counted::nothing || lends_or_borrows(set)) return std::nullopt;
      return among(set.name, counted, way_through(shared));
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_own(const ProgramPlan& plan) const {
    return serves(plan, observed_) && std::ranges::find(related_, &plan) != related_.end();
  }

  /// Whether a port from which own requests or answers go to the machine of `item` waits for room there all the time:
  /// it has its turns already.
  [[nodiscard]] bool takes_turns(const Utilisation& item) const {
    const Time now = simulation_.calendar().now();
    const std::string machine = item.resource.substr(0, item.resource.find('/'));
    return std::ranges::any_of(simulation_.machines(), [&](MachineSet& set) {
      if (set.name == machine || !sends(set.name, machine)) return false;
      return std::ranges::any_of(set.instances, [&](const auto& instance) {
        const auto& ports = instance->nic().ports();
        return std::ranges::any_of(ports, [&](const auto& port) { return port->held_up(now) >= saturated; });
      });
    });
  }

 private:
  /// What devices on remote memory move is not counted by program.
  [[nodiscard]] bool lends_or_borrows(const MachineSet& set) const {
    return std::ranges::any_of(simulation_.machines(), [&](const MachineSet& other) {
      const auto& device = other.group->remote_device;
      return device && (device->peers == set.name || other.name == set.name);
    });
  }
  [[nodiscard]] std::optional<Others> among(const std::string& machines, Counted counted, Way way) const {
    double all = 0;
    double others = 0;
    double most = 0;
    Others found;
    found.counted = counted;
    for (const auto& plan : simulation_.programs()) {
      const Traffic traffic = traffic_through(machines, *plan, way);
      const double amount = counted == Counted::bytes ? traffic.bytes : traffic.requests;
      all += amount;
      if (is_own(*plan) || amount <= 0) continue;
      others += amount;
      ++found.programs;
      if (amount <= most) continue;
      most = amount;
      found.greediest = plan->name;
    }
    if (others <= 0) return std::nullopt;
    found.share = others / all;
    return found;
  }

  /// Whether own requests or answers go there.
  [[nodiscard]] bool sends(const std::string& from, const std::string& to) const {
    const auto runs_on = [&](const ProgramPlan* plan, const std::string& machine) {
      return plan->program->machine == machine && is_own(*plan);
    };
    return std::ranges::any_of(related_, [&](const ProgramPlan* sender) {
      return runs_on(sender, from) && std::ranges::any_of(related_, [&](const ProgramPlan* receiver) {
               return runs_on(receiver, to) && (asks(*sender, *receiver) || asks(*receiver, *sender));
             });
    });
  }

  Simulation& simulation_;
  std::vector<const ProgramPlan*> related_;
  const ProgramPlan& observed_;
};

/// From here on twice the work of the measured program would hardly lengthen what waits for it.
constexpr double mostly_for_others = 0.75;

std::string told_of(const Others& others) {
  constexpr double nearly_all = 0.995;
  std::string sentence = (others.share > nearly_all ? "nearly all" : percent(others.share)) +
                         (others.counted == Counted::bytes ? " of the data" : " of the requests") +
                         " through it are for ";
  return sentence + (others.programs > 1 ? "other programs, most of them for " : "") + others.greediest;
}

const Utilisation* find_named(const std::vector<Utilisation>& items, const std::string& name) {
  const auto item = std::ranges::find(items, name, &Utilisation::resource);
  return item == items.end() ? nullptr : &*item;
}

/// Those that are not mostly for others.
std::vector<Utilisation> own_among(std::vector<Utilisation> items, const SharesOfOthers& shares) {
  std::erase_if(items, [&](const Utilisation& item) {
    const std::optional<Others> others = shares.of(item);
    return others && others->share >= mostly_for_others;
  });
  return items;
}

}  // namespace

Bottleneck find_bottleneck_among_others(const std::vector<Utilisation>& utilisations,
                                        const std::vector<Utilisation>& holders, Simulation& simulation,
                                        const ProgramPlan& observed) {
  Bottleneck bottleneck = find_bottleneck(utilisations, holders);
  if (!bottleneck.saturated || falls_behind(observed)) return bottleneck;
  const Utilisation* full = find_named(utilisations, bottleneck.resource);
  if (full == nullptr) full = find_named(holders, bottleneck.resource);
  if (full == nullptr) return bottleneck;
  const SharesOfOthers shares{simulation, observed};
  const std::optional<Others> others = shares.of(*full);
  constexpr double worth_telling = 0.5;
  if (!others || others->share < worth_telling) return bottleneck;
  if (others->share >= mostly_for_others && !shares.takes_turns(*full)) {
    Bottleneck own = find_bottleneck(own_among(utilisations, shares), own_among(holders, shares));
    if (own.saturated) {
      own.sentence.pop_back();
      own.sentence += "; " + full->resource + " is full as well (" + percent(full->busy) + "), but " + told_of(*others);
      // What is held also waits there.
      if (find_named(holders, own.resource) != nullptr) own.sentence += "; more of it may help as much or more";
      own.sentence += ".";
      return own;
    }
  }
  bottleneck.sentence.pop_back();
  bottleneck.sentence += "; " + told_of(*others) + ".";
  return bottleneck;
}

}  // namespace doorbell::model
