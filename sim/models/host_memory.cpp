#include "models/host_memory.hpp"

#include <algorithm>

namespace doorbell::model {

HostMemory::HostMemory(const HostMemoryParameters& parameters, const IommuParameters& iommu, const DmaBuffer& buffer,
                       std::uint64_t seed)
    : parameters_{parameters},
      beyond_cache_{parameters.dram + (buffer.remote ? parameters.remote : Time{0})},
      cache_{parameters.cache, buffer.size, buffer.warmth, buffer.written} {
  if (buffer.page > Bytes{0}) iommu_.emplace(iommu, buffer.page, seed);
}

Time HostMemory::read(std::int64_t address, int lines, Time arrival) {
  const Time known = translated(address, lines, arrival);
  const std::int64_t first = address / LastLevelCache::line.count;
  int missing = 0;
  for (int i = 0; i < lines; ++i) {
    if (!cache_.holds(first + i)) ++missing;
  }
  lines_from_dram_ += static_cast<std::uint64_t>(missing);
  // Lines are fetched side by side: the slowest one tells.
  return std::max(known, last_write_) + parameters_.read_latency + (missing > 0 ? beyond_cache_ : Time{0});
}

Time HostMemory::write(std::int64_t address, int lines, Time arrival) {
  const Time known = translated(address, lines, arrival);
  const std::int64_t first = address / LastLevelCache::line.count;
  int evicted = 0;
  for (int i = 0; i < lines; ++i) {
    if (cache_.write(first + i)) ++evicted;
  }
  evictions_ += static_cast<std::uint64_t>(evicted);
  last_write_ =
      std::max(last_write_, known + parameters_.write_latency + (evicted > 0 ? parameters_.eviction : Time{0}));
  return last_write_;
}

void HostMemory::measure(Time from, Time until) {
  if (iommu_) iommu_->measure(from, until);
  lines_from_dram_ = 0;
  evictions_ = 0;
}

}  // namespace doorbell::model
