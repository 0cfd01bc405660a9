// Where threads find CQEs, and what they do while there is none: poll, or sleep until an interrupt.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/hardware/cpu.hpp"
#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {

/// `busy`: polls for ever. `event`: finds nothing, arms the queue and sleeps. `adaptive`: sleeps when `max_retry` polls
/// in a row have found nothing (Bae et al. 2021, section 5.2). `timer`: sleeps when `timer` has passed since it was
/// woken and there is nothing.
enum class WaitMode { busy, event, adaptive, timer };
template <> struct EnumNames<WaitMode> {
  static constexpr std::array<std::string_view, 4> values{"busy", "event", "adaptive", "timer"};
};

struct CompletionWait {
  WaitMode mode = WaitMode::busy;
  int max_retry = 4;
  int shared_queues = 0;
  Time timer = std::chrono::microseconds{10};
};
template <class V> void describe(V& v, CompletionWait& s) {
  v.optional(
      "mode", s.mode,
      {.doc = "busy: polls for ever; event: sleeps until an interrupt; adaptive: sleeps when max_retry polls in a "
              "row have found nothing; timer: sleeps when timer has passed since the interrupt and it finds nothing."});
  v.optional("max_retry", s.max_retry,
             {.doc = "adaptive: polls in a row that find nothing before the thread sleeps.", .min = 0, .max = 1e9});
  v.optional("timer", s.timer, {.doc = "timer: how long a thread polls at least after an interrupt.", .max = 1});
  v.optional("shared_queues", s.shared_queues,
             {.doc = "Completion queues that the threads of a machine share for what they collect, with a shared "
                     "receive queue (SRQ) each, under locks; 0: each thread has its own.",
              .max = 4096});
}

/// For how long a thread polls before it sleeps, with a timer since it was woken; Time::max() when it never does.
[[nodiscard]] inline Time patience(const CompletionWait& wait, const CpuParameters& cpu) {
  switch (wait.mode) {
    case WaitMode::event: return Time{0};
    case WaitMode::adaptive: return cpu.poll_empty * wait.max_retry;
    case WaitMode::timer: return wait.timer;
    case WaitMode::busy: break;
  }
  return Time::max();
}

/// From a CQE that finds its thread asleep until that runs: first nothing but delay, then CPU time.
struct WakeUp {
  Time delay{0};
  Time work{0};
};
[[nodiscard]] inline WakeUp wake_up(const DriverParameters& driver) {
  return {driver.interrupt_latency, driver.interrupt + time_to_wake(driver)};
}

}  // namespace doorbell::model
