// Translation of the addresses that devices use, by an IOMMU: a small cache of pages (IO-TLB) and page walkers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/multi_server.hpp"
#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/memory/table_cache.hpp"

namespace doorbell::model {

/// Neugebauer et al., "Understanding PCIe performance for end host networking", SIGCOMM 2018, on IOMMUs.
struct IommuParameters {
  int entries = 1;
  Time walk{0};
  int walkers = 1;
};
template <class V> void describe(V& v, IommuParameters& s) {
  v.field("entries", s.entries, {.doc = "Pages whose translation the IO-TLB keeps.", .min = 1, .max = 1 << 20});
  v.field("walk", s.walk, {.doc = "Time of a page walk.", .max = 1e-4});
  v.field("walkers", s.walkers, {.doc = "Page walks that can be under way.", .min = 1, .max = 1024});
}

class Iommu {
 public:
  Iommu(const IommuParameters& parameters, Bytes page, std::uint64_t seed)
      : page_{page},
        walkers_{static_cast<std::size_t>(parameters.walkers)},
        cache_{parameters.entries, walkers_, parameters.walk, seed, "IO-TLB"} {}
  Iommu(const Iommu&) = delete;
  Iommu& operator=(const Iommu&) = delete;

  /// When the pages of `size` bytes (> 0) at `address` are known, for a request that arrives at `arrival`; calls come
  /// in order of arrival.
  [[nodiscard]] Time translate(std::int64_t address, Bytes size, Time arrival) {
    const std::int64_t last = (address + size.count - 1) / page_.count;
    Time known = arrival;
    for (std::int64_t page = address / page_.count; page <= last; ++page) {
      known = std::max(known, cache_.ready(static_cast<std::uint64_t>(page), arrival));
    }
    return known;
  }
  [[nodiscard]] const core::MultiServer& walkers() const { return walkers_; }
  [[nodiscard]] std::uint64_t misses() const { return cache_.misses(); }
  void measure(Time from, Time until) {
    walkers_.measure(from, until);
    cache_.measure();
  }

 private:
  Bytes page_;
  core::MultiServer walkers_;
  TableCache cache_;
};

}  // namespace doorbell::model
