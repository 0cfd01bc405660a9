#include "models/common/bottleneck.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "models/common/limit_words.hpp"
#include "models/common/resource_name.hpp"

namespace doorbell::model {
namespace {

/// "52 %"; of hardware threads that share cores also what these leave.
std::string busy_text(const Utilisation& item) {
  constexpr double worth_telling = 0.05;
  if (!item.of_most || *item.of_most - item.busy < worth_telling) return percent(item.busy);
  return percent(item.busy) + " of its hardware threads, " + percent(*item.of_most) +
         " of the work that its cores can do";
}

/// What would be full first.
double fullness(const Utilisation& item) { return std::max(item.busy, item.of_most.value_or(0)); }

/// Whether one is the other's busiest machine.
bool are_of_one(const Utilisation& one, const Utilisation& other) {
  return is_resource(one.resource, other.resource) || is_resource(other.resource, one.resource);
}

/// Of all but `one`; none where there are no others.
const Utilisation* fullest_beside(const std::vector<Utilisation>& utilisations, const Utilisation& one) {
  const Utilisation* fullest = nullptr;
  for (const Utilisation& item : utilisations) {
    if (!are_of_one(item, one) && (fullest == nullptr || fullness(item) > fullness(*fullest))) fullest = &item;
  }
  return fullest;
}

/// Threads that are always busy while all cores are: more of them would find no core.
bool needs_cores(Limit limit) {
  return limit == Limit::threads || limit == Limit::one_by_one || limit == Limit::connections ||
         limit == Limit::completion_handler;
}

/// Memory channels have something to do most of the time long before they have too much.
bool has_room(const Utilisation& item) { return item.limit == Limit::bus_bandwidth && item.elastic; }

bool is_cores(Limit limit) { return limit == Limit::cpu || limit == Limit::pollers; }

constexpr double all_the_time = 0.995;

/// Busy all the time, and not because it has work in every pass, or reads again what others make it forget.
bool holds_up_others(const Utilisation& item) {
  return item.busy >= all_the_time && !is_cores(item.limit) && !item.elastic && item.limit != Limit::nic_memory &&
         !needs_cores(item.limit);
}

/// The busiest, which comes first; but cores that poll have work in every pass, and do more of it at a time when there
/// is more, as does a line that they need once for all of it, so that something else that is as busy limits. What the
/// NIC reads again can be a consequence just as well. And who waits for a cache line that another core has is busy,
/// too.
std::size_t most_telling(const std::vector<Utilisation>& utilisations) {
  constexpr double contended = 0.9;
  const auto place = [&](const auto item) { return static_cast<std::size_t>(item - utilisations.begin()); };
  if (needs_cores(utilisations.front().limit)) {
    const auto cores = std::ranges::find_if(utilisations, is_cores, &Utilisation::limit);
    const bool full = cores != utilisations.end() && cores->busy >= all_the_time;
    return full ? place(cores) : 0;
  }
  const bool by_cores = is_cores(utilisations.front().limit);
  if (!by_cores && !utilisations.front().elastic) return 0;
  if (has_room(utilisations.front())) {
    const auto fuller = std::ranges::find_if(
        utilisations, [](const Utilisation& item) { return item.busy >= saturated && !item.elastic; });
    return fuller != utilisations.end() ? place(fuller) : 0;
  }
  const auto contended_line = [&](bool elastic) {
    return std::ranges::find_if(utilisations, [elastic](const Utilisation& item) {
      return item.limit == Limit::shared_line && item.busy >= contended && item.elastic == elastic;
    });
  };
  const auto line = contended_line(false);
  if (by_cores && line != utilisations.end()) return place(line);
  const auto other = std::ranges::find_if(utilisations, holds_up_others);
  if (other != utilisations.end()) return place(other);
  const auto elastic_line = contended_line(true);
  return elastic_line != utilisations.end() ? place(elastic_line) : 0;
}

/// Whether what limits `first` would be little use without more of `next`. Cores that poll are busy whatever there is
/// to do, and so are lines that they need once for all they find, what the NIC reads again need not hold anything up,
/// what is shared as by fluids may be full of what others move, and a device that has one request at a time waits for
/// what moves its data.
bool would_limit_as_well(const Utilisation& first, const Utilisation& next) {
  constexpr std::array never{Limit::cpu,         Limit::pollers,       Limit::nic_memory,
                             Limit::read_states, Limit::bus_bandwidth, Limit::link_bandwidth};
  return first.limit != Limit::device && !needs_cores(next.limit) && !next.elastic &&
         std::ranges::find(never, next.limit) == never.end();
}

Bottleneck limited_by_holder(const Utilisation& holder, const std::vector<Utilisation>& utilisations,
                             const Utilisation& busiest) {
  Bottleneck bottleneck;
  bottleneck.saturated = true;
  const bool for_one = waits_for_one(holder);
  bottleneck.resource = for_one ? holder.held_for->resource : holder.resource;
  bottleneck.limit = for_one ? holder.held_for->limit : holder.limit;
  bottleneck.busy = for_one ? holder.held_for->busy : holder.busy;
  bottleneck.sentence = "What limits is " + bottleneck.resource + (for_one ? " (one more would find it taken " : " (") +
                        percent(bottleneck.busy) + " of the time): " + std::string{explanation(bottleneck.limit)};
  if (for_one) {
    bottleneck.sentence += "; " + holder.resource + ": held " + percent(holder.busy) + " of the time, " +
                           percent(holder.held_for->share) + " of that for " + bottleneck.resource;
    if (holder.limit == Limit::in_flight && bottleneck.limit != Limit::scheduler)
      bottleneck.sentence += ", so that more of the former would gain less";
  } else if (holder.held_for && holder.limit == Limit::in_flight) {
    bottleneck.sentence += ", " + percent(holder.held_for->share) + " of the time for " + holder.held_for->resource;
  }
  bottleneck.sentence += holder.remark;
  if (!for_one && !holder.as_full.empty()) {
    bottleneck.sentence += "; more of it alone would gain little, as all is taken of " + holder.as_full;
  }
  const Utilisation* next = &busiest;
  if (busiest.resource == bottleneck.resource) {
    const auto other =
        std::ranges::find_if(utilisations, [&](const Utilisation& item) { return item.resource != busiest.resource; });
    next = other == utilisations.end() ? nullptr : &*other;
  }
  if (next != nullptr) {
    bottleneck.next_resource = next->resource;
    bottleneck.next_busy = next->busy;
    bottleneck.sentence += "; the busiest " + std::string{for_one ? "other resource" : "resource"} + " is " +
                           next->resource + " (" + busy_text(*next) + ")";
    if (next->elastic) bottleneck.sentence += ", which does more at a time when more waits";
  }
  bottleneck.sentence += ".";
  return bottleneck;
}

constexpr double nearly_full = 0.95;
constexpr double all_served = 0.99;

/// What is told of places that are taken, if they limit more than the resource that tells most.
struct Holder {
  const Utilisation* item = nullptr;
  bool decides = false;  ///< Even where the resource is saturated.
};

/// Whether what is full would do more if there was more to do.
bool are_elastic(const std::vector<Utilisation>& utilisations) {
  return std::ranges::all_of(utilisations,
                             [](const Utilisation& item) { return item.busy < nearly_full || item.elastic; });
}

bool is_window(Limit limit) {
  return limit == Limit::in_flight || limit == Limit::told_late || limit == Limit::taken_late || limit == Limit::asleep;
}

/// Whether `cause` is in a group of machines for which what holds `held` can wait.
bool can_hold_up(const Utilisation& cause, const Utilisation& held) {
  return held.reaches.empty() || std::ranges::any_of(held.reaches, [&](const std::string& group) {
           return cause.resource.starts_with(group + "/");
         });
}

Holder telling_holder(const std::vector<Utilisation>& holders, const std::vector<Utilisation>& utilisations,
                      const Utilisation& first) {
  const auto find = [&](const auto& is_meant) {
    const auto item = std::ranges::find_if(holders, is_meant);
    return item == holders.end() ? nullptr : &*item;
  };
  const auto* arrivals = find([&](const Utilisation& item) {
    return item.limit == Limit::arrivals && item.busy >= all_served &&
           (first.busy < all_the_time || are_elastic(utilisations));
  });
  if (arrivals != nullptr) return {arrivals, true};
  // Twice as many in flight would be twice as many at a time, for which the line is needed no more often, and cores do
  // much of their work no more often; or they would have twice the share of what others fill.
  const auto* window = find([](const Utilisation& item) { return is_window(item.limit) && item.busy >= nearly_full; });
  if (window != nullptr && (first.limit == Limit::shared_line ? first.elastic : first.shares_work))
    return {window, true};
  // What the cores have posted waits for the NIC or for its CQE, and so they find little to post at a time, which costs
  // them more.
  const auto* behind = find([&](const Utilisation& item) {
    constexpr std::array costly{Limit::nic_unit_waits, Limit::outstanding_reads, Limit::told_late};
    return std::ranges::find(costly, item.limit) != costly.end() && item.busy >= std::max(nearly_full, first.busy);
  });
  if (behind != nullptr && first.limit == Limit::cpu) {
    const auto* cause = find([&](const Utilisation& item) {
      const bool is_short = item.limit == Limit::receive_buffer || item.limit == Limit::credits;
      return is_short && item.busy >= nearly_full && can_hold_up(item, *behind);
    });
    return {cause != nullptr ? cause : behind, true};
  }
  // Writes and reads that go whenever a credit is back leave their link idle now and then, but hardly ever for long.
  const auto* credits =
      find([](const Utilisation& item) { return item.limit == Limit::credits && item.busy >= nearly_full; });
  if (credits != nullptr && first.busy < nearly_full) return {credits, true};
  const auto* holder = find(
      [&](const Utilisation& item) { return item.busy >= (item.limit == Limit::arrivals ? all_served : saturated); });
  if (holder == nullptr) return {};
  // What serves one request at a time is as good as a resource, but not as one that moves its data: it waits for that.
  const bool moves_data = first.limit == Limit::bus_bandwidth || first.limit == Limit::link_bandwidth;
  const bool is_fuller =
      holder->limit == Limit::device && !moves_data && first.busy < nearly_full && holder->busy >= nearly_full;
  // What is held for something that is busier still waits for that.
  constexpr double clearly = 0.02;
  const bool waits_for_busier =
      holder->busy >= nearly_full && waits_for_one(*holder) && holder->held_for->busy > first.busy + clearly;
  const bool decides = is_fuller || waits_for_busier || (has_room(first) && holder->busy >= nearly_full);
  return {holder, decides};
}

/// Why a resource limits that is saturated, and what is taken as well.
std::string limiting_sentence(const Utilisation& first, const Utilisation* holder) {
  const bool some_left = first.limit == Limit::cpu && first.busy < nearly_full;
  std::string sentence =
      first.resource + " limits (" + percent(first.busy) +
      " busy): " + std::string{some_left ? "the cores have little time left" : explanation(first.limit)} + first.remark;
  const bool does_more = first.busy < nearly_full || first.elastic;
  const bool told = holder != nullptr && holder->busy >= nearly_full && holder->limit != Limit::nic_memory;
  if (!does_more || !told || (waits_for_one(*holder) && holder->held_for->resource == first.resource)) return sentence;
  sentence += "; but " + holder->resource + " is taken " + percent(holder->busy) + " of the time, ";
  if (waits_for_one(*holder)) {
    sentence += percent(holder->held_for->share) + " of that for " + holder->held_for->resource +
                ", and more of the latter may help as much or more";
  } else {
    sentence += std::string{holder->limit == Limit::scheduler ? "and another one" : "and more of that"} +
                " may help as much or more";
  }
  return sentence;
}

std::string unsaturated_sentence(const Utilisation& first, const std::vector<Utilisation>& holders) {
  constexpr double worth_telling = 0.5;
  std::string sentence =
      "No resource is saturated: latency and the number of operations in flight limit; the busiest is " +
      first.resource + " (" + busy_text(first) + ")";
  if (first.limit == Limit::nic_memory) sentence += ": " + std::string{explanation(first.limit)};
  const auto most = std::ranges::max_element(holders, {}, &Utilisation::busy);
  if (most != holders.end() && most->busy >= worth_telling)
    sentence += ", and " + most->resource + " is taken " + percent(most->busy) + " of the time";
  return sentence;
}

/// What would limit once `first` did not, if there is something else.
void add_next(Bottleneck& bottleneck, const std::vector<Utilisation>& utilisations, const Utilisation& first) {
  const auto busiest =
      std::ranges::find_if_not(utilisations, [&](const Utilisation& item) { return are_of_one(item, first); });
  if (busiest == utilisations.end()) return;
  const Utilisation& next = busiest->busy >= nearly_full ? *busiest : *fullest_beside(utilisations, first);
  bottleneck.next_resource = next.resource;
  bottleneck.next_busy = next.busy;
  const bool tied = bottleneck.saturated && next.busy >= nearly_full && would_limit_as_well(first, next);
  bottleneck.sentence += tied ? "; " + next.resource + " is hardly less busy (" + percent(next.busy) +
                                    "), so more of one alone gains little"
                              : "; next would be " + next.resource + " (" + busy_text(next) + ")";
}

}  // namespace

std::string percent(double share) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.0f %%", share * 100);
  return text.data();
}

