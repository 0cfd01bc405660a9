// Several identical servers behind one queue, first come first served.
#pragma once

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/signal.hpp"
#include "core/utilisation.hpp"

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace doorbell::core {

/// The reserved form; exact under the same condition as FifoServer.
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

/// The queued form: an event per job.
class QueuedMultiServer {
 public:
  QueuedMultiServer(Calendar& calendar, std::size_t servers) : calendar_{calendar}, servers_{servers}, idle_{servers} {
    if (servers == 0) throw std::invalid_argument("a multi-server needs at least one server");
  }
  QueuedMultiServer(const QueuedMultiServer&) = delete;
  QueuedMultiServer& operator=(const QueuedMultiServer&) = delete;

  struct [[nodiscard]] Use {
    QueuedMultiServer& server;
    Waiter waiter;  ///< its argument is the service time in ps

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
      waiter.object = coroutine.address();
      server.submit(waiter);
    }
    // The process itself hands the server on: its departure needs no other event.
    void await_resume() const { server.depart(); }
  };

  /// co_await servers.use(service): waits for a free server, is served and continues at the departure.
  Use use(Time service, Priority priority = {}) {
    return {*this, {nullptr, nullptr, static_cast<std::uint64_t>(service.count()), priority, nullptr}};
  }

  [[nodiscard]] std::size_t servers() const { return servers_; }
  void reset_statistics() {
    busy_.reset(calendar_.now());
    population_.reset(calendar_.now());
    jobs_ = 0;
  }
  /// Mean fraction of busy servers since the last reset.
  [[nodiscard]] double utilisation() const { return busy_.mean(calendar_.now()) / static_cast<double>(servers_); }
  /// Number of jobs waiting or in service.
  [[nodiscard]] const TimeWeighted& population() const { return population_; }
  /// Jobs that have left.
  [[nodiscard]] std::uint64_t jobs() const { return jobs_; }

 private:
  void submit(Waiter& waiter) {
    population_.add(calendar_.now(), 1);
    if (idle_ == 0) {
      queue_.push(waiter);
      return;
    }
    --idle_;
    busy_.add(calendar_.now(), 1);
    begin(waiter);
  }
  void begin(const Waiter& waiter) {
    const Time service{static_cast<std::int64_t>(waiter.argument)};
    calendar_.post_coroutine(calendar_.now() + service, waiter.priority,
                             std::coroutine_handle<>::from_address(waiter.object));
  }
  void depart() {
    ++jobs_;
    population_.add(calendar_.now(), -1);
    if (!queue_.empty()) {
      begin(queue_.pop());
      return;
    }
    ++idle_;
    busy_.add(calendar_.now(), -1);
  }

  Calendar& calendar_;
  std::size_t servers_;
  std::size_t idle_;
  WaitList queue_;
  TimeWeighted busy_;
  TimeWeighted population_;
  std::uint64_t jobs_ = 0;
};

}  // namespace doorbell::core
