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
  if (buffer.page > Bytes{0}) iommu_.emplace(calendar, iommu, buffer.page, seed, priority);
  if (parameters.refresh) refresh_.emplace(*parameters.refresh, seed);
  if (iommu_ && refresh_) iommu_->attach(*refresh_);
  if (parameters.channels) dram_.emplace(calendar, *parameters.channels, priority);
}

void HostMemory::read(std::int64_t address, int lines, const Continuation& ready) {
  arrive(address, lines, false, ready);
}

void HostMemory::write(std::int64_t address, int lines, const Continuation& taken) {
  arrive(address, lines, true, taken);
}

void HostMemory::arrive(std::int64_t address, int lines, bool write, const Continuation& done) {
  const std::int64_t first = address / LastLevelCache::line.count;
  const std::uint32_t slot = accesses_.take();
  Access& access = accesses_[slot];
  access.first = first;
  access.count = lines;
  access.write = write;
  access.translated = false;
  access.lines.clear();
  access.done = done;
  if (!iommu_) return begin(slot);
  untranslated_.push(slot);
  const auto known = [](void* self, std::uint64_t of) { static_cast<HostMemory*>(self)->translated(of); };
  iommu_->translate(first * LastLevelCache::line.count, LastLevelCache::line * lines, {known, this, slot});
}

void HostMemory::translated(std::uint64_t slot) {
  accesses_[slot].translated = true;
  while (!untranslated_.empty() && accesses_[untranslated_.front()].translated) begin(untranslated_.pop());
}

void HostMemory::begin(std::uint32_t slot) {
  if (accesses_[slot].write) {
    begin_write(slot);
  } else {
    begin_read(slot);
  }
}

void HostMemory::begin_read(std::uint32_t slot) {
  const Time begin = std::max(calendar_.now(), last_write_);
  Access& access = accesses_[slot];
  for (int i = 0; i < access.count; ++i) {
    if (!cache_.holds(access.first + i)) access.lines.push_back(access.first + i);
  }
  lines_from_dram_ += access.lines.size();
  if (dram_ && !access.lines.empty()) {
    calendar_.at<&HostMemory::reach_channels>(begin, priority_, *this, slot);
    return;
  }
  // Lines are fetched side by side: the slowest one tells.
  Time beyond = access.lines.empty() ? Time{0} : beyond_cache_;
  // Lines behind the first that wait for a refresh are mostly there when their turn comes on the link.
  if (refresh_ && !access.lines.empty()) beyond += refresh_->wait(access.lines.front(), begin);
  call(begin + parameters_.read_latency + beyond, access.done);
  accesses_.free(slot);
}

void HostMemory::begin_write(std::uint32_t slot) {
  Access& access = accesses_[slot];
  bool evicts = false;
  for (int i = 0; i < access.count; ++i) {
    const std::int64_t line = access.first + i;
    const std::optional<std::int64_t> leaves = cache_.write(line);
    if (!leaves) continue;
    access.lines.push_back(*leaves);
    if (*leaves == line) continue;
    evicts = true;
    ++evictions_;
  }
  const Time visible = calendar_.now() + parameters_.write_latency + (evicts ? parameters_.eviction : Time{0});
  last_write_ = std::max(last_write_, visible);
  if (dram_ && !access.lines.empty()) {
    calendar_.at<&HostMemory::reach_channels>(last_write_, priority_, *this, slot);
    return;
  }
  call(last_write_, access.done);
  accesses_.free(slot);
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
  accesses_.free(slot);
}

void HostMemory::measure(Time from) {
  if (iommu_) iommu_->measure();
  if (dram_) dram_->measure(from);
  lines_from_dram_ = 0;
  evictions_ = 0;
}

}  // namespace doorbell::model