bool waits_for_one(const Utilisation& holder) {
  if (!holder.held_for || holder.held_for->resource == holder.resource) return false;
  return holder.held_for->busy > 1 - holder.held_for->gain;
}

void sort_busiest_first(std::vector<Utilisation>& utilisations) {
  std::ranges::stable_sort(utilisations, std::ranges::greater{}, &Utilisation::busy);
}

Bottleneck find_bottleneck(const std::vector<Utilisation>& utilisations, const std::vector<Utilisation>& holders) {
  Bottleneck bottleneck;
  if (utilisations.empty()) return bottleneck;
  const Utilisation& first = utilisations[most_telling(utilisations)];
  const Holder holder = telling_holder(holders, utilisations, first);
  bottleneck.saturated = first.busy >= saturated && !holder.decides;
  if (!bottleneck.saturated && holder.item != nullptr) return limited_by_holder(*holder.item, utilisations, first);
  bottleneck.resource = first.resource;
  bottleneck.limit = first.limit;
  bottleneck.busy = first.busy;
  bottleneck.sentence =
      bottleneck.saturated ? limiting_sentence(first, holder.item) : unsaturated_sentence(first, holders);
  add_next(bottleneck, utilisations, first);
  bottleneck.sentence += ".";
  return bottleneck;
}

}  // namespace doorbell::model
