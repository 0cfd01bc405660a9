// The event calendar: what happens next, and when.
#pragma once

#include "core/event.hpp"
#include "core/near_heap.hpp"
#include "core/quantity.hpp"
#include "core/wheel.hpp"

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

namespace doorbell::core {

namespace detail {
struct ProcessLink;
}

/// A single-threaded discrete-event calendar. Several may live in one process, one thread each.
///
/// Events run in the total order (time, priority rank, insertion): the result depends on nothing else, neither on
/// addresses nor on how the calendar stores them. An event scheduled for the current instant runs in this instant,
/// after those already scheduled for it with the same rank.
///
/// A dozen pending events lie in a small heap; more lie in a wheel of buckets, of which the current one is a sorted
/// list. No memory is allocated per event once the number of pending events has reached its maximum.
class Calendar {
 public:
  Calendar();
  ~Calendar();
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  /// Current simulated time; 0 at first.
  [[nodiscard]] Time now() const { return Time{static_cast<std::int64_t>(now_)}; }

  /// Calls handler(object, argument) at `when`. `handler` must not be null.
  /// Throws std::logic_error if `when` lies in the past.
  EventId at(Time when, Priority priority, Handler handler, void* object, std::uint64_t argument = 0) {
    return schedule(when, priority, handler, object, argument);
  }
  /// The same, `delay` from now.
  EventId after(Time delay, Priority priority, Handler handler, void* object, std::uint64_t argument = 0) {
    return schedule(now() + delay, priority, handler, object, argument);
  }

  /// Calls (object.*Member)(argument) at `when`: calendar.at<&Nic::doorbell_arrives>(when, priority, nic, value).
  template <auto Member, class T> EventId at(Time when, Priority priority, T& object, std::uint64_t argument = 0) {
    return schedule(when, priority, &call_member<Member, T>, &object, argument);
  }
  template <auto Member, class T> EventId after(Time delay, Priority priority, T& object, std::uint64_t argument = 0) {
    return schedule(now() + delay, priority, &call_member<Member, T>, &object, argument);
  }

  /// Resumes `coroutine` at `when`, directly from the event loop.
  EventId post_coroutine(Time when, Priority priority, std::coroutine_handle<> coroutine) {
    return schedule(when, priority, nullptr, coroutine.address(), 0);
  }

  /// Cancels a pending event in O(1). Returns false if it has run, was cancelled, or never existed.
  bool cancel(EventId id);

  /// Runs the next event. Returns false if there is none.
  bool step();
  /// Runs all events due at or before `end`, then sets the time to `end` (unless stopped, or already later).
  void run_until(Time end);
  /// Runs until no event is left or stop() is called.
  void run();
  /// Makes run() or run_until() return after the event that is running now.
  void stop() { stopped_ = true; }

  /// Stops, and makes the running run(), run_until() or step() throw `failure`: the way out for a process.
  void fail(std::exception_ptr failure) noexcept {
    if (failure_ == nullptr) failure_ = std::move(failure);
    stopped_ = true;
  }

  /// Events run so far; cancelled ones do not count.
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  /// Events scheduled and neither run nor cancelled.
  [[nodiscard]] std::size_t pending() const {
    return static_cast<std::size_t>(next_sequence_ - executed_ - withdrawn_);
  }

  /// Destroys suspended processes and forgets all events. The destructor does so, too; call it earlier if a local
  /// variable of a process refers, in its own destructor, to something that dies before the calendar. Signals, pools,
  /// queues and servers still list the processes that waited at them: do not use those any more.
  void clear();

  /// Processes started in this calendar and not finished; for process.hpp.
  [[nodiscard]] detail::ProcessLink*& processes() { return processes_; }

 private:
  template <auto Member, class T> static void call_member(void* object, std::uint64_t argument) {
    (static_cast<T*>(object)->*Member)(argument);
  }

  EventId schedule(Time when, Priority priority, Handler handler, void* object, std::uint64_t argument) {
    // Signed, since a negative time would become a huge unsigned one.
    if (when.count() < static_cast<std::int64_t>(now_)) [[unlikely]]
      throw_past(when);
    const std::uint32_t slot = pool_.allocate();
    const std::uint64_t sequence = next_sequence_++;
    detail::PendingEvent& event = pool_[slot];
    event.time = static_cast<std::uint64_t>(when.count());
    event.sequence = sequence;
    event.handler = handler;
    event.object = object;
    event.argument = argument;
    event.rank = priority.rank;
    if (event.time >= near_end_ && wheel_.is_near(event.time)) [[likely]] {
      wheel_.insert_near(slot, event);
    } else {
      insert(slot, event);
    }
    return {sequence, slot};
  }

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};
  static constexpr std::size_t max_small = 12;  ///< with more pending events the wheel is faster than the heap
  static constexpr std::size_t min_wheel = 4;   ///< with fewer it no longer is; apart, so that it does not flutter

  [[noreturn]] void throw_past(Time when) const;
  void insert(std::uint32_t slot, const detail::PendingEvent& event);
  [[nodiscard]] std::uint32_t in_order(std::uint32_t one, std::uint32_t other);
  [[nodiscard]] std::uint32_t next();
  [[nodiscard]] bool refill(std::uint32_t bucket);
  void keep(std::uint32_t bucket);
  void execute(std::uint32_t slot);
  void leave_heap();
  void tune();
  void reconfigure(unsigned shift, unsigned bits);
  void purge();
  void rethrow();
  void push(std::uint32_t slot) {
    const detail::PendingEvent& event = pool_[slot];
    near_.push({event.time, event.sequence, event.rank, slot});
  }

  std::uint64_t now_ = 0;
  std::uint64_t near_end_ = unbounded;  ///< events due before this time are not in the wheel
  std::uint64_t next_sequence_ = 0;
  std::uint64_t executed_ = 0;
  std::uint32_t ready_ = detail::no_slot;  ///< the bucket taken last, a sorted list; `near_` has what came later
  bool stopped_ = false;
  detail::EventPool pool_;
  detail::NearHeap near_;
  detail::Wheel wheel_;
  std::uint64_t withdrawn_ = 0;    ///< events cancelled or forgotten, ever
  std::size_t cancelled_ = 0;      ///< events cancelled and still stored
  std::uint64_t next_tuning_ = 0;  ///< value of executed_
  std::uint64_t tuned_at_ = 0;     ///< value of executed_ at the last tuning
  std::uint64_t tuned_time_ = 0;   ///< and of the time then
  detail::ProcessLink* processes_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace doorbell::core
