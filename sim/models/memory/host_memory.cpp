#include "models/memory/host_memory.hpp"

#include <algorithm>

namespace doorbell::model {

HostMemory::HostMemory(core::Calendar& calendar, const HostMemoryParameters& parameters, const IommuParameters& iommu,
                       const DmaBuffer& buffer, std::uint64_t seed, core::Priority priority)
    : calendar_{calendar},
      priority_{priority},
      parameters_{parameters},
      beyond_cache_{parameters.dram + (buffer.remote ? parameters.remote : Time{0})},
      cache_{parameters.cache, buffer.size, buffer.warmth, buffer.written} {
  if (buffer.page > Bytes{0}) iommu_.emplace(iommu, buffer.page, seed);
  if (parameters.channels) dram_.emplace(calendar, *parameters.channels, priority);
}

std::uint32_t HostMemory::take_slot() {
  if (free_.empty()) {
    accesses_.emplace_back();
    return static_cast<std::uint32_t>(accesses_.size() - 1);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  accesses_[slot].lines.clear();
  return slot;
}

void HostMemory::read(std::int64_t address, int lines, const Continuation& ready) {
  const Time begin = std::max(translated(address, lines), last_write_);
  const std::int64_t first = address / LastLevelCache::line.count;
  const std::uint32_t slot = take_slot();
  Access& access = accesses_[slot];
  for (int i = 0; i < lines; ++i) {
    if (!cache_.holds(first + i)) access.lines.push_back(first + i);
  }
  lines_from_dram_ += access.lines.size();
  if (dram_ && !access.lines.empty()) {
    access.write = false;
    access.done = ready;
    calendar_.at<&HostMemory::reach_channels>(begin, priority_, *this, slot);
    return;
  }
  // Lines are fetched side by side: the slowest one tells.
  call(begin + parameters_.read_latency + (access.lines.empty() ? Time{0} : beyond_cache_), ready);
  free_.push_back(slot);
}

void HostMemory::write(std::int64_t address, int lines, const Continuation& taken) {
  const Time known = translated(address, lines);
  const std::int64_t first = address / LastLevelCache::line.count;
  const std::uint32_t slot = take_slot();
  Access& access = accesses_[slot];
  bool evicts = false;
  for (int i = 0; i < lines; ++i) {
    const std::optional<std::int64_t> leaves = cache_.write(first + i);
    if (!leaves) continue;
    access.lines.push_back(*leaves);
    if (*leaves == first + i) continue;
    evicts = true;
    ++evictions_;
  }
  const Time visible = known + parameters_.write_latency + (evicts ? parameters_.eviction : Time{0});
  last_write_ = std::max(last_write_, visible);
  if (dram_ && !access.lines.empty()) {
    access.write = true;
    access.done = taken;
    calendar_.at<&HostMemory::reach_channels>(last_write_, priority_, *this, slot);
    return;
  }
  call(last_write_, taken);
  free_.push_back(slot);
}

void HostMemory::reach_channels(std::uint64_t slot) {
  Access& access = accesses_[slot];
  access.remaining = access.lines.size();
  const Continuation done{&HostMemory::line_done_of, this, slot};
  for (const std::int64_t line : access.lines) {
    if (access.write) {
      dram_->write(line, done);
    } else {
      dram_->read(line, done);
    }
  }
}

void HostMemory::line_done(std::uint64_t slot) {
  Access& access = accesses_[slot];
  if (--access.remaining > 0) return;
  const Time later = access.write ? Time{0} : parameters_.read_latency + beyond_cache_;
  call(calendar_.now() + later, access.done);
  free_.push_back(static_cast<std::uint32_t>(slot));
}

void HostMemory::measure(Time from, Time until) {
  if (iommu_) iommu_->measure(from, until);
  if (dram_) dram_->measure(from);
  lines_from_dram_ = 0;
  evictions_ = 0;
}

}  // namespace doorbell::model
