// Waiting for something to happen.
#pragma once

#include "core/calendar.hpp"

#include <coroutine>

namespace doorbell::core {

/// One who waits: a process or a callback. It is linked where it lies, so that waiting allocates nothing, and it must
/// stay there until it is notified or forgotten.
struct Waiter {
  Handler handler = nullptr;  ///< null: `object` is a coroutine frame
  void* object = nullptr;
  std::uint64_t argument = 0;
  Priority priority;
  Waiter* next = nullptr;

  /// Continues the waiter at once, inside the event that is running.
  void call() const {
    if (handler != nullptr) {
      handler(object, argument);
    } else {
      std::coroutine_handle<>::from_address(object).resume();
    }
  }
  /// Continues the waiter by an event at the current instant.
  void wake(Calendar& calendar) const {
    if (handler != nullptr) {
      calendar.at(calendar.now(), priority, handler, object, argument);
    } else {
      calendar.post_coroutine(calendar.now(), priority, std::coroutine_handle<>::from_address(object));
    }
  }
};

/// Waiters in order of arrival.
class WaitList {
 public:
  [[nodiscard]] bool empty() const { return first_ == nullptr; }

  void push(Waiter& waiter) {
    waiter.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &waiter;
    last_ = &waiter;
  }
  /// The list must not be empty.
  Waiter& pop() {
    Waiter& waiter = *first_;
    first_ = waiter.next;
    return waiter;
  }
  [[nodiscard]] Waiter& front() const { return *first_; }

 private:
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

/// Wakes those who wait for it, in order of arrival, by events at the current instant with each waiter's own priority.
/// It has no memory: a notification that nobody waits for is lost.
class Signal {
 public:
  explicit Signal(Calendar& calendar) : calendar_{calendar} {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  struct [[nodiscard]] Wait {
    Signal& signal;
    Waiter waiter;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
      waiter.object = coroutine.address();
      signal.waiting_.push(waiter);
    }
    void await_resume() const noexcept {}
  };

  /// co_await signal.wait(): continues after the next notification.
  Wait wait(Priority priority = {}) { return {*this, {nullptr, nullptr, 0, priority, nullptr}}; }

  void notify_one() {
    if (!waiting_.empty()) waiting_.pop().wake(calendar_);
  }
  void notify_all() {
    while (!waiting_.empty()) waiting_.pop().wake(calendar_);
  }
  [[nodiscard]] bool has_waiters() const { return !waiting_.empty(); }

 private:
  Calendar& calendar_;
  WaitList waiting_;
};

}  // namespace doorbell::core
