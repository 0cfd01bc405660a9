// What one DMA access takes of a PCI Express link and of what is behind it, summed up beforehand.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"
#include "models/memory/cache_line.hpp"
#include "models/pcie/pcie_link.hpp"

namespace doorbell::model {

/// A DMA read: the request up, the completions down.
struct DmaReadCost {
  Time request{0};
  Time latency{0};  ///< Of root complex and memory.
  Time completion{0};
  int tags = 0;
  int cache_lines = 0;
  Time store{0};  ///< What the device needs for so much data until their tags are free.

  /// Another read that is under way at the same time.
  DmaReadCost& operator+=(const DmaReadCost& other) {
    request += other.request;
    latency = std::max(latency, other.latency);
    completion += other.completion;
    tags += other.tags;
    cache_lines += other.cache_lines;
    store += other.store;
    return *this;
  }
};

/// A DMA write, or an MMIO write.
struct WriteCost {
  Time service{0};
  int tlps = 0;
  int cache_lines = 0;
};

/// Takes the first `requests` out of a read of more, which keeps the others.
[[nodiscard]] inline DmaReadCost take_requests(DmaReadCost& read, int requests) {
  const DmaReadCost part{.request = read.request * requests / read.tags,
                         .latency = read.latency,
                         .completion = read.completion * requests / read.tags,
                         .tags = requests,
                         .cache_lines = read.cache_lines * requests / read.tags,
                         .store = read.store * requests / read.tags};
  read.request -= part.request;
  read.completion -= part.completion;
  read.tags -= requests;
  read.cache_lines -= part.cache_lines;
  read.store -= part.store;
  return part;
}

/// Takes the first `tlps` out of a write of more, which keeps the others.
[[nodiscard]] inline WriteCost take_tlps(WriteCost& write, int tlps) {
  const WriteCost part{
      .service = write.service * tlps / write.tlps, .tlps = tlps, .cache_lines = write.cache_lines * tlps / write.tlps};
  write.service -= part.service;
  write.tlps -= tlps;
  write.cache_lines -= part.cache_lines;
  return part;
}

/// A read of `size` bytes of host memory at `address`, whose first completion leaves `latency` after the request has
/// come.
[[nodiscard]] inline DmaReadCost dma_read_cost(const PcieParameters& pcie, Time latency, Bytes size,
                                               std::int64_t address = 0) {
  const TlpTrain request = read_request_tlps(pcie, size, address);
  return {.request = occupancy(pcie, request),
          .latency = latency,
          .completion = occupancy(pcie, completion_tlps(pcie, size, address)),
          .tags = static_cast<int>(request.tlps),
          .cache_lines = static_cast<int>(ceil_div(Bytes{address % cache_line.count} + size, cache_line))};
}

/// A write of `size` bytes to host memory at `address`.
[[nodiscard]] inline WriteCost dma_write_cost(const PcieParameters& pcie, Bytes size, std::int64_t address = 0) {
  const TlpTrain write = write_tlps(pcie, size, address);
  return {.service = occupancy(pcie, write),
          .tlps = static_cast<int>(write.tlps),
          .cache_lines = static_cast<int>(ceil_div(Bytes{address % cache_line.count} + size, cache_line))};
}

}  // namespace doorbell::model
