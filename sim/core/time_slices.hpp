// Loops that never sleep take turns on the processors, in slices of time, beside work that comes and goes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/processor_sharing.hpp"

namespace doorbell::core {

/// What a scheduler lets a thread do before another gets its processor.
struct SliceRules {
  Time latency{0};      ///< In which every thread is to run once. 0: no turns; loops share processors like work.
  Time granularity{0};  ///< The shortest slice.
  Time wakeup{0};       ///< A thread that wakes up takes the processor of one that has had so much more.
  Time tick{0};         ///< How often the scheduler looks whether a slice is over; above 0 where there are turns.
  Time change{0};       ///< From the end of one thread's slice until the next one runs.
};

/// Processor sharing in which loops have an identity: where more threads are present than processors, a loop runs for a
/// slice and then waits for its next turn, as in Linux's completely fair scheduler (CFS, kernel/sched/fair.c). All
/// processors have one queue, so that none idles while a loop waits. Work is still seen from above its slices: it
/// shares evenly what processors the loops leave, and enters the accounts as one thread that always runs.
class TimeSlices {
 public:
  /// A thread that never sleeps. It must stay where it is as long as the scheduler is used.
  class Loop {
   public:
    Loop() = default;
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    virtual ~Loop() = default;

    /// It has a processor, or works, whose time is accounted for as work.
    [[nodiscard]] bool runs() const { return state_ != State::waits; }
    /// When the change to it is over. It must run.
    [[nodiscard]] Time runs_from() const { return runs_from_; }

   private:
    friend class TimeSlices;
    enum class State : std::uint8_t { absent, spins, works, waits };

    /// It has got a processor, and runs from runs_from() on.
    virtual void turn_begins() = 0;

    State state_ = State::absent;
    double had_ = 0;  ///< Processor time up to `since_`, in ps; while it works, less what work had got then.
    Time since_{0};   ///< When it began to spin or to wait.
    Time turn_{0};    ///< Beginning of its turn.
    Time runs_from_{0};
  };

  /// `speeds`: as of ProcessorSharing; there are as many processors. Throws std::invalid_argument for turns without
  /// ticks.
  TimeSlices(Calendar& calendar, std::vector<double> speeds, const SliceRules& rules);
  TimeSlices(const TimeSlices&) = delete;
  TimeSlices& operator=(const TimeSlices&) = delete;

  /// co_await use(work): continues when the work is done.
  ProcessorSharing::Use use(Time work) { return sharing_.use(work); }
  /// A loop without identity begins (1) or goes away (-1): one that lasts for less than a slice.
  void spin(int change) { sharing_.spin(change); }

  /// `loop` is ready to run for ever.
  void begin(Loop& loop);
  /// It has found something, on which it works with use(). It must run.
  void work(Loop& loop);
  /// Its work is done, and it spins on.
  void resume(Loop& loop);

  /// Those that have begun.
  [[nodiscard]] std::size_t loops() const { return loops_.size(); }
  /// Changes of the thread that has a processor: to a loop, or from a loop whose slice is over to work. That a thread
  /// wakes up is not counted.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// Threads that want to run, over time.
  [[nodiscard]] const TimeWeighted& population() const { return sharing_.population(); }
  /// As of ProcessorSharing.
  [[nodiscard]] double given_of_most() const { return sharing_.given_of_most(); }
  void reset_statistics();
  void trace(TraceTrack track, std::string_view name) { sharing_.trace(track, name); }

 private:
  [[nodiscard]] bool takes_turns() const { return rules_.latency > Time{0}; }
  [[nodiscard]] int occupied() const { return sharing_.sharing() + spinning_; }
  [[nodiscard]] bool crowded() const { return occupied() + waiting_ > sharing_.servers(); }
  /// Processor time that work, as one thread, has had.
  [[nodiscard]] double work_had() const { return sharing_.share_given() + head_start_; }
  [[nodiscard]] double had(const Loop& loop) const;
  [[nodiscard]] Time slice() const;
  [[nodiscard]] Loop* most_served() const;
  [[nodiscard]] Loop* least_served() const;

  void changed(std::uint64_t);
  void settle(std::uint64_t);
  void tick(std::uint64_t);
  void end_turns();
  void give_waiting_their_turns();
  void start(Loop& loop);
  void stop(Loop& loop);

  Calendar& calendar_;
  SliceRules rules_;
  ProcessorSharing sharing_;
  std::vector<Loop*> loops_;
  int spinning_ = 0;
  int waiting_ = 0;
  int settled_ = 0;  ///< What was occupied when all was settled.
  double head_start_ = 0;
  bool was_crowded_ = false;
  bool settling_ = false;
  bool ticking_ = false;
  std::uint64_t changes_ = 0;
};

}  // namespace doorbell::core
