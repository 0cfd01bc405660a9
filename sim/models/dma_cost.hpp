// What one DMA access takes of a PCI Express link and of what is behind it, summed up beforehand.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"

namespace doorbell::model {

/// A DMA read: the request up, the completions down.
struct DmaReadCost {
  Time request{0};
  Time latency{0};  ///< Of root complex and memory.
  Time completion{0};
  int tags = 0;
  int cache_lines = 0;

  /// Another read that is under way at the same time.
  DmaReadCost& operator+=(const DmaReadCost& other) {
    request += other.request;
    latency = std::max(latency, other.latency);
    completion += other.completion;
    tags += other.tags;
    cache_lines += other.cache_lines;
    return *this;
  }
};

/// A DMA write, or an MMIO write.
struct WriteCost {
  Time service{0};
  int tlps = 0;
  int cache_lines = 0;
};

}  // namespace doorbell::model
