// One server, first come first served.
#pragma once

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/signal.hpp"
#include "core/trace.hpp"
#include "core/utilisation.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace doorbell::core {

/// The reserved form: the departure is known at arrival, so that no event is needed. It is exact, equal to the queued
/// form to the picosecond, if calls come in order of arrival time (and, at equal times, of the priority that the model
/// gives to arrivals). Where flows from several sources merge, call it from an event at the time of arrival.
class FifoServer {
 public:
  /// Time at which a job arriving at `arrival` leaves after `service` (>= 0). `what` it is, for the trace.
  Time reserve(Time arrival, Time service, std::string_view what = "busy") {
    const Time begin = std::max(arrival, busy_until_);
    busy_until_ = begin + service;
    busy_.add(begin, busy_until_);
    ++jobs_;
    track_.span(what, begin, busy_until_);
    return busy_until_;
  }

  /// Draws every job from now on.
  void trace(TraceTrack track) { track_ = track; }

  /// Departure of the last job reserved so far; a job arriving earlier waits.
  [[nodiscard]] Time busy_until() const { return busy_until_; }

  /// Ends the warm-up: counts jobs from this call on and busy time within [from, until).
  void measure(Time from, Time until = Time::max()) {
    busy_.measure(from, until);
    jobs_ = 0;
  }
  [[nodiscard]] Time busy_time(Time now) const { return busy_.busy(now); }
  /// Fraction of the measured time in which it was busy.
  [[nodiscard]] double utilisation(Time now) const { return busy_.utilisation(now); }
  /// Jobs accepted.
  [[nodiscard]] std::uint64_t jobs() const { return jobs_; }

 private:
  Time busy_until_{0};
  BusyMeter busy_;
  std::uint64_t jobs_ = 0;
  TraceTrack track_;
};

/// The queued form: an event per job, at its departure. Right wherever arrivals may come out of order of the calls.
class QueuedFifoServer {
 public:
  explicit QueuedFifoServer(Calendar& calendar) : calendar_{calendar} {}
  QueuedFifoServer(const QueuedFifoServer&) = delete;
  QueuedFifoServer& operator=(const QueuedFifoServer&) = delete;

  /// One job and whom to call at its departure; it must stay where it is until then.
  struct Job : Waiter {
    Time service{0};
  };

  /// The callback form. Throws std::logic_error for a negative service, and takes no job then.
  void submit(Job& job) {
    if (job.service < Time{0}) throw std::logic_error("a job with a negative service");
    if (in_service_ == nullptr) {
      begin(job);
    } else {
      queue_.push(job);
    }
    population_.add(calendar_.now(), 1);
  }

  struct [[nodiscard]] Use {
    QueuedFifoServer& server;
    Job job;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
      job.object = coroutine.address();
      server.submit(job);
    }
    void await_resume() const noexcept {}
  };

  /// co_await server.use(service): waits for its turn, is served and continues at the departure.
  Use use(Time service, Priority priority = {}) { return {*this, {{nullptr, nullptr, 0, priority, nullptr}, service}}; }

  void measure(Time from, Time until = Time::max()) {
    busy_.measure(from, until);
    population_.reset(calendar_.now());
    jobs_ = 0;
  }
  [[nodiscard]] Time busy_time() const { return busy_.busy(calendar_.now()); }
  [[nodiscard]] double utilisation() const { return busy_.utilisation(calendar_.now()); }
  /// Jobs that have left.
  [[nodiscard]] std::uint64_t jobs() const { return jobs_; }
  /// Number of jobs waiting or in service.
  [[nodiscard]] const TimeWeighted& population() const { return population_; }

 private:
  void begin(Job& job) {
    const Time departure = calendar_.now() + job.service;
    calendar_.at<&QueuedFifoServer::depart>(departure, job.priority, *this);
    in_service_ = &job;
    busy_.add(calendar_.now(), departure);
  }
  void depart(std::uint64_t) {
    // The job may die as soon as its waiter is called.
    const Waiter waiter = *in_service_;
    ++jobs_;
    population_.add(calendar_.now(), -1);
    in_service_ = nullptr;
    if (!queue_.empty()) begin(static_cast<Job&>(queue_.pop()));
    waiter.call();
  }

  Calendar& calendar_;
  Job* in_service_ = nullptr;
  WaitList queue_;
  BusyMeter busy_;
  TimeWeighted population_;
  std::uint64_t jobs_ = 0;
};

}  // namespace doorbell::core
