#include "tools/calibration_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "analytic/scenario_bounds.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

struct Unknown {
  std::string_view resource;  ///< End of the name of the resource that it belongs to; of a DMA, name or what it awaits.
  std::string_view stage;
  std::string_view path;
  std::string_view start;  ///< Empty for what has only a few values, which are tried one by one.
  std::string_view min;
  std::string_view max;
  std::span<const int> values = {};  ///< These.
  std::string_view unit = {};        ///< Of these.
};

/// In the order of stages: later ones build on what earlier ones found. A storage server serves a request step by step,
/// so that its parameters are found together; and a post passes a core and a processing unit, of which either hides the
/// other, by a queue pair that may drain before a CQE is back, so that these are found together with the latency.
constexpr std::array<Unknown, 13> unknowns{{
    {"ports transmit", "network", "/port/bandwidth", "1 GB/s", "100 MB/s", "200 GB/s"},
    {"ports receive", "network", "/port/bandwidth", "1 GB/s", "100 MB/s", "200 GB/s"},
    {"client/NIC transmit pipeline", "transmit pipeline", "/nic/tx_message", "100 ns", "0.2 ns", "1 us"},
    {"server/NIC transmit pipeline", "responses", "/nic/tx_response", "100 ns", "0.2 ns", "1 us"},
    {"NIC receive pipeline", "receive pipeline", "/nic/rx_message", "100 ns", "0.2 ns", "1 us"},
    {"NIC processing units", "posting", "/nic/pu_wqe", "300 ns", "1 ns", "3 us"},
    {"cores of client", "posting", "/cpu/wqe_cost", "200 ns", "1 ns", "2 us"},
    {"single operations", "latency", "/nic/latency", "500 ns", "1 ns", "5 us"},
    {"server/host bridge", "storage server", "/bus/bridge", "1 GB/s", "50 MB/s", "100 GB/s"},
    {"server/RAID controller", "storage server", "/raid/controller", "1 GB/s", "50 MB/s", "100 GB/s"},
    {"server/media of the disks", "storage server", "/raid/media", "100 MB/s", "5 MB/s", "20 GB/s"},
    {"server/medium, one request at a time", "storage server", "/raid/command", "1 ms", "1 us", "10 ms"},
    {"client/requests in flight", "storage server", "/raid/command", "1 ms", "1 us", "10 ms"},
}};

/// Of a device and its host. What reads and writes of the engine add to those of the device's cores is found together,
/// since the same store holds the tags and delays the end.
constexpr std::array counts{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32};
constexpr std::array tlb_sizes{16, 32, 48, 64, 80, 96, 104, 112, 116, 120, 128, 144, 160, 192, 256, 512, 1024};
constexpr std::array queue_sizes{0, 64, 128, 256, 512, 1024, 2048, 4096};
constexpr std::array<Unknown, 17> dma_unknowns{{
    {"DMA engine, completions", "completions of the engine", "/dma_engine/completion", "20 ns", "0.1 ns", "1 us"},
    {"cached lines", "cached reads", "/memory/read_latency", "100 ns", "10 ns", "2 us"},
    {"DRAM", "DRAM", "/memory/dram", "30 ns", "1 ns", "1 us"},
    {"the other socket", "other socket", "/memory/remote", "30 ns", "1 ns", "1 us"},
    {"a page walk", "page walk", "/iommu/walk", "100 ns", "10 ns", "2 us"},
    {"IO-TLB", "IO-TLB", "/iommu/entries", "", "", "", tlb_sizes},
    {"writes", "writes", "/memory/write_latency", "50 ns", "1 ns", "1 us"},
    {"evictions", "evictions", "/memory/eviction", "50 ns", "1 ns", "1 us"},
    {"read tags", "reads of the engine", "/dma_engine/store", "30 ns", "1 ns", "1 us"},
    {"the engine", "reads of the engine", "/dma_engine/signal", "10 ns", "1 ns", "1 us"},
    {"many bytes", "reads of the engine", "/dma_engine/memory", "4 GB/s", "500 MB/s", "100 GB/s"},
    {"DMA engine, reads", "rate of reads", "/dma_engine/read_interval", "10 ns", "0.1 ns", "1 us"},
    {"DMA engine, parts of words", "parts of words", "/dma_engine/partial_word", "10 ns", "0.1 ns", "1 us"},
    {"DMA engine, writes", "rate of writes", "/dma_engine/write_interval", "10 ns", "0.1 ns", "1 us"},
    {"data of writes", "data of writes", "/dma_engine/load", "30 ns", "1 ns", "1 us"},
    {"IOMMU page walks", "page walkers", "/iommu/walkers", "", "", "", counts},
    {"results of page walks", "results of page walks", "/iommu/completion_queue", "", "", "", queue_sizes, " B"},
}};

