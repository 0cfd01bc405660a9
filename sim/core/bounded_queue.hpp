// A queue between processes, with room for a fixed number of items.
#pragma once

#include "core/calendar.hpp"
#include "core/signal.hpp"

#include <coroutine>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace doorbell::core {

/// Items leave in the order in which they were pushed, and processes are served in the order in which they came.
/// Memory is allocated at construction only. T must be movable.
template <class T> class BoundedQueue {
 public:
  BoundedQueue(Calendar& calendar, std::size_t capacity) : calendar_{calendar}, ring_(capacity) {
    if (capacity == 0) throw std::invalid_argument("a bounded queue needs room for at least one item");
  }
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  [[nodiscard]] std::size_t capacity() const { return ring_.size(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == ring_.size(); }

  /// Moves `item` in if there is room; otherwise leaves it alone and returns false.
  [[nodiscard]] bool try_push(T& item) {
    if (!poppers_.empty()) {
      Popper& popper = static_cast<Popper&>(poppers_.pop());
      popper.item.emplace(std::move(item));
      popper.wake(calendar_);
      return true;
    }
    if (full()) return false;
    append(std::move(item));
    return true;
  }
  [[nodiscard]] bool try_push(T&& item) { return try_push(item); }

  [[nodiscard]] std::optional<T> try_pop() {
    if (size_ == 0) return std::nullopt;
    std::optional<T> item = std::move(ring_[first_]);
    ring_[first_].reset();
    first_ = first_ + 1 == ring_.size() ? 0 : first_ + 1;
    --size_;
    if (!pushers_.empty()) {
      Pusher& pusher = static_cast<Pusher&>(pushers_.pop());
      append(std::move(*pusher.item));
      pusher.wake(calendar_);
    }
    return item;
  }

 private:
  struct Popper : Waiter {
    std::optional<T> item;
  };
  struct Pusher : Waiter {
    std::optional<T> item;
  };

 public:
  struct [[nodiscard]] Push {
    BoundedQueue& queue;
    Pusher pusher;

    [[nodiscard]] bool await_ready() { return queue.try_push(*pusher.item); }
    void await_suspend(std::coroutine_handle<> coroutine) {
      pusher.object = coroutine.address();
      queue.pushers_.push(pusher);
    }
    void await_resume() const noexcept {}
  };
  struct [[nodiscard]] Pop {
    BoundedQueue& queue;
    Popper popper;

    [[nodiscard]] bool await_ready() {
      popper.item = queue.try_pop();
      return popper.item.has_value();
    }
    void await_suspend(std::coroutine_handle<> coroutine) {
      popper.object = coroutine.address();
      queue.poppers_.push(popper);
    }
    T await_resume() { return std::move(*popper.item); }
  };

  /// co_await queue.push(item): continues once the item is in the queue, without an event if there is room.
  Push push(T item, Priority priority = {}) {
    return {*this, {{nullptr, nullptr, 0, priority, nullptr}, std::optional<T>{std::move(item)}}};
  }
  /// T item = co_await queue.pop(): continues once there is an item, without an event if there is one.
  Pop pop(Priority priority = {}) { return {*this, {{nullptr, nullptr, 0, priority, nullptr}, std::nullopt}}; }

 private:
  void append(T&& item) {
    const std::size_t position = first_ + size_;
    ring_[position < ring_.size() ? position : position - ring_.size()].emplace(std::move(item));
    ++size_;
  }

  Calendar& calendar_;
  std::vector<std::optional<T>> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  WaitList poppers_;
  WaitList pushers_;
};

}  // namespace doorbell::core
