#include "models/fabric/transfer_bottleneck.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "models/common/bottleneck.hpp"

namespace doorbell::model {
namespace {

using Loads = std::vector<FluidNetwork::Load>;

bool is_saturated(double busy) { return busy >= saturated; }

constexpr double full = 0.97;

/// Equal resources together, as reports are about kinds.
struct Kind {
  double busy = 0;      ///< Of the busiest that measured streams cross.
  double own = 0;       ///< Share of its capacity that measured streams use, of the one of which they use most.
  double requests = 0;  ///< Measured ones that cross one that is saturated.
  double waited = 0;    ///< Seconds for which it was what left data of measured streams the least.
  double saved = 0;     ///< Of these, what twice as much of it would save.
  /// Others fill it, and twice as many requests in flight, which get a larger share, gain more than twice as much of
  /// it.
  bool gives_shares = false;
};

using Kinds = std::map<std::string, Kind>;

Kinds kinds_crossed(const Loads& loads, const std::vector<StreamWork>& streams) {
  Kinds kinds;
  std::map<FluidNetwork::Resource, double> bytes;
  for (const StreamWork& stream : streams) {
    std::set<std::string> counted;
    for (std::size_t i = 0; i < stream.crossed.size(); ++i) {
      const FluidNetwork::Load& load = loads[stream.crossed[i]];
      Kind& kind = kinds[load.name];
      kind.busy = std::max(kind.busy, load.busy);
      kind.waited += stream.waited[i];
      kind.saved += stream.saved[i];
      const double own = bytes[stream.crossed[i]] += stream.requests[i] * stream.size;
      if (load.bytes > 0) kind.own = std::max(kind.own, load.busy * std::min(1.0, own / load.bytes));
      if (is_saturated(load.busy) && counted.insert(load.name).second) kind.requests += stream.requests[i];
    }
  }
  double held = 0;
  for (const StreamWork& stream : streams) held += stream.held;
  for (auto& [name, kind] : kinds) {
    if (held <= 0 || !is_saturated(kind.busy) || kind.own > kind.busy / 2) continue;
    const double time_with_twice_as_many = 1 + kind.own * kind.waited / held;
    const double time_with_twice_as_much = 1 - kind.saved / held;
    kind.gives_shares = 2 / time_with_twice_as_many > 1 / time_with_twice_as_much;
  }
  return kinds;
}

/// In such an order that find_bottleneck takes for what limits what does.
std::vector<Utilisation> utilisations_of(const Loads& loads, const Kinds& kinds) {
  std::vector<Utilisation> utilisations;
  for (const FluidNetwork::Load& load : loads) {
    if (!utilisations.empty() && utilisations.back().resource == load.name) continue;
    const auto kind = kinds.find(load.name);
    if (kind == kinds.end()) continue;
    utilisations.push_back({load.name, kind->second.busy, Limit::link_bandwidth});
    utilisations.back().shares_work = kind->second.gives_shares;
  }
  sort_busiest_first(utilisations);
  const auto unsaturated = std::ranges::find_if_not(utilisations, is_saturated, &Utilisation::busy);
  // Who fills something alone can get nothing more of it, whatever else leaves each request less.
  std::ranges::stable_sort(utilisations.begin(), unsaturated, std::ranges::greater{}, [&](const Utilisation& item) {
    const Kind& kind = kinds.at(item.resource);
    return std::pair{kind.own >= full, kind.waited};
  });
  return utilisations;
}

/// What requests in flight wait for most.
std::optional<HeldFor> waited_for(const Kinds& kinds, const std::vector<StreamWork>& streams) {
  double held = 0;
  for (const StreamWork& stream : streams) held += stream.held;
  const auto most = std::ranges::max_element(kinds, {}, [](const auto& named) { return named.second.waited; });
  if (held <= 0 || most == kinds.end() || most->second.waited <= 0) return std::nullopt;
  const Kind& kind = most->second;
  // One request more has its share of what others fill.
  const double taken = kind.gives_shares ? kind.own : kind.busy;
  return HeldFor{most->first, Limit::link_bandwidth, kind.waited / held, taken, kind.saved / held};
}

Bottleneck bottleneck_among(const Loads& loads, const Kinds& kinds, const std::vector<StreamWork>& foremost) {
  // Each request is followed by the next.
  const Utilisation window{foremost.front().window, 1, Limit::in_flight,
                           waited_for(kinds_crossed(loads, foremost), foremost)};
  return find_bottleneck(utilisations_of(loads, kinds), {window});
}

double requests_of(const std::vector<StreamWork>& streams) {
  double requests = 0;
  for (const StreamWork& stream : streams) requests += stream.completed();
  return requests;
}

/// Those of the window that has most requests.
std::vector<StreamWork> foremost(const std::vector<StreamWork>& streams) {
  std::map<std::string, std::vector<StreamWork>> by_window;
  for (const StreamWork& stream : streams) by_window[stream.window].push_back(stream);
  const auto most =
      std::ranges::max_element(by_window, {}, [](const auto& named) { return requests_of(named.second); });
  return most == by_window.end() ? std::vector<StreamWork>{} : most->second;
}

}  // namespace

Bottleneck transfer_bottleneck(const Loads& loads, const std::vector<StreamWork>& measured) {
  if (measured.empty()) return {};
  Kinds kinds = kinds_crossed(loads, measured);
  double held = 0;
  for (const auto& [name, kind] : kinds) held = std::max(held, kind.requests);

  std::vector<StreamWork> unheld = measured;
  const auto busy_of = [&](FluidNetwork::Resource crossed) { return loads[crossed].busy; };
  std::erase_if(unheld,
                [&](const StreamWork& stream) { return std::ranges::any_of(stream.crossed, is_saturated, busy_of); });
  unheld = foremost(unheld);
  if (requests_of(unheld) > held) return bottleneck_among(loads, kinds_crossed(loads, unheld), unheld);

  // What holds up much fewer than another is busy, but does not limit.
  std::erase_if(kinds, [&](const auto& named) {
    const Kind& kind = named.second;
    return is_saturated(kind.busy) && kind.requests < held / 2;
  });
  return bottleneck_among(loads, kinds, foremost(measured));
}

void tell_idle(const Loads& loads, const std::set<FluidNetwork::Resource>& used, Bottleneck& bottleneck) {
  const auto is_it = [&](const FluidNetwork::Load& load) { return load.name == bottleneck.resource; };
  const auto there = std::ranges::count_if(loads, is_it);
  const auto taken = std::ranges::count_if(used, is_it, [&](FluidNetwork::Resource i) { return loads[i]; });
  if (!bottleneck.saturated || taken == there) return;
  bottleneck.sentence += " Of " + std::to_string(there) + " only " + std::to_string(taken) +
                         (taken == 1 ? " is" : " are") +
                         " in use: each stream uses one, and more streams would use more.";
}

}  // namespace doorbell::model