const Unknown* find(std::string_view resource) {
  for (const Unknown& unknown : unknowns) {
    if (resource.ends_with(unknown.resource)) return &unknown;
  }
  return nullptr;
}
const Unknown* find_dma(std::string_view resource) {
  const auto* const found = std::ranges::find(dma_unknowns, resource, &Unknown::resource);
  return found == dma_unknowns.end() ? nullptr : found;
}

/// How many times larger or smaller than in the profile the IO-TLB of the machine may be, which is to be found.
constexpr std::int64_t unsure_entries = 4;
bool may_walk(const model::DmaScenario& dma) {
  return dma.iommu_page > Bytes{0} && dma.window * unsure_entries > dma.iommu_page * dma.hardware.iommu.entries;
}
/// Whether at least four in five requests walk, so that the time of a walk shows.
bool hardly_hits(const model::DmaScenario& dma) {
  constexpr std::int64_t windows = 5;
  return dma.window >= dma.iommu_page * dma.hardware.iommu.entries * (unsure_entries * windows);
}

/// What a single request of a device waits for and no other point of `points` tells as well: the host, where the
/// device's cores read and write by themselves, and then its engine. Without such commands the engine is taken for what
/// the profile says.
const Unknown* dma_latency(const model::DmaScenario& dma, const std::vector<TestPoint>& points) {
  constexpr Bytes small = model::cache_line;
  constexpr Bytes large{1024};
  const bool reads = dma.work == model::DmaWork::read;
  if (dma.size >= large) return reads && !dma.commands ? find_dma("many bytes") : nullptr;
  if (dma.size > small) return nullptr;
  const bool host_is_told = std::ranges::any_of(points, [&](const TestPoint& other) {
    const auto* test = other.scenario.find<model::DmaScenario>();
    return test->commands && test->work == dma.work;
  });
  if (!dma.commands && host_is_told) return find_dma(reads ? "the engine" : "data of writes");
  const bool walks = may_walk(dma);
  const model::LastLevelCacheParameters& cache = dma.hardware.memory.cache;
  if (!reads && dma.window > cache.device_share) return walks ? nullptr : find_dma("evictions");
  if (!reads) return walks ? nullptr : find_dma("writes");
  if (walks) return find_dma(hardly_hits(dma) ? "a page walk" : "IO-TLB");
  const Bytes held = dma.cached == model::Warmth::cold     ? Bytes{0}
                     : dma.cached == model::Warmth::device ? cache.device_share
                                                           : cache.size;
  if (dma.window <= held) return find_dma("cached lines");
  return find_dma(dma.remote ? "the other socket" : "DRAM");
}

/// Whether more queue pairs did the same clearly faster.
bool is_faster_with_more(const TestPoint& point, const std::vector<TestPoint>& points) {
  constexpr double least = 0.01;  // of a value: a spread that was not seen is not none
  const auto uncertainty = [](const TestPoint& of) {
    return std::max(uncertainty_of(*of.measured, scatter_of(*of.series)), least * mean_of(*of.measured));
  };
  return std::any_of(points.begin(), points.end(), [&](const TestPoint& other) {
    return other.series->workload == point.series->workload && other.series->quantity == point.series->quantity &&
           other.measured->x == point.measured->x && other.series->queue_pairs > point.series->queue_pairs &&
           mean_of(*other.measured) - mean_of(*point.measured) > uncertainty(other) + uncertainty(point);
  });
}

/// Of what each queue pair has for itself, whether a processing unit is the tightest.
bool is_limited_by_unit(const analytic::Bounds& bounds) {
  for (const analytic::Bound& bound : bounds.bounds) {  // tightest first
    if (bound.resource.ends_with("NIC processing units")) return true;
    if (!bound.kind) return false;  // what is in flight
  }
  return false;
}

