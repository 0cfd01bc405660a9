// When a core without work polls, and when it sleeps.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"

namespace doorbell::model {

/// It polls for its patience from the moment when it has nothing to do, and sleeps then until it is woken.
class CoreSleep {
 public:
  void go_idle(Time now, Time patience) {
    idle_since_ = now;
    patience_ = patience;
  }
  [[nodiscard]] Time idle_since() const { return idle_since_; }
  /// Whether it sleeps at `when`, if nothing comes before.
  [[nodiscard]] bool sleeps_at(Time when) const { return when - idle_since_ > patience_; }

  /// The nap is over; the core begins to wake up.
  void end_nap(Time now) { slept_ += nap(now); }
  /// It goes on with its work.
  void wake(Time now) { woken_at_ = now; }
  [[nodiscard]] Time woken_at() const { return woken_at_; }

  /// Ends the warm-up, for what is counted.
  void measure(Time now) {
    measured_from_ = now;
    slept_ = Time{0};
  }
  /// Naps since then that are over ...
  [[nodiscard]] Time slept() const { return slept_; }
  /// ... and of one that is not, what has passed of it.
  [[nodiscard]] Time nap(Time now) const {
    return std::max(Time{0}, now - std::max(idle_since_ + patience_, measured_from_));
  }

 private:
  Time idle_since_{0};
  Time patience_ = Time::max();
  Time woken_at_{0};
  Time measured_from_{0};
  Time slept_{0};
};

}  // namespace doorbell::model
