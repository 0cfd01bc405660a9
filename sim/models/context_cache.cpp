#include "models/context_cache.hpp"

#include <algorithm>
#include <string>

namespace doorbell::model {

ContextCache::ContextCache(int capacity, int fetches, Time fetch, std::uint64_t seed, std::string_view name)
    : fetch_{fetch},
      fetches_{static_cast<std::size_t>(fetches)},
      random_{seed, std::string{name} + "/contexts"},
      places_(static_cast<std::size_t>(capacity)) {}

Time ContextCache::ready(const QueuePair& queue_pair, Time when) {
  if (const auto known = place_of_.find(&queue_pair); known != place_of_.end()) {
    return std::max(when, places_[known->second].ready);
  }
  ++misses_;
  const std::size_t place = used_ < places_.size() ? used_++ : static_cast<std::size_t>(random_.below(places_.size()));
  if (places_[place].queue_pair != nullptr) place_of_.erase(places_[place].queue_pair);
  places_[place] = {&queue_pair, fetches_.reserve(when, fetch_)};
  place_of_.emplace(&queue_pair, place);
  return places_[place].ready;
}

}  // namespace doorbell::model
