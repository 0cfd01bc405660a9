#include "models/memory/table_cache.hpp"

#include <algorithm>

namespace doorbell::model {

TableCache::TableCache(int capacity, core::MultiServer& fetches, Time fetch, std::uint64_t seed,
                       const std::string& name)
    : fetches_{fetches}, fetch_{fetch}, random_{seed, name}, places_(static_cast<std::size_t>(capacity)) {}

Time TableCache::ready(std::uint64_t key, Time when) {
  while (!under_way_.empty() && under_way_.front().ready <= when) keep(under_way_.pop().key);
  if (kept_.contains(key)) return when;
  if (const auto known = arrives_.find(key); known != arrives_.end()) {
    // Questions are looked ahead and need not come in order of time: this one may be about a later one.
    return std::max(when, known->second);
  }
  ++misses_;
  const Time ready = fetches_.reserve(when, fetch_);
  under_way_.push({key, ready});
  arrives_.emplace(key, ready);
  return ready;
}

void TableCache::keep(std::uint64_t key) {
  arrives_.erase(key);
  std::size_t place = used_;
  if (used_ < places_.size()) {
    ++used_;
  } else {
    place = static_cast<std::size_t>(random_.below(places_.size()));
    kept_.erase(places_[place]);
  }
  places_[place] = key;
  kept_.insert(key);
}

}  // namespace doorbell::model
