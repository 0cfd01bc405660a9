#include "analytic/dma_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "models/memory/cache_line.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

double ratio(Bytes part, Bytes whole) {
  return static_cast<double>(part.count) / static_cast<double>(std::max<std::int64_t>(1, whole.count));
}

/// Share of the window's lines that the cache holds.
double held(const DmaScenario& scenario) {
  const LastLevelCacheParameters& cache = scenario.hardware.memory.cache;
  const double share = ratio(cache.device_share, scenario.window);
  const bool by_device = scenario.cached == Warmth::device || scenario.work != DmaWork::read;
  const double by_host = scenario.cached == Warmth::host ? std::min(1.0, ratio(cache.size, scenario.window)) : 0;
  return std::min(1.0, by_host + (by_device ? share : 0));
}

/// Page walks that one request waits for, and of these, those that are made for it: requests for one page that are
/// under way together share theirs.
struct Walks {
  double waited = 0;
  double made = 0;
  double pages = 1;   ///< That a request touches.
  double missed = 0;  ///< Of these, the share that is walked for.
};
Walks walks(const DmaScenario& scenario) {
  if (scenario.iommu_page <= Bytes{0}) return {};
  const auto pages = static_cast<double>(ceil_div(scenario.window, scenario.iommu_page));
  const double missing = pages - scenario.hardware.iommu.entries;
  if (missing <= 0) return {};
  const double touched = std::max(1.0, ratio(unit_of(scenario), scenario.iommu_page));
  // Units in order go on in the same page.
  const bool in_order = scenario.pattern == AddressPattern::sequential;
  const double begun = in_order ? std::min(1.0, ratio(unit_of(scenario), scenario.iommu_page)) : 1;
  const double waited = std::min(1.0, touched * missing / pages * begun);
  // Writes have ended for the device when they get here.
  const int posted = scenario.work == DmaWork::read ? 0 : scenario.hardware.pcie.posted_header_credits;
  const double together = std::max(1.0, (scenario.in_flight + posted) * waited);
  const double distinct = missing * (1 - std::pow(1 - 1 / std::max(missing, 1.0 + 1e-9), together)) / together;
  return {waited, touched * missing / pages * begun * std::min(1.0, distinct), touched, missing / pages * begun};
}

/// Costs of a request, on average over the addresses at which the scenario has them.
struct MeanCosts {
  Seconds request{0};
  Seconds completion{0};
  Seconds store_after_link{0};
  Seconds write{0};
  Seconds completions_taken{0};  ///< By the engine.
  double read_requests = 0;
  double write_tlps = 0;
};
MeanCosts mean_costs(const DmaScenario& scenario, const DmaCostTable& costs) {
  const std::int64_t places = std::min(units_of(scenario), costs.lines());
  MeanCosts mean;
  for (std::int64_t k = 0; k < places; ++k) {
    const DmaCosts& one = costs.at(k * unit_of(scenario).count);
    mean.request += one.read.request;
    mean.completion += one.read.completion;
    mean.store_after_link += store_after_link(one.read);
    mean.write += one.write.service;
    mean.completions_taken += one.completions;
    mean.read_requests += one.read.tags;
    mean.write_tlps += one.write.tlps;
  }
  const auto count = static_cast<double>(places);
  return {mean.request / count,           mean.completion / count,    mean.store_after_link / count, mean.write / count,
          mean.completions_taken / count, mean.read_requests / count, mean.write_tlps / count};
}

/// Mean times of one request alone.
struct Alone {
  Seconds read{0};
  Seconds credit_taken{0};  ///< By one request of a read.
  Seconds tag_taken{0};     ///< Likewise.
  Seconds walking{0};       ///< Of that, with a refresh that the walk alone waits for.
  Seconds write{0};
  Seconds write_then_read{0};
};
Alone alone(const DmaScenario& scenario, const MeanCosts& costs, Time in_device, double misses, double walked) {
  const HostMemoryParameters& memory = scenario.hardware.memory;
  const DmaEngineParameters engine = engine_of(scenario);
  const Seconds trip = scenario.hardware.pcie.latency * 2;
  const Seconds walk = Seconds{scenario.hardware.iommu.walk} * walked;
  const Seconds dram = Seconds{memory.dram + (scenario.remote ? memory.remote : Time{0})} * misses;
  const double part = 1 / costs.read_requests;
  const Seconds first_request = costs.request * part;
  const Seconds answered = first_request + trip + walk + memory.read_latency + dram;
  const Seconds unrefreshed = answered + costs.completion + engine.store + costs.store_after_link;
  const Seconds refreshed =
      memory.refresh ? Seconds{least_mean_wait(*memory.refresh, from_seconds(unrefreshed.count()))} : Seconds{0};
  Alone times;
  // A walk needs memory, too: if it waits for a refresh, the read that follows hardly does.
  const Seconds waited = refreshed * std::max(walked, misses);
  times.tag_taken = answered + (costs.completion + in_device) * part + engine.store + waited;
  times.credit_taken = answered - walk;
  times.walking = walk + refreshed * std::max(0.0, walked - misses);
  times.read = engine.start + unrefreshed + waited + engine.signal;
  times.write = engine.start + engine.load + in_device + costs.write + engine.signal;
  const Seconds ordered =
      memory.write_latency + Seconds{memory.eviction} * misses - (engine.signal + engine.start + first_request);
  // The walk for a write of many TLPs begins when the first of them has come. Of one at another place there may be one
  // TLP more than on average.
  const bool as_one = costs.write_tlps + 1 <= most_posted_together(scenario.hardware.pcie);
  const Seconds early = as_one ? Seconds{0} : std::min(walk, costs.write * (1 - 1 / costs.write_tlps));
  // What has just been written is in the cache, and its page in the IO-TLB.
  times.write_then_read = times.write + times.read - (dram + waited) - early + std::max(Seconds{0}, ordered);
  return times;
}

