// Several identical servers behind one queue, first come first served.
#pragma once

#include "core/quantity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace doorbell::core {

/// Exact under the same condition as FifoServer.
class MultiServer {
 public:
  explicit MultiServer(std::size_t servers) : free_at_(servers, Time{0}) {
    if (servers == 0) throw std::invalid_argument("a multi-server needs at least one server");
  }

  /// Time at which a job arriving at `arrival` leaves after `service` (>= 0) at the server that is free first.
  Time reserve(Time arrival, Time service) {
    std::pop_heap(free_at_.begin(), free_at_.end(), std::greater<>{});
    const Time begin = std::max(arrival, free_at_.back());
    const Time end = begin + service;
    free_at_.back() = end;
    std::push_heap(free_at_.begin(), free_at_.end(), std::greater<>{});
    const Time counted = std::min(end, until_) - std::max(begin, from_);
    if (counted > Time{0}) busy_ += counted;
    ++jobs_;
    return end;
  }

  /// A job arriving before this time waits.
  [[nodiscard]] Time busy_until() const { return free_at_.front(); }
  [[nodiscard]] std::size_t servers() const { return free_at_.size(); }

  /// Ends the warm-up: counts jobs from this call on and busy time within [from, until). Of what was reserved before,
  /// it counts what every server still has to do after `from`, as if without gaps.
  void measure(Time from, Time until = Time::max()) {
    from_ = from;
    until_ = until;
    jobs_ = 0;
    busy_ = ahead(from);
  }
  /// Busy time of all servers together up to `now`; jobs reserved to begin later than `now` count as if without gaps.
  [[nodiscard]] Time busy_time(Time now) const { return std::max(Time{0}, busy_ - ahead(std::max(now, from_))); }
  /// Mean fraction of busy servers within the window.
  [[nodiscard]] double utilisation(Time now) const {
    const Time elapsed = std::min(now, until_) - from_;
    if (elapsed <= Time{0}) return 0.0;
    return to_seconds(busy_time(now)) / (to_seconds(elapsed) * static_cast<double>(servers()));
  }
  [[nodiscard]] std::uint64_t jobs() const { return jobs_; }

 private:
  [[nodiscard]] Time ahead(Time from) const {
    Time sum{0};
    for (const Time free : free_at_) sum += std::max(Time{0}, std::min(free, until_) - from);
    return sum;
  }

  std::vector<Time> free_at_;  ///< a heap, earliest first
  Time from_{0};
  Time until_ = Time::max();
  Time busy_{0};
  std::uint64_t jobs_ = 0;
};

}  // namespace doorbell::core
