// Memory at the destination of one-sided operations. Plain data, as scenario.hpp.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/memory/address_pattern.hpp"

namespace doorbell::model {

/// Addresses that READs, WRITEs and atomics touch at the destination.
struct Region {
  std::int64_t count = 1;  ///< Objects in the region.
  Bytes stride{64};
  Bytes offset{0};        ///< Of the accessed word inside an object.
  Bytes page{2LL << 20};  ///< Of the memory that is registered.
  AddressPattern pattern = AddressPattern::random;
  double skew = 0;  ///< Of random objects: exponent of Zipf's law; 0: all are equally popular.
};
template <class V> void describe(V& v, Region& s) {
  v.field("count", s.count, {.doc = "Objects in the region.", .min = 1, .max = 1e12});
  v.field("stride", s.stride, {.doc = "Distance between objects.", .min = 1, .max = 1 << 30});
  v.optional("offset", s.offset, {.doc = "Of the accessed word inside an object.", .min = 0, .max = 1 << 30});
  v.optional(
      "page", s.page,
      {.doc = "Size of the pages in which the region is registered. All regions of a machine begin at address 0.",
       .min = 4096,
       .max = 1LL << 40});
  v.optional("pattern", s.pattern, {.doc = "How objects are chosen."});
  v.optional(
      "skew", s.skew,
      {.doc = "Exponent of Zipf's law, by which random objects are chosen; 0: all equally often.", .min = 0, .max = 5});
}

/// Translations (MTT entries) that a region has.
[[nodiscard]] inline std::int64_t pages_of(const Region& region) {
  return ceil_div(region.stride * region.count, region.page);
}

}  // namespace doorbell::model
