// What the NIC remembers of READs in progress, its own and those it answers: in a ring, in order of their beginning.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/multi_server.hpp"
#include "core/quantity.hpp"

namespace doorbell::model {

/// A READ whose state later ones have displaced reads its WQE once more when its response comes, and so displaces
/// others: where a NIC that sends and answers many READs begins to miss, nearly all of them miss. (No publication says
/// so; the all-to-all READs of rdma_bench's rc-swarm on Connect-IB do.)
class ReadStates {
 public:
  /// `capacity` READs; `fetches` WQEs can be read again at a time, and each takes `fetch`.
  ReadStates(int capacity, int fetches, Time fetch)
      : capacity_{static_cast<std::uint64_t>(capacity)}, fetches_{static_cast<std::size_t>(fetches)}, fetch_{fetch} {}

  /// A READ is sent, or one to be answered arrives. Returns its ticket.
  std::uint64_t begin() { return ++begun_; }
  /// Whether the state of this ticket is still there: fewer than `capacity` have begun after it.
  [[nodiscard]] bool holds(std::uint64_t ticket) const { return begun_ - ticket < capacity_; }
  /// When the state of a displaced READ is there again, whose response comes at `when`. `delay`: how long its fetch
  /// waits for other reads on its way, as in TableCache.
  [[nodiscard]] Time restored(Time when, Time delay = Time{0}) {
    begin();
    return std::max(fetches_.reserve(when, fetch_), when + delay + fetch_);
  }

  [[nodiscard]] core::MultiServer& fetches() { return fetches_; }

 private:
  std::uint64_t capacity_;
  std::uint64_t begun_ = 0;
  core::MultiServer fetches_;
  Time fetch_;
};

}  // namespace doorbell::model
