#include "analytic/dma_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "models/cache_line.hpp"

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
  return {waited, touched * missing / pages * begun * std::min(1.0, distinct)};
}

/// Mean times of one request alone.
struct Alone {
  Seconds read{0};
  Seconds tags_taken{0};
  Seconds write{0};
  Seconds write_then_read{0};
};
Alone alone(const DmaScenario& scenario, const DmaCosts& costs, double misses, double walked) {
  const HostMemoryParameters& memory = scenario.hardware.memory;
  const DmaEngineParameters engine = engine_of(scenario);
  const Seconds trip = scenario.hardware.pcie.latency * 2;
  const Seconds walk = Seconds{scenario.hardware.iommu.walk} * walked;
  const Seconds dram = Seconds{memory.dram + (scenario.remote ? memory.remote : Time{0})};
  Alone times;
  times.tags_taken = costs.read.request + trip + walk + memory.read_latency + dram * misses + costs.read.completion +
                     engine.store + costs.in_device;
  times.read = engine.start + times.tags_taken + engine.signal;
  times.write = engine.start + engine.load + costs.in_device + costs.write.service + engine.signal;
  const Seconds ordered = memory.write_latency + Seconds{memory.eviction} * misses -
                          Seconds{engine.signal + engine.start + costs.read.request};
  // What has just been written is in the cache, and its page in the IO-TLB.
  times.write_then_read = times.write + times.read - dram * misses + std::max(Seconds{0}, ordered);
  return times;
}

}  // namespace

Bounds analyze(const DmaScenario& scenario) {
  const DmaCosts costs = dma_costs(scenario);
  const DmaEngineParameters engine = engine_of(scenario);
  const PcieParameters& pcie = scenario.hardware.pcie;
  const double reads = scenario.work == DmaWork::write ? 0 : scenario.work == DmaWork::alternating ? 0.5 : 1;
  const double writes = scenario.work == DmaWork::read ? 0 : scenario.work == DmaWork::alternating ? 0.5 : 1;
  const Walks walk = walks(scenario);
  const Alone times = alone(scenario, costs, 1 - held(scenario), walk.waited);
  // A walk for the write serves the read of the same place.
  const double walking = scenario.work == DmaWork::write_then_read ? 1 : reads + writes;
  const Seconds hit_hold = Seconds{costs.read.request + pcie.latency * 2 + scenario.hardware.memory.read_latency +
                                   costs.read.completion + engine.store + costs.in_device};

  Bounds bounds;
  if (scenario.in_flight == 0) return bounds;
  bounds.add("PCIe downstream", Seconds{costs.read.completion} * reads, 1, Limit::dma_bandwidth);
  bounds.add("PCIe upstream", Seconds{costs.read.request} * reads + Seconds{costs.write.service} * writes, 1,
             Limit::dma_bandwidth);
  const int tags = std::min(costs.read.tags, pcie.read_tags);
  const Seconds hold = scenario.work == DmaWork::write_then_read ? hit_hold : times.tags_taken;
  bounds.add("read tags", hold * reads * tags, pcie.read_tags, Limit::read_tags);
  const Seconds posted = costs.write.service + pcie.latency * 2 + scenario.hardware.memory.write_latency;
  bounds.add("posted credits", posted * writes * std::min(costs.write.tlps, pcie.posted_header_credits),
             pcie.posted_header_credits, Limit::dma_bandwidth);
  bounds.add("DMA engine, reads", Seconds{engine.read_interval} * reads, 1, Limit::device);
  bounds.add("DMA engine, parts of words", Seconds{costs.partial_word} * reads, 1, Limit::device);
  bounds.add("DMA engine, writes", Seconds{costs.write_interval} * writes, 1, Limit::device);
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
  const Seconds cycle =
      scenario.work == DmaWork::write_then_read ? times.write_then_read : times.read * reads + times.write * writes;
  bounds.unloaded_latency = from_seconds(cycle.count());
  bounds.add("requests in flight", cycle, scenario.in_flight, std::nullopt);
  bounds.settle();
  const double each_way = std::max(reads, writes) * static_cast<double>(scenario.size.count);
  bounds.bandwidth = {bounds.throughput.per_second * each_way};
  return bounds;
}

}  // namespace doorbell::analytic