const Unknown* dma_unknown(const model::DmaScenario& dma, const TestPoint& point,
                           const std::vector<TestPoint>& points) {
  const bool is_bandwidth = point.series->quantity == Quantity::bandwidth;
  if (!is_bandwidth && dma.offset > Bytes{0}) return nullptr;  // the same again, with one more cache line
  if (!is_bandwidth) return dma_latency(dma, points);
  const analytic::Bounds bounds = analytic::scenario_bounds(point.scenario);
  const Unknown* unknown = find_dma(bounds.bottleneck);
  if (dma.offset > Bytes{0}) return unknown == find_dma("DMA engine, completions") ? unknown : nullptr;
  // Results of walks wait only where completions nearly fill the link.
  constexpr double nearly = 1.5;
  if (unknown == find_dma("IOMMU page walks") && bounds.next == "PCIe downstream" && bounds.gap < nearly)
    return find_dma("results of page walks");
  return unknown;
}

const Unknown* unknown_of(const TestPoint& point, const std::vector<TestPoint>& points) {
  if (const auto* dma = point.scenario.find<model::DmaScenario>()) return dma_unknown(*dma, point, points);
  // A median of storage with requests in flight follows from the bandwidth.
  if (point.series->quantity == Quantity::latency || point.series->quantity == Quantity::mean_latency)
    return point.scenario.is_fluid() ? nullptr : find("single operations");
  const analytic::Bounds bounds = analytic::scenario_bounds(point.scenario);
  if (is_limited_by_unit(bounds) && is_faster_with_more(point, points)) return find("NIC processing units");
  // One request after the other takes the time of a resource and a fixed one: that which is the larger part is told.
  constexpr double larger_part = 0.8;
  for (const analytic::Bound& bound : bounds.bounds) {
    if (bounds.throughput.per_second < larger_part * bound.limit.per_second) break;
    if (bound.kind) return find(bound.resource);
  }
  return find(bounds.bottleneck);
}

/// Some of `sizes`, which are in order: those that say the same again cost time, the largest requests most of all.
std::vector<std::int64_t> representative(std::vector<std::int64_t> sizes, bool of_requests) {
  constexpr std::int64_t large = 64 << 10;
  constexpr std::size_t most = 4;
  const auto larger = std::upper_bound(sizes.begin(), sizes.end(), large);
  if (of_requests && larger != sizes.begin()) sizes.erase(larger, sizes.end());
  if (sizes.size() <= most) return sizes;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(sizes[i * (sizes.size() - 1) / (most - 1)]);
  return some;
}

ordered_json to_json(const Unknown& unknown) {
  if (unknown.start.empty()) {
    ordered_json values = ordered_json::array();
    for (const int value : unknown.values) {
      if (unknown.unit.empty()) {
        values.push_back(value);
      } else {
        values.push_back(std::to_string(value) + std::string{unknown.unit});
      }
    }
    return {{"path", unknown.path}, {"values", values}};
  }
  return {{"path", unknown.path}, {"start", unknown.start}, {"min", unknown.min}, {"max", unknown.max}};
}

}  // namespace

ordered_json calibration_plan(const std::vector<TestPoint>& points, const std::string& profile,
                              const std::string& figure) {
  struct Told {
    const MeasuredSeries* series = nullptr;
    std::vector<std::int64_t> positions;
  };
  std::map<std::string_view, std::map<std::string, Told>> told;  // by series, by path
  for (const TestPoint& point : points) {
    const Unknown* unknown = unknown_of(point, points);
    if (unknown == nullptr) continue;
    Told& here = told[unknown->path][point.series->name];
    here.series = point.series;
    here.positions.push_back(point.measured->x);
  }
  ordered_json stages = ordered_json::array();
  std::string_view last;  // stage
  const auto add = [&](const Unknown& unknown) {
    const auto found = told.find(unknown.path);
    if (found == told.end()) return;
    const bool same = unknown.stage == last;
    const bool with_posting = unknown.stage == "latency" && last == "posting";
    last = unknown.stage;
    if (with_posting) stages.back()["name"] = "posting and latency";
    if (!same && !with_posting) {
      stages.push_back({{"name", unknown.stage},
                        {"method", "simulation"},
                        {"unknowns", ordered_json::array()},
                        {"observations", ordered_json::array()}});
    }
    stages.back()["unknowns"].push_back(to_json(unknown));
    for (const auto& [name, here] : found->second) {
      const bool of_requests = !here.series->path.ends_with("/window");
      stages.back()["observations"].push_back(
          {{"figure", figure}, {"series", name}, {"x", representative(here.positions, of_requests)}});
    }
    told.erase(found);
  };
  for (const Unknown& unknown : unknowns) add(unknown);
  for (const Unknown& unknown : dma_unknowns) add(unknown);
  return {{"profile", profile}, {"stages", stages}};
}

}  // namespace doorbell::tools
