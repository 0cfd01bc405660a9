// Host memory behind the root complex, address by address: translation, the last-level cache, DRAM, and the order of
// reads after writes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/quantity.hpp"
#include "models/describe.hpp"
#include "models/iommu.hpp"
#include "models/last_level_cache.hpp"

namespace doorbell::model {

struct HostMemoryParameters {
  LastLevelCacheParameters cache;
  Time read_latency{0};
  Time dram{0};
  Time remote{0};
  Time write_latency{0};
  Time eviction{0};
};
template <class V> void describe(V& v, HostMemoryParameters& s) {
  v.field("cache", s.cache, {.doc = "Last-level cache."});
  v.field("read_latency", s.read_latency,
          {.doc = "From a read request's arrival at the root complex to its first completion, data in the cache.",
           .max = 1e-4});
  v.field("dram", s.dram, {.doc = "How much later when the data are in DRAM.", .max = 1e-4});
  v.field("remote", s.remote, {.doc = "And when that DRAM is another socket's.", .max = 1e-4});
  v.field("write_latency", s.write_latency,
          {.doc = "From a write's arrival at the root complex until reads may follow it.", .max = 1e-4});
  v.field("eviction", s.eviction, {.doc = "How much later when a line has to leave the cache for it.", .max = 1e-4});
}

/// What a device's accesses touch.
struct DmaBuffer {
  Bytes size;
  Warmth warmth = Warmth::cold;
  bool remote = false;   ///< In the memory of another socket.
  bool written = false;  ///< By the device, now and then.
  Bytes page{0};         ///< Of the IOMMU; 0 B: addresses are not translated.
};

class HostMemory {
 public:
  HostMemory(const HostMemoryParameters& parameters, const IommuParameters& iommu, const DmaBuffer& buffer,
             std::uint64_t seed);

  /// When the first completion of a read can leave that arrives at `arrival`. It does not pass the writes before it
  /// (PCI Express Base Specification 3.0, section 2.4.1). Calls to this and to write() come in order of arrival.
  [[nodiscard]] Time read(std::int64_t address, int lines, Time arrival);
  /// When reads may follow a write that arrives at `arrival`: after the writes before it.
  [[nodiscard]] Time write(std::int64_t address, int lines, Time arrival);

  [[nodiscard]] const std::optional<Iommu>& iommu() const { return iommu_; }
  /// Cache lines that were read from DRAM, and that left the cache for others.
  [[nodiscard]] std::uint64_t lines_from_dram() const { return lines_from_dram_; }
  [[nodiscard]] std::uint64_t evictions() const { return evictions_; }
  void measure(Time from, Time until);

 private:
  [[nodiscard]] Time translated(std::int64_t address, int lines, Time arrival) {
    return iommu_ ? iommu_->translate(address, LastLevelCache::line * lines, arrival) : arrival;
  }

  HostMemoryParameters parameters_;
  Time beyond_cache_;
  LastLevelCache cache_;
  std::optional<Iommu> iommu_;
  Time last_write_{0};
  std::uint64_t lines_from_dram_ = 0;
  std::uint64_t evictions_ = 0;
};

}  // namespace doorbell::model
