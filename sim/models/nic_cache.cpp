#include "models/nic_cache.hpp"

#include <algorithm>

namespace doorbell::model {

NicCache::NicCache(int capacity, core::MultiServer& fetches, Time fetch, std::uint64_t seed, const std::string& name)
    : fetches_{fetches}, fetch_{fetch}, random_{seed, name}, places_(static_cast<std::size_t>(capacity)) {}

Time NicCache::ready(std::uint64_t key, Time when) {
  if (const auto known = place_of_.find(key); known != place_of_.end()) {
    return std::max(when, places_[known->second].ready);
  }
  ++misses_;
  std::size_t place = used_;
  if (used_ < places_.size()) {
    ++used_;
  } else {
    place = static_cast<std::size_t>(random_.below(places_.size()));
    place_of_.erase(places_[place].key);
  }
  places_[place] = {key, fetches_.reserve(when, fetch_)};
  place_of_.emplace(key, place);
  return places_[place].ready;
}

}  // namespace doorbell::model
