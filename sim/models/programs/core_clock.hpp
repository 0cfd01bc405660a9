// The time of one core, as the thread on it accounts for it.
#pragma once

#include <algorithm>
#include <string_view>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/trace.hpp"
#include "models/machine/shared_line.hpp"
#include "models/programs/program_plan.hpp"

namespace doorbell::model {

/// Runs ahead of the calendar while the thread computes. What it costs is given as the time of a lone core; it takes
/// longer at the clock of a machine with many active cores, and varies as `variation` of its profile says.
class CoreClock {
 public:
  /// `random` is the thread's; all that the core does counts in `statistics`, too.
  CoreClock(core::RandomStream& random, ProgramStatistics& statistics) : random_{random}, statistics_{statistics} {}

  /// Time stands at `when`; `stretch`: what a lone core does in 1 takes this one as long.
  void begin(Time when, double stretch, double variation) {
    now_ = when;
    stretch_ = stretch;
    variation_ = variation;
  }
  /// Draws what the core does from now on.
  void trace(core::TraceTrack track) { track_ = track; }

  [[nodiscard]] Time now() const { return now_; }
  /// What `time` of a lone core takes here ...
  [[nodiscard]] Time longer(Time time) const { return stretched(time, stretch_); }
  /// ... and this time; `terms`: it is the sum of so many, which vary one by one.
  [[nodiscard]] Time varied(Time time) { return stretched(time, stretch_ * random_.around_one(variation_)); }
  [[nodiscard]] Time varied(Time time, int terms) {
    return stretched(time, stretch_ * random_.around_one(variation_, terms));
  }

  /// It waits until `when`, unless that has passed.
  void advance_to(Time when) { now_ = std::max(now_, when); }
  /// So much passes, without work.
  void pass(Time time) { now_ += time; }
  /// To account again for what has passed since.
  void go_back_to(Time when) { now_ = when; }

  /// Works for `time` of a lone core.
  void work(std::string_view what, Time time) { occupy(what, varied(time)); }
  /// Works for exactly so long.
  void occupy(std::string_view what, Time time) {
    track_.span(what, now_, now_ + time);
    now_ += time;
    statistics_.busy += time;
    busy_ += time;
  }
  /// Waits for a lock that others want, too, and holds it while it works for `time` of a lone core. It must stand at
  /// the calendar's time.
  void work_locked(SharedLine& lock, int core, std::string_view what, Time time) {
    const Time asked = now_;
    now_ = std::max(now_, lock.server().busy_until());
    track_.span("waits for a lock", asked, now_);
    occupy(what, lock.hold(asked, core, varied(time), what) - now_);
  }
  /// Waits until its writes have left, and does nothing else.
  void stall_until(Time when) {
    if (when <= now_) return;
    track_.span("waits for its writes", now_, when);
    statistics_.stalled += when - now_;
    stalled_ += when - now_;
    now_ = when;
  }
  /// Of what it has done since `begin`, a part takes as long however many requests a pass finds.
  void count_per_pass(Time begin, double part = 1) const { statistics_.per_pass += stretched(now_ - begin, part); }

  /// Ends the warm-up, for what is counted.
  void measure() { busy_ = stalled_ = Time{0}; }
  /// Work since then; polling for nothing is not work.
  [[nodiscard]] Time busy() const { return busy_; }
  /// For how long it has waited since then for its MMIO writes to leave.
  [[nodiscard]] Time stalled() const { return stalled_; }

 private:
  core::RandomStream& random_;
  ProgramStatistics& statistics_;
  core::TraceTrack track_;
  double stretch_ = 1;
  double variation_ = 0;
  Time now_{0};
  Time busy_{0};
  Time stalled_{0};
};

}  // namespace doorbell::model
