// Jobs that are all served at the same time, each the slower the more there are.
#pragma once

#include <algorithm>
#include <cmath>
#include <coroutine>
#include <cstdint>
#include <queue>
#include <vector>

#include "core/calendar.hpp"
#include "core/signal.hpp"
#include "core/utilisation.hpp"

namespace doorbell::core {

/// Egalitarian processor sharing with a service rate that depends on the number of jobs (Kleinrock, Queueing Systems
/// II, section 4.4): a fair scheduler seen from above its time slices. Work is the time that a lone job would take.
class ProcessorSharing {
 public:
  /// `speeds`: of each job when 1, 2, 3, ... are present, 1 being that of a lone one; not empty, all positive. With
  /// more jobs the last total is shared among them.
  ProcessorSharing(Calendar& calendar, std::vector<double> speeds) : calendar_{calendar}, speeds_{std::move(speeds)} {}
  ProcessorSharing(const ProcessorSharing&) = delete;
  ProcessorSharing& operator=(const ProcessorSharing&) = delete;

  struct [[nodiscard]] Use {
    ProcessorSharing& server;
    Time work;
    Waiter waiter;

    [[nodiscard]] bool await_ready() const noexcept { return work <= Time{0}; }
    void await_suspend(std::coroutine_handle<> coroutine) {
      waiter.object = coroutine.address();
      server.submit(work, waiter);
    }
    void await_resume() const noexcept {}
  };
  /// co_await server.use(work): continues when the work is done.
  Use use(Time work, Priority priority = {}) { return {*this, work, {nullptr, nullptr, 0, priority, nullptr}}; }

  /// A job that never ends, such as a loop that polls, begins or goes away.
  void spin(int change) {
    advance();
    spinning_ += change;
    population_.add(calendar_.now(), change);
    plan();
    tell();
  }

  /// More (or fewer) loops that hold a server to themselves, and more that wait for one. While there are servers enough
  /// for all who are present nothing else follows; beyond that the jobs share the servers that are not held.
  void hold(int held, int waiting) {
    advance();
    held_ += held;
    waiting_ += waiting;
    if (held + waiting != 0) population_.add(calendar_.now(), held + waiting);
    plan();
  }
  /// Calls handler(object, 0) after every change of the number of jobs, also of those that never end.
  void watch(Handler handler, void* object) {
    watcher_ = handler;
    watching_ = object;
  }

  /// Jobs that share servers, those that never end among them.
  [[nodiscard]] int sharing() const { return static_cast<int>(jobs_.size()) + spinning_; }
  [[nodiscard]] int servers() const { return static_cast<int>(speeds_.size()); }
  /// The time on a server that each job has got which has been there from the beginning; stands still without jobs.
  [[nodiscard]] double share_given() const {
    return share_given_ + (sharing() > 0 ? static_cast<double>((calendar_.now() - since_).count()) * share() : 0);
  }

  /// Jobs present, over time.
  [[nodiscard]] const TimeWeighted& population() const { return population_; }
  /// Of the most work that could have been done since the statistics were reset, what jobs and loops together were
  /// given. More than the share of the servers in use where a lone job is faster than each of many.
  [[nodiscard]] double given_of_most() const {
    const Time elapsed = calendar_.now() - measured_from_;
    const double given = filled_ + static_cast<double>((calendar_.now() - since_).count()) * fill();
    return elapsed > Time{0} ? given / static_cast<double>(elapsed.count()) : fill();
  }
  void reset_statistics() {
    population_.reset(calendar_.now());
    measured_from_ = calendar_.now();
    // What is under way since `since_` is added with what follows.
    filled_ = -static_cast<double>((calendar_.now() - since_).count()) * fill();
  }
  /// Draws the population from now on.
  void trace(TraceTrack track, std::string_view name) { population_.trace(track, name); }

 private:
  struct Job {
    double ends = 0;  ///< When every job present has been given this much work since the beginning.
    std::uint64_t sequence = 0;
    Waiter waiter;
  };
  struct Later {
    bool operator()(const Job& a, const Job& b) const {
      return a.ends != b.ends ? a.ends > b.ends : a.sequence > b.sequence;
    }
  };

  [[nodiscard]] std::size_t present() const {
    return jobs_.size() + static_cast<std::size_t>(spinning_ + held_ + waiting_);
  }
  [[nodiscard]] double speed() const {
    if (present() <= speeds_.size()) return speeds_[present() - 1];
    if (held_ + waiting_ > 0) return speeds_.back() * share();
    return speeds_.back() * static_cast<double>(speeds_.size()) / static_cast<double>(present());
  }
  /// Of a server, that each job has. There must be one.
  [[nodiscard]] double share() const {
    if (present() <= speeds_.size()) return 1;
    return std::clamp(static_cast<double>(servers() - held_) / static_cast<double>(sharing()), 0.0, 1.0);
  }

  /// What all who are present get together, of the most that any number of them would.
  [[nodiscard]] double fill() const {
    if (present() >= speeds_.size()) return 1;
    if (present() == 0) return 0;
    const double most = speeds_.back() * static_cast<double>(speeds_.size());
    return std::min(1.0, speeds_[present() - 1] * static_cast<double>(present()) / most);
  }

  void submit(Time work, const Waiter& waiter) {
    advance();
    jobs_.push({given_ + static_cast<double>(work.count()), next_sequence_++, waiter});
    population_.add(calendar_.now(), 1);
    plan();
    tell();
  }
  void tell() const {
    if (watcher_ != nullptr) watcher_(watching_, 0);
  }
  /// Brings what was given up to now. Call before the number of jobs changes.
  void advance() {
    const Time now = calendar_.now();
    share_given_ = share_given();
    filled_ += static_cast<double>((now - since_).count()) * fill();
    if (!jobs_.empty()) given_ += static_cast<double>((now - since_).count()) * speed();
    since_ = now;
  }
  void plan() {
    if (planned_) calendar_.cancel(next_);
    planned_ = !jobs_.empty() && speed() > 0;
    if (!planned_) return;
    const double left = std::max(0.0, jobs_.top().ends - given_) / speed();
    next_ = calendar_.after<&ProcessorSharing::finish>(Time{static_cast<std::int64_t>(std::ceil(left))}, {}, *this);
  }
  void finish(std::uint64_t) {
    planned_ = false;
    advance();
    constexpr double rounding = 0.5;  // of a picosecond
    while (!jobs_.empty() && jobs_.top().ends <= given_ + rounding) {
      const Waiter waiter = jobs_.top().waiter;
      jobs_.pop();
      population_.add(calendar_.now(), -1);
      waiter.wake(calendar_);
    }
    plan();
    tell();
  }

  Calendar& calendar_;
  std::vector<double> speeds_;
  std::priority_queue<Job, std::vector<Job>, Later> jobs_;
  int spinning_ = 0;
  int held_ = 0;
  int waiting_ = 0;
  double given_ = 0;
  double share_given_ = 0;
  Time since_{0};
  EventId next_{};
  bool planned_ = false;
  std::uint64_t next_sequence_ = 0;
  TimeWeighted population_;
  double filled_ = 0;  ///< fill() x ps, up to `since_`.
  Time measured_from_{0};
  Handler watcher_ = nullptr;
  void* watching_ = nullptr;
};

}  // namespace doorbell::core
