// How busy something was, and how much of it was in use, on average over time.
#pragma once

#include "core/quantity.hpp"
#include "core/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace doorbell::core {

/// Sum of busy intervals within a measurement window. Intervals may be reported before they happen.
class BusyMeter {
 public:
  /// Counts from now on only what lies within [from, until). What earlier intervals extend past `from` is kept as long
  /// as the last of them is contiguous up to its end, as in a FIFO server that is busy at `from`; to be exact in all
  /// cases call it before anything is reserved past `from`.
  void measure(Time from, Time until = Time::max()) {
    busy_ = std::max(Time{0}, std::min(last_end_, until) - std::max(from, last_begin_));
    from_ = from;
    until_ = until;
  }

  /// Adds a busy interval; it must not begin before the last one ended.
  void add(Time begin, Time end) {
    // Without a branch: whether the server has been idle cannot be predicted.
    last_begin_ = begin == last_end_ ? last_begin_ : begin;
    last_end_ = end;
    if (begin >= from_ && end <= until_) [[likely]] {
      busy_ += end - begin;
      return;
    }
    const Time counted = std::min(end, until_) - std::max(begin, from_);
    if (counted > Time{0}) busy_ += counted;
  }

  /// Busy time within the window, up to `now`; exact if `now` is not before the beginning of the last busy period.
  [[nodiscard]] Time busy(Time now) const {
    const Time ahead = std::min(last_end_, until_) - std::max({now, last_begin_, from_});
    return std::max(Time{0}, busy_ - std::max(Time{0}, ahead));
  }

  /// busy() as a fraction of the window up to `now`; 0 for an empty window.
  [[nodiscard]] double utilisation(Time now) const {
    const Time elapsed = std::min(now, until_) - from_;
    return elapsed > Time{0} ? to_seconds(busy(now)) / to_seconds(elapsed) : 0.0;
  }

 private:
  Time from_{0};
  Time until_ = Time::max();
  Time busy_{0};
  Time last_begin_{0};  ///< of the last contiguous busy period
  Time last_end_{0};
};

/// Time-weighted average of an integer level, such as a queue length or the number of servers in use.
class TimeWeighted {
 public:
  [[nodiscard]] std::int64_t level() const { return level_; }
  [[nodiscard]] std::int64_t maximum() const { return maximum_; }

  /// The level is `level` from `now` on; `now` must not decrease from call to call.
  void set(Time now, std::int64_t level) {
    advance(now);
    level_ = level;
    track_.counter(name_, now, level);
    maximum_ = std::max(maximum_, level);
  }
  void add(Time now, std::int64_t change) { set(now, level_ + change); }

  /// Forgets the past, as at the end of the warm-up; the level stays.
  void reset(Time now) {
    from_ = now;
    since_ = now;
    area_ = 0;
    maximum_ = level_;
  }

  /// Draws every change from now on as a counter. `name` must outlive this.
  void trace(TraceTrack track, std::string_view name) {
    track_ = track;
    name_ = name;
  }

  /// Mean level since the last reset; the present level if no time has passed.
  [[nodiscard]] double mean(Time now) const {
    const Time elapsed = now - from_;
    if (elapsed <= Time{0}) return static_cast<double>(level_);
    return (area_ + weight(now)) / static_cast<double>(elapsed.count());
  }

 private:
  [[nodiscard]] double weight(Time now) const {
    return static_cast<double>(level_) * static_cast<double>((now - since_).count());
  }
  void advance(Time now) {
    area_ += weight(now);
    since_ = now;
  }

  Time from_{0};
  Time since_{0};
  std::int64_t level_ = 0;
  std::int64_t maximum_ = 0;
  double area_ = 0;  ///< level x ps; a double, since an integer of 64 bits overflows within seconds at high levels
  TraceTrack track_;
  std::string_view name_;
};

}  // namespace doorbell::core