/// How often reads can be made with so many tags. A walk holds up the request for which it is made. Those that follow
/// in the same page wait for what is left of it: they may leave as late as the next page is asked for.
double reads_per_second(const MeanCosts& costs, Seconds hold, Seconds walking, const Walks& walk, int tags) {
  const Seconds unwalked = (hold - walking) * costs.read_requests;
  if (walking <= Seconds{0}) return tags / unwalked.count();
  const double walked = std::min(walk.pages, costs.read_requests);
  const Seconds once = walking / walk.waited * walk.missed;
  const double alone = tags / (unwalked + once * walked).count();
  const double together =
      (tags + walk.missed * (costs.read_requests - walked)) / (unwalked + once * costs.read_requests).count();
  return std::min(alone, together);
}

}  // namespace

Bounds analyze(const DmaScenario& scenario) {
  const DmaCostTable table = dma_costs(scenario);
  const DmaCosts& each = table.at(0);  // for what does not depend on the address
  const MeanCosts costs = mean_costs(scenario, table);
  const DmaEngineParameters engine = engine_of(scenario);
  const PcieParameters& pcie = scenario.hardware.pcie;
  const double reads = scenario.work == DmaWork::write ? 0 : scenario.work == DmaWork::alternating ? 0.5 : 1;
  const double writes = scenario.work == DmaWork::read ? 0 : scenario.work == DmaWork::alternating ? 0.5 : 1;
  const Walks walk = walks(scenario);
  const Alone times = alone(scenario, costs, each.in_device, 1 - held(scenario), walk.waited);
  // A walk for the write serves the read of the same place.
  const double walking = scenario.work == DmaWork::write_then_read ? 1 : reads + writes;
  const Seconds hit_answered =
      costs.request * (1 / costs.read_requests) + pcie.latency * 2 + scenario.hardware.memory.read_latency;
  const Seconds hit_hold =
      hit_answered + engine.store + (costs.completion + each.in_device) * (1 / costs.read_requests);

  Bounds bounds;
  if (scenario.in_flight == 0) return bounds;
  bounds.add("PCIe downstream", costs.completion * reads, 1, Limit::dma_bandwidth);
  bounds.add("PCIe upstream", costs.request * reads + costs.write * writes, 1, Limit::dma_bandwidth);
  const bool walks_first = scenario.work != DmaWork::write_then_read;
  const Seconds hold = walks_first ? times.tag_taken : hit_hold;
  const double most = reads_per_second(costs, hold, walks_first ? times.walking : Seconds{0}, walk, pcie.read_tags);
  bounds.add("read tags", Seconds{pcie.read_tags / most} * reads, pcie.read_tags, Limit::read_tags);
  if (pcie.nonposted_header_credits < pcie.read_tags) {
    bounds.add("non-posted credits", (walks_first ? times.credit_taken : hit_answered) * reads * costs.read_requests,
               pcie.nonposted_header_credits, Limit::credits);
  }
  const Seconds posted = costs.write / costs.write_tlps + pcie.latency * 2 + scenario.hardware.memory.write_latency;
  bounds.add("posted credits", posted * writes * costs.write_tlps, pcie.posted_header_credits, Limit::dma_bandwidth);
  bounds.add("DMA engine, reads", Seconds{engine.read_interval} * reads, 1, Limit::device);
  bounds.add("DMA engine, completions", costs.completions_taken * reads, 1, Limit::device);
  bounds.add("DMA engine, parts of words", Seconds{each.partial_word} * reads, 1, Limit::device);
  bounds.add("DMA engine, writes", Seconds{each.write_interval} * writes, 1, Limit::device);
  // A walk can take longer, when it waits for a refresh or its result behind completions.
  bounds.add("IOMMU page walks", Seconds{scenario.hardware.iommu.walk} * walk.made * walking,
             scenario.hardware.iommu.walkers, Limit::page_walks);
  if (const auto& channels = scenario.hardware.memory.channels) {
    // Lines on their bus, the cores' left out. What is written and fits into the device's share stays in the cache.
    const double lines = ratio(unit_of(scenario), cache_line);
    const double from = scenario.work == DmaWork::write_then_read ? 0 : reads * (1 - held(scenario));
    const bool shared = scenario.hardware.memory.cache.device_share > Bytes{0};
    const double to = writes * (shared ? 1 - held(scenario) : 1);
    bounds.add("memory channels", Seconds{channels->line} * lines * (from + to), channels->channels,
               Limit::bus_bandwidth);
  }
  const Seconds cycle = walks_first ? times.read * reads + times.write * writes : times.write_then_read;
  bounds.unloaded_latency = from_seconds(std::max(cycle.count(), reads / most));
  bounds.add("requests in flight", cycle, scenario.in_flight, std::nullopt);
  bounds.settle();
  const double each_way = std::max(reads, writes) * static_cast<double>(scenario.size.count);
  bounds.bandwidth = {bounds.throughput.per_second * each_way};
  return bounds;
}

}  // namespace doorbell::analytic
