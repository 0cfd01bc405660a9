// A spin lock that threads of a kernel take in the order in which they ask for it.
#pragma once

#include "core/process.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"
#include "models/remote_memory/submitter.hpp"

namespace doorbell::model {

struct LockParameters {
  Time local{0};
  Time transfer{0};
};
template <class V> void describe(V& v, LockParameters& s) {
  v.field("local", s.local, {.doc = "CPU time to take a free lock.", .max = 1e-5});
  v.field("transfer", s.transfer,
          {.doc = "Passing a cache line to another core. A release is seen by all who spin, so that handing over takes "
                  "half of this for each of them, and half once more.",
           .max = 1e-5});
}

/// Ticket spin lock (Boyd-Wickizer et al. 2012, "Non-scalable locks are dangerous", section 3): waiting occupies a
/// hardware thread, and a hand-over takes the longer the more threads wait.
class TicketLock {
 public:
  TicketLock(core::Calendar& calendar, const LockParameters& parameters)
      : calendar_{calendar}, parameters_{parameters}, turn_{calendar} {}

  /// co_await lock.acquire(by): continues as its holder.
  core::Task<> acquire(Submitter by) {
    if (!held_) {
      held_ = true;
      co_await by.work(parameters_.local);
      co_return;
    }
    ++waiting_;
    by.spin(1);
    co_await turn_.wait();
    co_await core::delay(calendar_, parameters_.transfer * (waiting_ + 1) / 2);
    by.spin(-1);
    --waiting_;
  }
  void release() {
    if (turn_.has_waiters()) {
      turn_.notify_one();
    } else {
      held_ = false;
    }
  }

 private:
  core::Calendar& calendar_;
  LockParameters parameters_;
  core::Signal turn_;
  bool held_ = false;
  int waiting_ = 0;
};

}  // namespace doorbell::model
