// The NIC's cache of queue-pair contexts: a message whose queue pair has no context in the NIC waits for a PCIe read.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/multi_server.hpp"
#include "core/quantity.hpp"
#include "core/random.hpp"

namespace doorbell::model {

struct QueuePair;

/// Contexts are replaced at random, so that of N contexts in even use capacity / N are there. Connection scalability:
/// Dragojevic et al. NSDI 2014 section 3, Kalia et al. OSDI 2016 section 3.3.
class ContextCache {
 public:
  /// `capacity` contexts, of which `fetches` can be under way at a time, `fetch` each.
  ContextCache(int capacity, int fetches, Time fetch, std::uint64_t seed, std::string_view name);

  /// When the context of `queue_pair` is there for work that comes at `when`; calls come in order of `when`.
  [[nodiscard]] Time ready(const QueuePair& queue_pair, Time when);
  [[nodiscard]] std::uint64_t misses() const { return misses_; }
  /// Share of the fetches that can be under way which were.
  [[nodiscard]] double utilisation(Time now) const { return fetches_.utilisation(now); }
  void measure(Time from, Time until) {
    misses_ = 0;
    fetches_.measure(from, until);
  }

 private:
  struct Place {
    const QueuePair* queue_pair = nullptr;
    Time ready{0};
  };

  Time fetch_;
  core::MultiServer fetches_;
  core::RandomStream random_;
  std::vector<Place> places_;
  std::size_t used_ = 0;
  std::unordered_map<const QueuePair*, std::size_t> place_of_;
  std::uint64_t misses_ = 0;
};

}  // namespace doorbell::model
