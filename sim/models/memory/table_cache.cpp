#include "models/memory/table_cache.hpp"

#include <algorithm>

namespace doorbell::model {

TableCache::TableCache(int capacity, core::MultiServer& fetches, Time fetch, std::uint64_t seed,
                       const std::string& name)
    : fetches_{fetches}, fetch_{fetch}, kept_{capacity, seed, name} {}

Time TableCache::ready(std::uint64_t key, Time when, Time delay) {
  while (!under_way_.empty() && under_way_.front().ready <= when) {
    const std::uint64_t there = under_way_.pop().key;
    arrives_.erase(there);
    kept_.keep(there);
  }
  if (kept_.holds(key)) return when;
  if (const auto known = arrives_.find(key); known != arrives_.end()) {
    // Questions are looked ahead and need not come in order of time: this one may be about a later one.
    return std::max(when, known->second);
  }
  ++misses_;
  const Time ready = std::max(fetches_.reserve(when, fetch_), when + delay + fetch_);
  under_way_.insert({key, ready}, [](const Fetch& one, const Fetch& other) { return one.ready < other.ready; });
  arrives_.emplace(key, ready);
  return ready;
}

}  // namespace doorbell::model
