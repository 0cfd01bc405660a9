// Processes: coroutines that live in simulated time.
#pragma once

#include "core/calendar.hpp"
#include "core/frame_pool.hpp"
#include "core/quantity.hpp"

#include <coroutine>
#include <exception>
#include <utility>

namespace doorbell::core {

namespace detail {

/// Membership of a started process in its calendar's list.
struct ProcessLink {
  ProcessLink* next = nullptr;
  ProcessLink** owner = nullptr;  ///< the pointer that points here; null while not started
  std::coroutine_handle<> coroutine;
  Calendar* calendar = nullptr;

  void enlist(ProcessLink*& head) {
    next = head;
    owner = &head;
    if (next != nullptr) next->owner = &next;
    head = this;
  }
  void delist() {
    if (owner == nullptr) return;
    *owner = next;
    if (next != nullptr) next->owner = owner;
    owner = nullptr;
  }
};

void destroy_processes(ProcessLink*& head);

}  // namespace detail

/// A coroutine that runs on its own once started:
///
///     Process client(Calendar& calendar, Server& server) {
///       co_await delay(calendar, 50_ns);
///       co_await server.use(10_ns);
///     }
///     start(calendar, client(calendar, server));
///
/// Arguments are copied into the frame; what is passed by reference must outlive the process. An exception that leaves
/// the body ends the process and, after the event that is running, propagates from Calendar::run. Frames are recycled.
/// A process still suspended when its calendar is destroyed or cleared is destroyed, with its local variables.
class [[nodiscard]] Process {
 public:
  struct promise_type : detail::PooledFrame, detail::ProcessLink {
    ~promise_type() { delist(); }
    Process get_return_object() { return Process{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    // Not rethrown from here, because compilers differ in whether the frame then is at its end.
    void unhandled_exception() noexcept { calendar->fail(std::current_exception()); }
  };

  Process(Process&& other) noexcept : coroutine_{std::exchange(other.coroutine_, nullptr)} {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (coroutine_) coroutine_.destroy();
  }

 private:
  friend void start(Calendar& calendar, Process process, Time when, Priority priority);

  explicit Process(std::coroutine_handle<promise_type> coroutine) : coroutine_{coroutine} {}

  std::coroutine_handle<promise_type> coroutine_;
};

/// Starts `process` by an event at `when`.
inline void start(Calendar& calendar, Process process, Time when, Priority priority = {}) {
  calendar.post_coroutine(when, priority, process.coroutine_);
  Process::promise_type& promise = process.coroutine_.promise();
  promise.coroutine = std::exchange(process.coroutine_, nullptr);
  promise.calendar = &calendar;
  promise.enlist(calendar.processes());
}
/// Starts `process` by an event at the current time.
inline void start(Calendar& calendar, Process process, Priority priority = {}) {
  start(calendar, std::move(process), calendar.now(), priority);
}

/// Awaitable of until() and delay().
struct [[nodiscard]] Pause {
  Calendar& calendar;
  Time when;
  Priority priority;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) const { calendar.post_coroutine(when, priority, coroutine); }
  void await_resume() const noexcept {}
};

/// co_await until(calendar, when): continues by an event at `when`, even if that is now.
inline Pause until(Calendar& calendar, Time when, Priority priority = {}) { return {calendar, when, priority}; }
/// co_await delay(calendar, time): continues by an event that much later, even if it is zero.
inline Pause delay(Calendar& calendar, Time time, Priority priority = {}) {
  return {calendar, calendar.now() + time, priority};
}

}  // namespace doorbell::core
