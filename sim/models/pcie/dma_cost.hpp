// What one DMA access takes of a PCI Express link and of what is behind it, summed up beforehand.
#pragma once

#include <algorithm>
#include <cstdint>

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

  [[nodiscard]] bool operator==(const DmaReadCost&) const = default;

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

/// What one request of a read takes of the link upwards: the root complex begins with the first.
[[nodiscard]] inline Time first_request(const DmaReadCost& read) { return read.request / read.tags; }

/// How long the device still stores data of a read when the last of them has come: those of a request while the next
/// ones come, so that of two stages the slower decides.
[[nodiscard]] inline Time store_after_link(const DmaReadCost& read) {
  const Time last = read.store / read.tags;
  return std::max(last, read.store - (read.completion - read.completion / read.tags));
}

/// A DMA write, or an MMIO write.
struct WriteCost {
  Time service{0};
  int tlps = 0;
  int cache_lines = 0;

  [[nodiscard]] bool operator==(const WriteCost&) const = default;
};

/// `part` of the `whole`, but one at least: of requests, TLPs or cache lines.
[[nodiscard]] inline int counted_share(int count, std::int64_t part, std::int64_t whole) {
  return static_cast<int>(std::max<std::int64_t>(1, count * part / whole));
}

/// What `part` of the `whole` takes of a read.
[[nodiscard]] inline DmaReadCost share_of(const DmaReadCost& read, std::int64_t part, std::int64_t whole) {
  return {.request = read.request * part / whole,
          .latency = read.latency,
          .completion = read.completion * part / whole,
          .tags = counted_share(read.tags, part, whole),
          .cache_lines = counted_share(read.cache_lines, part, whole),
          .store = read.store * part / whole};
}
/// What `part` of the `whole` takes of a write.
[[nodiscard]] inline WriteCost share_of(const WriteCost& write, std::int64_t part, std::int64_t whole) {
  return {.service = write.service * part / whole,
          .tlps = counted_share(write.tlps, part, whole),
          .cache_lines = counted_share(write.cache_lines, part, whole)};
}

/// What is left of a read when `shares` alike have been taken out; of what is counted, one at least.
inline void take_out(DmaReadCost& read, const DmaReadCost& share, int shares) {
  read.request -= share.request * shares;
  read.completion -= share.completion * shares;
  read.tags = std::max(1, read.tags - share.tags * shares);
  read.cache_lines = std::max(1, read.cache_lines - share.cache_lines * shares);
  read.store -= share.store * shares;
}
/// The same of a write.
inline void take_out(WriteCost& write, const WriteCost& share, int shares) {
  write.service -= share.service * shares;
  write.tlps = std::max(1, write.tlps - share.tlps * shares);
  write.cache_lines = std::max(1, write.cache_lines - share.cache_lines * shares);
}

/// Takes the first `requests` out of a read of more, which keeps the others.
[[nodiscard]] inline DmaReadCost take_requests(DmaReadCost& read, int requests) {
  const DmaReadCost part = share_of(read, requests, read.tags);
  take_out(read, part, 1);
  return part;
}

/// Takes the first `tlps` out of a write of more, which keeps the others.
[[nodiscard]] inline WriteCost take_tlps(WriteCost& write, int tlps) {
  const WriteCost part = share_of(write, tlps, write.tlps);
  take_out(write, part, 1);
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
