// Credits, tags, buffers: things that are taken and given back.
#pragma once

#include "core/calendar.hpp"
#include "core/signal.hpp"
#include "core/utilisation.hpp"

#include <coroutine>
#include <cstdint>
#include <stdexcept>

namespace doorbell::core {

/// A number of equal tokens. Those who wait get theirs strictly in order of arrival: a request for many tokens is not
/// overtaken by later ones for few. The number of free tokens never is negative and never exceeds the capacity.
class TokenPool {
 public:
  TokenPool(Calendar& calendar, std::int64_t capacity) : calendar_{calendar}, capacity_{capacity}, free_{capacity} {
    if (capacity < 0) throw std::invalid_argument("a token pool cannot have a negative capacity");
  }
  TokenPool(const TokenPool&) = delete;
  TokenPool& operator=(const TokenPool&) = delete;

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] std::int64_t free() const { return free_; }
  [[nodiscard]] bool has_waiters() const { return !waiting_.empty(); }
  /// Tokens in use, over time.
  [[nodiscard]] const TimeWeighted& in_use() const { return in_use_; }
  /// 1 while somebody waits for tokens, 0 otherwise.
  [[nodiscard]] const TimeWeighted& contended() const { return contended_; }
  /// Draws the tokens in use from now on.
  void trace(TraceTrack track, std::string_view name) { in_use_.trace(track, name); }
  void reset_statistics() {
    in_use_.reset(calendar_.now());
    contended_.reset(calendar_.now());
  }

  /// Takes tokens if nobody waits and there are enough. Throws std::invalid_argument if there never can be.
  [[nodiscard]] bool try_acquire(std::int64_t tokens = 1) {
    if (tokens < 0 || tokens > capacity_) throw std::invalid_argument("more tokens asked for than the pool has");
    if (!waiting_.empty() || free_ < tokens) return false;
    take(tokens);
    return true;
  }

  struct [[nodiscard]] Acquire {
    TokenPool& pool;
    Waiter waiter;

    [[nodiscard]] bool await_ready() const { return pool.try_acquire(static_cast<std::int64_t>(waiter.argument)); }
    void await_suspend(std::coroutine_handle<> coroutine) {
      waiter.object = coroutine.address();
      pool.wait(waiter);
    }
    void await_resume() const noexcept {}
  };

  /// co_await pool.acquire(tokens): continues with the tokens, without an event if it need not wait.
  Acquire acquire(std::int64_t tokens = 1, Priority priority = {}) {
    return {*this, {nullptr, nullptr, static_cast<std::uint64_t>(tokens), priority, nullptr}};
  }

  /// Gives tokens back and wakes those whose turn it is by events at this instant; their tokens are theirs at once.
  /// Throws std::logic_error if more are given back than were taken.
  void release(std::int64_t tokens = 1) {
    if (tokens < 0 || tokens > capacity_ - free_) throw std::logic_error("more tokens released than were taken");
    take(-tokens);
    if (waiting_.empty()) return;
    while (!waiting_.empty() && static_cast<std::int64_t>(waiting_.front().argument) <= free_) {
      const Waiter& waiter = waiting_.pop();
      take(static_cast<std::int64_t>(waiter.argument));
      waiter.wake(calendar_);
    }
    if (waiting_.empty()) contended_.set(calendar_.now(), 0);
  }

 private:
  void wait(Waiter& waiter) {
    if (waiting_.empty()) contended_.set(calendar_.now(), 1);
    waiting_.push(waiter);
  }
  void take(std::int64_t tokens) {
    free_ -= tokens;
    in_use_.add(calendar_.now(), tokens);
  }

  Calendar& calendar_;
  std::int64_t capacity_;
  std::int64_t free_;
  WaitList waiting_;
  TimeWeighted in_use_;
  TimeWeighted contended_;
};

}  // namespace doorbell::core
