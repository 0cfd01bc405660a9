#include "models/common/bottleneck.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

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

std::string_view explanation(Limit limit) {
  switch (limit) {
    case Limit::cpu: return "the cores have no time left";
    case Limit::shared_line: return "one core has it at a time, and the others wait for it";
    case Limit::threads: return "they hardly wait for I/O; more threads could use idle cores";
    case Limit::connections:
      return "each queue pair has one thread, which hardly waits; more queue pairs, and threads for them, would share "
             "its work";
    case Limit::completion_handler:
      return "it takes one completion after another; more queue pairs or completion queues would have handlers of "
             "their own";
    case Limit::mmio_bandwidth: return "WQEs written by MMIO fill the link towards the NIC, or use up its credits";
    case Limit::dma_bandwidth: return "DMA fills the link";
    case Limit::nic: return "the NIC's pipeline takes no more messages";
    case Limit::nic_unit:
      return "the queue pairs in use keep their processing units busy; more queue pairs would use more units";
    case Limit::nic_memory:
      return "the NIC reads again what did not fit into its memory; less in flight or fewer queue pairs and regions "
             "would fit";
    case Limit::read_states:
      return "the NIC reads again what it has had to forget of READs under way; fewer READs in flight would fit";
    case Limit::network_bandwidth: return "packets fill the network ports";
    case Limit::one_port:
      return "packets fill one port of the NIC, which has another that is not half as busy; queue pairs on all ports "
             "(\"ports\": \"all\"), or more threads, would use both";
    case Limit::bus_bandwidth: return "data fills it, in both directions together";
    case Limit::link_bandwidth: return "data fills it";
    case Limit::disk_heads: return "the disks seek, wait for the sector, and read or write";
    case Limit::device: return "it has one request after the other, each until its last byte has moved";
    case Limit::pollers:
      return "loops that poll for ever keep all cores, and who has work waits for a turn; fewer of them, or events "
             "instead, would leave cores free";
    case Limit::one_by_one:
      return "one process makes one request after the other, and only fewer or shorter ones would help";
    case Limit::told_late:
      return "operations that are done keep their places until the CQE of a later one tells; a smaller signal_every "
             "would tell sooner";
    case Limit::taken_late:
      return "most of that time its operations are done, and wait for a thread that has been woken, or is busy, to "
             "take them";
    case Limit::asleep:
      return "much of that time its requests have come to threads that sleep, and wait until these have been woken; "
             "polling (\"mode\": \"busy\") would spare them that, and with a larger window more of them would share "
             "a wake-up";
    case Limit::busy_threads:
      return "requests come unevenly, and wait for one that is busy with others; with more threads fewer wait for "
             "each, and fixed destinations or a shared queue (\"shared_queues\") spread them evenly over several";
    case Limit::unevenly_busy_threads:
      return "requests are divided among fixed ones (\"destination\": \"fixed\"), some of which have more of them than "
             "others, or have them all; \"round_robin\" or \"random\" would share them";
    case Limit::one_busy_thread:
      return "requests come while it is busy with others, and wait; more threads would share them, and less work on "
             "each request would let the next ones begin sooner";
    case Limit::taken_in_batches:
      return "much of that time what is in it is done, and waits for its completion handler, which finishes whole "
             "batches; smaller ones (largest_merge, chain), another polling mode or a larger window may help";
    case Limit::in_flight: return "all are taken by requests that wait for one resource after another";
    case Limit::own_completions:
      return "threads wait for completions of what they have posted before they post more; more queue pairs, or deeper "
             "ones with a larger signal_every, would let them go on";
    case Limit::signaled_rounds:
      return "before the last WQE of a round is posted, the one of that round that is signaled must be done; other "
             "rounds (signal_every), or CQEs polled as operations are awaited (\"poll\": \"when_awaited\"), would let "
             "threads go on";
    case Limit::nic_unit_waits:
      return "they always have WQEs, which they process, wait for or cannot pass on yet; more queue pairs would "
             "use more units";
    case Limit::outstanding_reads:
      return "the NIC sends no more READs or atomics of a queue pair until earlier ones are back; more queue pairs "
             "would have more under way";
    case Limit::pcie_round_trip: return "each atomic holds its lock for a PCIe round trip, and others wait for it";
    case Limit::read_tags: return "each read under way takes a tag until its data are in the device";
    case Limit::credits: return "the root complex takes no more before it is done with earlier ones";
    case Limit::receive_buffer:
      return "packets wait for room in the receiver's buffer, until earlier ones are in its memory and their credits "
             "are back";
    case Limit::page_walks:
      return "the IOMMU's cache holds too few pages; larger pages or a smaller window would need fewer walks";
    case Limit::arrivals: return "no more arrive, and those that do are served";
    case Limit::recvs:
      return "requests find no RECV, and their queue pairs wait before they send them again; more RECVs or a faster "
             "receiver would take them at once";
    case Limit::scheduler:
      return "it passes on requests of one process at a time, and keeps the disks idle until that asks again; "
             "\"scheduler\": \"deadline\" would not";
    case Limit::drive: return "the drives do no more; more of them would share the load";
  }
  return "";
}

/// Threads that are always busy while all cores are: more of them would find no core.
bool needs_cores(Limit limit) {
  return limit == Limit::threads || limit == Limit::one_by_one || limit == Limit::connections ||
         limit == Limit::completion_handler;
}

bool is_cores(Limit limit) { return limit == Limit::cpu || limit == Limit::pollers; }

