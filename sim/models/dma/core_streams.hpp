// Cores that stream through memory: each keeps its line fill buffers busy, and writes back what it has changed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/ring_queue.hpp"
#include "models/common/describe.hpp"
#include "models/memory/dram.hpp"

namespace doorbell::model {

/// Vuppalapati et al., "Understanding the Host Network", SIGCOMM 2024.
struct CoreMemoryParameters {
  int line_fill_buffers = 1;
  Time latency{0};
  Time pause{0};
  Bytes cache;
  int write_backs = 1;
};
template <class V> void describe(V& v, CoreMemoryParameters& s) {
  v.field("line_fill_buffers", s.line_fill_buffers,
          {.doc = "Lines that a core can be waiting for.", .min = 1, .max = 1024});
  v.field(
      "latency", s.latency,
      {.doc = "Of a line from memory to the core, request and answer, beside the queues and the bus of its channel.",
       .max = 1e-4});
  v.optional("pause", s.pause, {.doc = "Until a fill buffer that has its line asks for the next.", .max = 1e-6});
  v.field("cache", s.cache,
          {.doc = "After so many bytes a changed line leaves the core's caches.", .min = 0, .max = 1e9});
  v.field("write_backs", s.write_backs,
          {.doc = "Lines of a core that can be on their way back to memory; beyond that it keeps their fill buffers.",
           .min = 1,
           .max = 4096});
}

/// What each core does with the lines of a buffer of its own, one after the other.
enum class CoreWork { read, change };
template <> struct EnumNames<CoreWork> { static constexpr std::array<std::string_view, 2> values{"read", "change"}; };

struct CoreLoad {
  int count = 1;
  CoreWork work = CoreWork::read;
};
template <class V> void describe(V& v, CoreLoad& s) {
  v.field("count", s.count, {.doc = "Cores that stream through memory.", .min = 1, .max = 1024});
  v.optional("work", s.work, {.doc = "\"read\" every line, or \"change\" it, so that it is written back later."});
}

class CoreStreams {
 public:
  /// `first_line`: the cores' buffers lie behind it.
  CoreStreams(core::Calendar& calendar, const CoreMemoryParameters& parameters, const CoreLoad& load, Dram& memory,
              std::int64_t first_line, std::uint64_t seed, core::Priority priority);
  CoreStreams(const CoreStreams&) = delete;
  CoreStreams& operator=(const CoreStreams&) = delete;

  void begin();
  void measure() {
    latency_ = {};
    lines_written_ = 0;
  }
  [[nodiscard]] std::uint64_t lines_read() const { return latency_.count(); }
  [[nodiscard]] std::uint64_t lines_written() const { return lines_written_; }
  /// Of reads, as long as they take a fill buffer, which is what performance counters tell: from its request to its
  /// line, and, where there is no room for the line that has to be written back for it, until there is.
  [[nodiscard]] const core::LatencyHistogram& latency() const { return latency_; }

 private:
  struct Core {
    std::int64_t next = 0;  ///< Line.
    int write_backs = 0;
    core::RingQueue<std::uint32_t> held;  ///< Fill buffers that wait for a write-back.
  };
  struct Buffer {
    std::int64_t line = 0;
    Time began{0};
  };
  [[nodiscard]] Core& core_of(std::uint64_t buffer) {
    return cores_[buffer / static_cast<std::uint64_t>(parameters_.line_fill_buffers)];
  }
  void request(std::uint64_t buffer);
  void reach_memory(std::uint64_t buffer);
  void returned(std::uint64_t buffer);
  void filled(std::uint64_t buffer);
  void release(std::uint64_t buffer);
  void written(std::uint64_t buffer);

  core::Calendar& calendar_;
  CoreMemoryParameters parameters_;
  CoreWork work_;
  Dram& memory_;
  core::Priority priority_;
  core::RandomStream random_;
  std::vector<Core> cores_;
  std::vector<Buffer> buffers_;

  core::LatencyHistogram latency_;
  std::uint64_t lines_written_ = 0;
};

}  // namespace doorbell::model
