// Several sub-coroutines at the same time, and waiting for all of them.
#pragma once

#include "core/calendar.hpp"
#include "core/process.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"

#include <utility>

namespace doorbell::core {

/// Counts what has been started and not ended. It must outlive what it started. What a task throws ends the calendar's
/// run, as with every process.
class Join {
 public:
  explicit Join(Calendar& calendar) : calendar_{calendar}, ended_{calendar} {}
  Join(const Join&) = delete;
  Join& operator=(const Join&) = delete;

  /// Starts the task by an event at the current instant.
  void start(Task<> task) {
    ++running_;
    core::start(calendar_, run(*this, std::move(task)));
  }
  [[nodiscard]] int running() const { return running_; }
  /// co_await join.all(): continues when nothing that was started runs any more.
  Task<> all() {
    while (running_ > 0) co_await ended_.wait();
  }

 private:
  static Process run(Join& join, Task<> task) {
    try {
      co_await task;
    } catch (...) {
      join.one_ended();
      throw;
    }
    join.one_ended();
  }
  void one_ended() {
    if (--running_ == 0) ended_.notify_all();
  }

  Calendar& calendar_;
  Signal ended_;
  int running_ = 0;
};

}  // namespace doorbell::core
