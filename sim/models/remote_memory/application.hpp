// Working sets that do not fit into memory, and applications that have them. Plain data, as scenario.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

enum class AccessOrder { sequential, random };
template <> struct EnumNames<AccessOrder> {
  static constexpr std::array<std::string_view, 2> values{"sequential", "random"};
};

/// Memory that does not hold all pages: those that are not resident come from remote memory.
struct MemoryLimit {
  double resident = 1;
  int readahead = 1;
  bool join_reads = false;
  int reclaim = 32;
  int active_ratio = 1;
  Bytes block{131072};
};
/// Pages that fit, of so many.
[[nodiscard]] inline std::int64_t frames_of(const MemoryLimit& limit, std::int64_t pages) {
  const std::int64_t fitting = std::llround(limit.resident * static_cast<double>(pages));
  return std::max<std::int64_t>(fitting, 2LL * limit.reclaim);
}
template <class V> void describe_limit(V& v, MemoryLimit& s) {
  v.field("resident", s.resident, {.doc = "Share of its pages that fits into memory.", .min = 0.001, .max = 1});
  v.optional("readahead", s.readahead,
             {.doc = "Pages that a fault reads, those of neighbouring swap slots included.", .min = 1, .max = 256});
  v.optional("join_reads", s.join_reads,
             {.doc = "The block layer joins reads of adjacent slots. Linux 3.13 does not before a device with several "
                     "hardware queues: it passes synchronous reads on at once, page by page (blk_mq_make_request)."});
  v.optional("reclaim", s.reclaim,
             {.doc = "Pages that are evicted at a time (SWAP_CLUSTER_MAX of Linux). Memory always holds twice as many.",
              .min = 1,
              .max = 4096});
  v.optional("active_ratio", s.active_ratio,
             {.doc = "Active pages for each inactive one, beyond which active ones become inactive. Linux takes the "
                     "square root of ten times the memory in GiB (inactive_ratio).",
              .min = 1,
              .max = 1000});
  v.optional("block", s.block, {.doc = "Largest request of the block layer.", .min = 4096, .max = 1 << 26});
}

/// Which pages operations touch, of which no more is known.
struct PageChoice {
  int touches = 1;
  std::int64_t pages = 1;
  double skew = 0;
  double dirty = 0;
  AccessOrder order = AccessOrder::random;
};
template <class V> void describe(V& v, PageChoice& s) {
  v.optional("touches", s.touches, {.doc = "Pages that one operation touches.", .min = 1, .max = 4096});
  v.field("pages", s.pages, {.doc = "Pages of 4 KiB in the working set.", .min = 64, .max = 1 << 26});
  v.optional("skew", s.skew, {.doc = "Exponent of the Zipf distribution of pages; 0: uniform.", .min = 0, .max = 2});
  v.optional("dirty", s.dirty, {.doc = "Share of touches that modify the page.", .min = 0, .max = 1});
  v.optional("order", s.order, {.doc = "sequential: every thread walks through its part, over and over."});
}

/// A store of records, found by an index, of which an operation reads or updates one.
struct RecordChoice {
  std::int64_t records = 1;
  std::int64_t scale = 1;
  Bytes size{1024};
  Bytes index_entry{0};
  double skew = 0;
  double updates = 0;
};
template <class V> void describe(V& v, RecordChoice& s) {
  v.field("records", s.records, {.doc = "Records of the store.", .min = 64, .max = 1e12});
  v.optional("scale", s.scale,
             {.doc = "Records of neighbouring popularity that one simulated record stands for, so that a large store "
                     "can be simulated with few pages.",
              .min = 1,
              .max = 1e9});
  v.field("size", s.size, {.doc = "Of a record; they lie one behind the other.", .min = 1, .max = 1 << 20});
  v.optional("index_entry", s.index_entry,
             {.doc = "What the lowest level of the index holds for each record; the levels above it are always "
                     "resident. 0 B: there is no index.",
              .min = 0,
              .max = 4096});
  v.optional("skew", s.skew,
             {.doc = "Exponent of Zipf's law, by which records are chosen; 0: all equally often.", .min = 0, .max = 5});
  v.optional("updates", s.updates, {.doc = "Share of the operations that modify their record.", .min = 0, .max = 1});
}

/// Threads that compute and touch pages.
struct Application : MemoryLimit {
  int threads = 1;
  Time compute{0};
};
template <class V> void describe_application(V& v, Application& s) {
  v.optional("threads", s.threads, {.doc = "Threads of the application.", .min = 1, .max = 4096});
  v.field("compute", s.compute,
          {.doc = "CPU time of one operation: the mean of an exponential distribution, so that threads do not march in "
                  "step; the `variation` of the host's cores comes on top.",
           .min = 1e-8,
           .max = 1});
  describe_limit(v, s);
}

struct PagingLoad : Application, PageChoice {};
template <class V> void describe(V& v, PagingLoad& s) {
  describe_application(v, s);
  describe(v, static_cast<PageChoice&>(s));
}

struct RecordLoad : Application, RecordChoice {};
template <class V> void describe(V& v, RecordLoad& s) {
  describe_application(v, s);
  describe(v, static_cast<RecordChoice&>(s));
}

/// The memory of a program: pages, or a store of records.
struct ProgramMemory : MemoryLimit {
  std::optional<PageChoice> pages;
  std::optional<RecordChoice> records;
};
template <class V> void describe(V& v, ProgramMemory& s) {
  describe_limit(v, s);
  v.optional("pages", s.pages, {.doc = "Pages, of which is known which ones operations touch."});
  v.optional("records", s.records, {.doc = "A store of records."});
}

}  // namespace doorbell::model
