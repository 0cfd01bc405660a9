// Host memory behind the root complex, address by address: translation, the last-level cache, DRAM, and the order of
// reads after writes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/slots.hpp"
#include "models/common/continuation.hpp"
#include "models/common/describe.hpp"
#include "models/memory/dram.hpp"
#include "models/memory/iommu.hpp"
#include "models/memory/last_level_cache.hpp"
#include "models/memory/refresh.hpp"

namespace doorbell::model {

struct HostMemoryParameters {
  LastLevelCacheParameters cache;
  Time read_latency{0};
  Time dram{0};
  Time remote{0};
  Time write_latency{0};
  Time eviction{0};
  std::optional<RefreshParameters> refresh = std::nullopt;
  std::optional<DramParameters> channels = std::nullopt;
};
template <class V> void describe(V& v, HostMemoryParameters& s) {
  v.field("cache", s.cache, {.doc = "Last-level cache."});
  v.field("read_latency", s.read_latency,
          {.doc = "From a read request's arrival at the root complex to its first completion, data in the cache.",
           .max = 1e-4});
  v.field(
      "dram", s.dram,
      {.doc = "How much later when the data are in DRAM; with channels, beside their queues and bus.", .max = 1e-4});
  v.field("remote", s.remote, {.doc = "And when that DRAM is another socket's.", .max = 1e-4});
  v.field("write_latency", s.write_latency,
          {.doc = "From a write's arrival at the root complex until reads may follow it.", .max = 1e-4});
  v.field("eviction", s.eviction, {.doc = "How much later when a line has to leave the cache for it.", .max = 1e-4});
  v.optional("refresh", s.refresh, {.doc = "Refreshes of DRAM without channels; left out, nothing waits for them."});
  v.optional("channels", s.channels, {.doc = "Memory channels; left out, DRAM is a latency without limit."});
}

/// What a device's accesses touch; it begins at address 0.
struct DmaBuffer {
  Bytes size;
  Warmth warmth = Warmth::cold;
  bool remote = false;   ///< In the memory of another socket.
  bool written = false;  ///< By the device, now and then.
  Bytes page{0};         ///< Of the IOMMU; 0 B: addresses are not translated.
};

class HostMemory {
 public:
  HostMemory(core::Calendar& calendar, const HostMemoryParameters& parameters, const IommuParameters& iommu,
             const DmaBuffer& buffer, std::uint64_t seed, core::Priority priority);
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// A read arrives now; `ready`: its first completion can leave. It does not pass the writes before it (PCI Express
  /// Base Specification 3.0, section 2.4.1).
  void read(std::int64_t address, int lines, const Continuation& ready);
  /// A write arrives now; `taken`: what it held on the way is free again.
  void write(std::int64_t address, int lines, const Continuation& taken);

  /// `link`: what completions leave by, at `rate`.
  void attach(const core::FifoServer& link, Bandwidth rate) {
    if (iommu_) iommu_->attach(link, rate);
  }
  [[nodiscard]] const std::optional<Iommu>& iommu() const { return iommu_; }
  /// The channels, or null where DRAM is a latency.
  [[nodiscard]] Dram* dram() { return dram_ ? &*dram_ : nullptr; }
  /// Cache lines that were read from DRAM, and that left the cache for others.
  [[nodiscard]] std::uint64_t lines_from_dram() const { return lines_from_dram_; }
  [[nodiscard]] std::uint64_t evictions() const { return evictions_; }
  void measure(Time from);

 private:
  /// An access from its arrival on, and of its lines those on their way from or to DRAM.
  struct Access {
    std::int64_t first = 0;
    int count = 1;
    bool write = false;
    bool translated = false;
    std::vector<std::int64_t> lines;
    std::size_t remaining = 0;
    Continuation done;
  };
  void arrive(std::int64_t address, int lines, bool write, const Continuation& done);
  /// Its pages are known; it begins when those of all before it are.
  void translated(std::uint64_t slot);
  void begin(std::uint32_t slot);
  void begin_read(std::uint32_t slot);
  void begin_write(std::uint32_t slot);
  void call(Time when, const Continuation& done) {
    calendar_.at(when, priority_, done.handler, done.object, done.argument);
  }
  void reach_channels(std::uint64_t slot);
  void line_done(std::uint64_t slot);
  static void line_done_of(void* memory, std::uint64_t slot) { static_cast<HostMemory*>(memory)->line_done(slot); }

  core::Calendar& calendar_;
  core::Priority priority_;
  HostMemoryParameters parameters_;
  Time beyond_cache_;
  LastLevelCache cache_;
  std::optional<Iommu> iommu_;
  std::optional<Refresh> refresh_;
  std::optional<Dram> dram_;
  core::Slots<Access> accesses_;
  core::RingQueue<std::uint32_t> untranslated_;  // or behind one that is; in order of arrival
  Time last_write_{0};                           // when the last write is visible
  std::uint64_t lines_from_dram_ = 0;
  std::uint64_t evictions_ = 0;
};

}  // namespace doorbell::model
