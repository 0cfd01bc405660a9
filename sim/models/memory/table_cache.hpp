// What a NIC keeps of tables that lie in host memory: contexts of queue pairs and translations of pages. Work whose
// entry is not there waits until it has been fetched.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/multi_server.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "models/memory/random_replacement.hpp"

namespace doorbell::model {

/// Entries are replaced at random. One that is being read takes no place yet, and serves all that wait for it.
/// Connection scalability and page sizes: Dragojevic et al. NSDI 2014 section 3, Kalia et al. OSDI 2016 section 3.3.
class TableCache {
 public:
  /// `capacity` entries. `fetches`: those that can be under way at a time, of all caches that share them; `fetch` is
  /// the time of one. `name` tells the random streams of several caches apart.
  TableCache(int capacity, core::MultiServer& fetches, Time fetch, std::uint64_t seed, const std::string& name);

  /// When entry `key` is there for work that comes at `when`. Calls come in order of `when`, but for what a NIC looks
  /// ahead: an entry that was there for a later instant is there for an earlier one that is asked about afterwards.
  /// `delay`: how long a fetch that begins then waits for other reads on its way, for which it takes no place among the
  /// fetches: all-to-all READs on Connect-IB lose nothing where payloads fill its link (rdma_bench, rc-swarm).
  [[nodiscard]] Time ready(std::uint64_t key, Time when, Time delay = Time{0});
  [[nodiscard]] std::uint64_t misses() const { return misses_; }
  void measure() { misses_ = 0; }

 private:
  struct Fetch {
    std::uint64_t key = 0;
    Time ready{0};
  };
  core::MultiServer& fetches_;
  Time fetch_;
  RandomReplacement kept_;
  core::RingQueue<Fetch> under_way_;  // the first to arrive first
  std::unordered_map<std::uint64_t, Time> arrives_;
  std::uint64_t misses_ = 0;
};

}  // namespace doorbell::model
