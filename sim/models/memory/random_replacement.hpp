// Which entries of a table a small cache keeps when it replaces them at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/random.hpp"

namespace doorbell::model {

/// Of N entries in even use, capacity / N are there.
class RandomReplacement {
 public:
  /// `name` tells the random streams of several caches apart.
  RandomReplacement(int capacity, std::uint64_t seed, const std::string& name)
      : random_{seed, name}, places_(static_cast<std::size_t>(capacity)) {}

  [[nodiscard]] bool holds(std::uint64_t key) const { return kept_.contains(key); }
  /// Keeps an entry that is not there.
  void keep(std::uint64_t key) {
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

 private:
  core::RandomStream random_;
  std::vector<std::uint64_t> places_;  // keys of the entries
  std::size_t used_ = 0;
  std::unordered_set<std::uint64_t> kept_;
};

}  // namespace doorbell::model
