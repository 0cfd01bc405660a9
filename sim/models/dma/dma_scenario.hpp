// A device that reads and writes host memory by DMA, and nothing else: the PCI Express and memory path of a machine by
// itself, as micro-benchmarks look at it. Plain data, as scenario.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/dma/core_streams.hpp"
#include "models/dma/dma_engine.hpp"
#include "models/memory/address_pattern.hpp"
#include "models/memory/host_memory.hpp"
#include "models/pcie/pcie_link.hpp"

namespace doorbell::model {

/// A profile: a host, and the device in it.
struct DmaMachine {
  static constexpr bool is_profile = true;
  PcieParameters pcie;
  HostMemoryParameters memory;
  IommuParameters iommu;
  DmaEngineParameters dma_engine;
  std::optional<CoreMemoryParameters> core = std::nullopt;
};
template <class V> void describe(V& v, DmaMachine& s) {
  v.field("pcie", s.pcie, {.doc = "PCI Express link of the device."});
  v.field("memory", s.memory, {.doc = "The host's memory and last-level cache."});
  v.field("iommu", s.iommu, {.doc = "Translation of the device's addresses, where the scenario has it."});
  v.field("dma_engine", s.dma_engine, {.doc = "What moves the data in the device."});
  v.optional("core", s.core, {.doc = "How the host's cores use memory, for scenarios where they do."});
}

/// What each of the requests in flight does, over and over.
enum class DmaWork { read, write, alternating, write_then_read };
template <> struct EnumNames<DmaWork> {
  static constexpr std::array<std::string_view, 4> values{"read", "write", "alternating", "write_then_read"};
};

struct DmaScenario {
  DmaMachine hardware;
  std::string hardware_name;  ///< For reports.
  DmaWork work = DmaWork::read;
  bool commands = false;
  Bytes size;
  Bytes offset;
  Bytes window;
  AddressPattern pattern = AddressPattern::random;
  int streams = 1;
  int in_flight = 1;
  Warmth cached = Warmth::cold;
  bool remote = false;
  Bytes iommu_page;
  std::optional<CoreLoad> cores;
  Time warmup = std::chrono::microseconds{100};
  Time duration = std::chrono::milliseconds{1};
};
template <class V> void describe(V& v, DmaScenario& s) {
  v.field("hardware", s.hardware, {.doc = "Profile of host and device: the path of its file, or the profile itself."});
  v.optional(
      "work", s.work,
      {.doc = "What each request in flight does: \"read\", \"write\", \"alternating\" (a read, then a write), or "
              "\"write_then_read\" (of the same place, timed together)."});
  v.optional("commands", s.commands, {.doc = "The device's cores read and write by themselves, without DMA engine."});
  v.field("size", s.size, {.doc = "Bytes of one request.", .min = 1, .max = 1 << 20});
  v.optional("offset", s.offset, {.doc = "Of the data in their first cache line.", .min = 0, .max = 63});
  v.field("window", s.window,
          {.doc = "Host memory that is used, in units of whole cache lines.", .min = 64, .max = 1LL << 34});
  v.optional("pattern", s.pattern, {.doc = "How the next unit is chosen."});
  v.optional(
      "streams", s.streams,
      {.doc = "Between which sequential requests alternate, each in a part of the window of its own, as those of "
              "several disks do.",
       .min = 1,
       .max = 65536});
  v.optional("in_flight", s.in_flight,
             {.doc = "Requests in flight; 0: the device does nothing.", .min = 0, .max = 65536});
  v.optional(
      "cached", s.cached,
      {.doc = "Who wrote the window last: \"cold\" (nobody: it is in DRAM), \"host\" (the last-level cache holds "
              "what fits) or \"device\" (the device's share holds what fits)."});
  v.optional("remote", s.remote, {.doc = "The window is in the memory of another socket."});
  v.optional("iommu_page", s.iommu_page,
             {.doc = "Size of the IOMMU's pages, from 4 KiB on; 0 B: addresses are not translated.",
              .min = 0,
              .max = 1 << 30});
  v.optional("cores", s.cores,
             {.doc = "Cores that use the same memory channels; the profile has to have channels and a core."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 10});
  v.optional("duration", s.duration, {.doc = "Simulated time measured.", .min = 1e-9, .max = 100});
}

/// Whole cache lines that one request takes of the window.
[[nodiscard]] inline Bytes unit_of(const DmaScenario& scenario) {
  return LastLevelCache::line * ceil_div(scenario.offset + scenario.size, LastLevelCache::line);
}
/// Units of the window; at least one (sim/scenario checks that).
[[nodiscard]] inline std::int64_t units_of(const DmaScenario& scenario) {
  return scenario.window.count / unit_of(scenario).count;
}

/// What one request costs on the link and in the device.
[[nodiscard]] DmaCostTable dma_costs(const DmaScenario& scenario);
/// The engine, or, for commands, none.
[[nodiscard]] DmaEngineParameters engine_of(const DmaScenario& scenario);

}  // namespace doorbell::model
