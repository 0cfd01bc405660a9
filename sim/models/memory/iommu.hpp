// Translation of the addresses that devices use, by an IOMMU: a small cache of pages (IO-TLB) and page walkers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/slots.hpp"
#include "core/utilisation.hpp"
#include "models/common/continuation.hpp"
#include "models/common/describe.hpp"
#include "models/memory/random_replacement.hpp"
#include "models/memory/refresh.hpp"

namespace doorbell::model {

/// Neugebauer et al., "Understanding PCIe performance for end host networking", SIGCOMM 2018, on IOMMUs.
struct IommuParameters {
  int entries = 1;
  Time walk{0};
  int walkers = 1;
  Bytes completion_queue{0};
};
template <class V> void describe(V& v, IommuParameters& s) {
  v.field("entries", s.entries, {.doc = "Pages whose translation the IO-TLB keeps.", .min = 1, .max = 1 << 20});
  v.field("walk", s.walk, {.doc = "Time of a page walk that does not wait for a refresh.", .max = 1e-4});
  v.field("walkers", s.walkers, {.doc = "Page walks that can be under way.", .min = 1, .max = 1024});
  v.optional(
      "completion_queue", s.completion_queue,
      {.doc = "Completions behind which the result of a page walk waits at most, on its way from memory.", .max = 1e9});
}

class Iommu {
 public:
  Iommu(core::Calendar& calendar, const IommuParameters& parameters, Bytes page, std::uint64_t seed,
        core::Priority priority);
  Iommu(const Iommu&) = delete;
  Iommu& operator=(const Iommu&) = delete;

  /// What a walk finds comes from memory like the data of reads: it waits for completions that wait for `link`, as many
  /// as the queue holds, which leave at `rate`.
  void attach(const core::FifoServer& link, Bandwidth rate) {
    completions_ = &link;
    longest_wait_ = transfer_time(completion_queue_, rate);
  }
  /// Walks read memory that is refreshed so.
  void attach(Refresh& refresh) { refresh_ = &refresh; }
  /// Calls `known` when the pages of `size` bytes (> 0) at `address` are known: at once if the IO-TLB holds them.
  void translate(std::int64_t address, Bytes size, const Continuation& known);

  /// Mean fraction of the walkers in use since measure().
  [[nodiscard]] double walking() const { return walking_.mean(calendar_.now()) / walkers_; }
  [[nodiscard]] std::uint64_t misses() const { return misses_; }
  void measure() {
    walking_.reset(calendar_.now());
    misses_ = 0;
  }

 private:
  /// A request, and how many of its pages are not known yet.
  struct Request {
    int unknown = 0;
    Continuation known;
  };
  void begin(std::uint64_t page);
  void found(std::uint64_t page);
  void end(std::uint64_t page);

  core::Calendar& calendar_;
  core::Priority priority_;
  Bytes page_;
  Time walk_;
  int walkers_;
  int idle_;
  Bytes completion_queue_;
  Time longest_wait_{0};
  const core::FifoServer* completions_ = nullptr;
  Refresh* refresh_ = nullptr;
  RandomReplacement kept_;  // of these, the pages in unknown_ are not known yet
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> unknown_;  // pages, and the requests that wait for them
  core::RingQueue<std::uint64_t> waiting_;                                 // of these, pages without a walker
  core::TimeWeighted walking_;
  core::Slots<Request> requests_;
  std::uint64_t misses_ = 0;
};

}  // namespace doorbell::model
