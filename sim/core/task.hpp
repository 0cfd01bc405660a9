// Sub-coroutines: parts of a process that have a result.
#pragma once

#include "core/frame_pool.hpp"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace doorbell::core {

template <class T = void> class Task;

namespace detail {

struct TaskPromiseBase : PooledFrame {
  struct Finish {
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    template <class Promise>
    [[nodiscard]] std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      TaskPromiseBase& promise = self.promise();
      promise.ended = true;
      return promise.caller_waits ? promise.caller : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

  std::coroutine_handle<> caller;
  std::exception_ptr error;
  bool ended = false;
  bool caller_waits = false;

  std::suspend_always initial_suspend() noexcept { return {}; }
  Finish final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};

template <class T> struct TaskPromise : TaskPromiseBase {
  std::optional<T> value;

  Task<T> get_return_object();
  template <class U> void return_value(U&& result) { value.emplace(std::forward<U>(result)); }
  T take() {
    if (error) std::rethrow_exception(error);
    return std::move(*value);
  }
};

template <> struct TaskPromise<void> : TaskPromiseBase {
  Task<void> get_return_object();
  void return_void() noexcept {}
  void take() const {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace detail

/// A coroutine awaited by another: `Time latency = co_await read_remote(...)`. It starts when awaited and its caller
/// continues when it ends, both without an event; its exceptions leave the co_await. Its frame is recycled.
template <class T> class [[nodiscard]] Task {
 public:
  using promise_type = detail::TaskPromise<T>;

  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_{coroutine} {}
  Task(Task&& other) noexcept : coroutine_{std::exchange(other.coroutine_, nullptr)} {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// A caller whose task ends at once goes on by itself: where compilers do not turn the transfer between coroutines
  /// into a jump (g++ without optimisation, or with the address sanitizer), a loop of such tasks would fill the stack.
  bool await_suspend(std::coroutine_handle<> caller) noexcept {
    auto& promise = coroutine_.promise();
    promise.caller = caller;
    coroutine_.resume();
    promise.caller_waits = !promise.ended;
    return promise.caller_waits;
  }
  T await_resume() { return coroutine_.promise().take(); }

 private:
  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

template <class T> Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>{std::coroutine_handle<TaskPromise<T>>::from_promise(*this)};
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>{std::coroutine_handle<TaskPromise<void>>::from_promise(*this)};
}

}  // namespace detail
}  // namespace doorbell::core