/// Busy all the time, and not because it has work in every pass, or reads again what others make it forget.
bool holds_up_others(const Utilisation& item) {
  constexpr double all_the_time = 0.995;
  return item.busy >= all_the_time && !is_cores(item.limit) && !item.elastic && item.limit != Limit::nic_memory &&
         !needs_cores(item.limit);
}

/// The busiest, which comes first; but cores that poll have work in every pass, and do more of it at a time when there
/// is more, as does a line that they need once for all of it, so that something else that is as busy limits. What the
/// NIC reads again can be a consequence just as well. And who waits for a cache line that another core has is busy,
/// too.
std::size_t most_telling(const std::vector<Utilisation>& utilisations) {
  constexpr double all_the_time = 0.995;
  constexpr double contended = 0.9;
  const auto place = [&](const auto item) { return static_cast<std::size_t>(item - utilisations.begin()); };
  if (needs_cores(utilisations.front().limit)) {
    const auto cores = std::ranges::find_if(utilisations, is_cores, &Utilisation::limit);
    const bool full = cores != utilisations.end() && cores->busy >= all_the_time;
    return full ? place(cores) : 0;
  }
  const bool by_cores = is_cores(utilisations.front().limit);
  if (!by_cores && !utilisations.front().elastic) return 0;
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

Holder telling_holder(const std::vector<Utilisation>& holders, const std::vector<Utilisation>& utilisations,
                      const Utilisation& first) {
  const auto find = [&](const auto& is_meant) {
    const auto item = std::ranges::find_if(holders, is_meant);
    return item == holders.end() ? nullptr : &*item;
  };
  const auto* arrivals = find([&](const Utilisation& item) {
    return item.limit == Limit::arrivals && item.busy >= all_served &&
           (first.busy < nearly_full || are_elastic(utilisations));
  });
  if (arrivals != nullptr) return {arrivals, true};
  // Twice as many in flight would be twice as many at a time, for which the line is needed no more often.
  const auto* window = find([](const Utilisation& item) { return is_window(item.limit) && item.busy >= nearly_full; });
  if (window != nullptr && first.limit == Limit::shared_line && first.elastic) return {window, true};
  // What the cores have posted waits for the NIC or for its CQE, and so they find little to post at a time, which costs
  // them more.
  const auto* behind = find([&](const Utilisation& item) {
    constexpr std::array costly{Limit::nic_unit_waits, Limit::outstanding_reads, Limit::told_late};
    return std::ranges::find(costly, item.limit) != costly.end() && item.busy >= std::max(nearly_full, first.busy);
  });
  if (behind != nullptr && first.limit == Limit::cpu) {
    const auto* cause = find([](const Utilisation& item) {
      return (item.limit == Limit::receive_buffer || item.limit == Limit::credits) && item.busy >= nearly_full;
    });
    return {cause != nullptr ? cause : behind, true};
  }
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
  return {holder, is_fuller || waits_for_busier};
}

/// Why a resource limits that is saturated, and what is taken as well.
std::string limiting_sentence(const Utilisation& first, const Utilisation* holder) {
  const bool some_left = first.limit == Limit::cpu && first.busy < nearly_full;
  std::string sentence =
      first.resource + " limits (" + percent(first.busy) +
      " busy): " + std::string{some_left ? "the cores have little time left" : explanation(first.limit)} + first.remark;
  const bool does_more = first.busy < nearly_full || first.elastic;
  const bool told = holder != nullptr && holder->busy >= nearly_full && holder->limit != Limit::nic_memory;
  if (does_more && told && !waits_for_one(*holder)) {
    sentence += "; but " + holder->resource + " is taken " + percent(holder->busy) + " of the time, and " +
                (holder->limit == Limit::scheduler ? "another one" : "more of that") + " may help as much or more";
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

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::cpu:
    case Limit::pollers:
    case Limit::shared_line: return "CPU";
    case Limit::threads:
    case Limit::connections:
    case Limit::busy_threads:
    case Limit::unevenly_busy_threads:
    case Limit::one_busy_thread: return "threads";
    case Limit::completion_handler: return "completions";
    case Limit::mmio_bandwidth: return "MMIO bw";
    case Limit::dma_bandwidth: return "DMA bw";
    case Limit::nic: return "NIC";
    case Limit::nic_unit: return "NIC PU";
    case Limit::nic_unit_waits: return "NIC PU waits";
    case Limit::outstanding_reads: return "READs";
    case Limit::nic_memory: return "NIC memory";
    case Limit::read_states: return "READ states";
    case Limit::network_bandwidth:
    case Limit::one_port: return "IB bw";
    case Limit::pcie_round_trip: return "PCIe RTT";
    case Limit::bus_bandwidth: return "bus bw";
    case Limit::link_bandwidth: return "link bw";
    case Limit::disk_heads: return "disks";
    case Limit::device: return "device";
    case Limit::in_flight:
    case Limit::one_by_one:
    case Limit::told_late:
    case Limit::taken_late:
    case Limit::asleep:
    case Limit::taken_in_batches: return "in flight";
    case Limit::own_completions: return "send queues";
    case Limit::signaled_rounds: return "rounds";
    case Limit::read_tags: return "PCIe tags";
    case Limit::credits: return "PCIe credits";
    case Limit::page_walks: return "IOMMU";
    case Limit::drive: return "drives";
    case Limit::scheduler: return "I/O scheduler";
    case Limit::arrivals: return "arrivals";
    case Limit::recvs: return "RECVs";
    case Limit::receive_buffer: return "receive buffer";
  }
  return "";
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
