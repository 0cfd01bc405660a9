#include "models/memory/last_level_cache.hpp"

#include <algorithm>

namespace doorbell::model {

LastLevelCache::LastLevelCache(const LastLevelCacheParameters& parameters, Bytes region, Warmth warmth, bool writes)
    : held_(static_cast<std::size_t>(ceil_div(region, line))),
      share_(static_cast<std::size_t>(parameters.device_share.count / line.count)) {
  // Whoever writes from the beginning to the end leaves the end in the cache; the device that of what is not there yet.
  const auto before = [](std::int64_t end, std::int64_t places) { return std::max<std::int64_t>(0, end - places); };
  const auto lines = static_cast<std::int64_t>(held_.size());
  const std::int64_t end = warmth == Warmth::host ? before(lines, parameters.size.count / line.count) : lines;
  std::fill(held_.begin() + end, held_.end(), 1);
  if (warmth != Warmth::device && !writes) return;
  for (std::int64_t i = before(end, static_cast<std::int64_t>(share_.size())); i < end; ++i) allocate(i);
}

void LastLevelCache::allocate(std::int64_t number) {
  held_[static_cast<std::size_t>(number)] = 1;
  share_[used_++] = number;
}

std::optional<std::int64_t> LastLevelCache::write(std::int64_t number) {
  if (share_.empty()) {
    held_[static_cast<std::size_t>(number)] = 0;
    return number;
  }
  if (holds(number)) return std::nullopt;
  if (used_ < share_.size()) {
    allocate(number);
    return std::nullopt;
  }
  const std::int64_t leaves = share_[oldest_];
  held_[static_cast<std::size_t>(leaves)] = 0;
  held_[static_cast<std::size_t>(number)] = 1;
  share_[oldest_] = number;
  if (++oldest_ == share_.size()) oldest_ = 0;
  return leaves;
}

}  // namespace doorbell::model
