// A completion queue and who serves it: polling threads, interrupt handlers, and what lies between.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "core/process.hpp"
#include "core/ring_queue.hpp"
#include "core/task.hpp"
#include "models/remote_memory/device_setup.hpp"
#include "models/remote_memory/host_cpu.hpp"

namespace doorbell::model {

/// What is done with completions; runs in the context of the handler.
class CompletionConsumer {
 public:
  virtual ~CompletionConsumer() = default;

  virtual core::Task<> consume(std::uint64_t completion) = 0;
  /// After a round of completions, before the handler looks again.
  virtual core::Task<> round_over() = 0;
};

/// Serves completions run-to-completion, in order, in one of the modes of Bae et al. 2021 (sections 4.2 and 5.2).
class CompletionQueue {
 public:
  CompletionQueue(core::Calendar& calendar, HostCpu& cpu, const DeviceSetup& setup, const CompletionHandling& handling,
                  CompletionConsumer& consumer)
      : calendar_{calendar},
        cpu_{cpu},
        handling_{handling},
        driver_{setup.software.driver},
        per_completion_{setup.host.cpu.poll_cqe},
        line_transfer_{setup.software.lock.transfer},
        user_{setup.access.space == AddressSpace::user},
        consumer_{consumer} {}

  void start();
  /// A CQE is written that can be seen from `visible` on, not before those pushed earlier.
  void push(Time visible, std::uint64_t completion);

  /// Mean time, since the warm-up ended, in which a handler of this queue could not take another completion: it was at
  /// work, or on the way to it after an interrupt.
  [[nodiscard]] Time busy() const { return busy_ / handlers(); }
  void measure() { busy_ = Time{0}; }

 private:
  struct Entry {
    Time visible{0};
    std::uint64_t completion = 0;
  };
  /// A thread that polls for ever, and sees nothing while another has its hardware thread.
  class Poller final : public core::TimeSlices::Loop {
   public:
    explicit Poller(CompletionQueue& queue) : queue_{queue} {}

    [[nodiscard]] bool looks() const { return runs() && runs_from() <= queue_.calendar_.now(); }

    /// Awaitable: until it looks, unless another takes its place before.
    struct Turn {
      Poller& poller;

      [[nodiscard]] bool await_ready() const { return poller.looks(); }
      void await_suspend(std::coroutine_handle<> handle);
      void await_resume() const {}
    };
    Turn turn() { return {*this}; }

   private:
    void turn_begins() override;

    CompletionQueue& queue_;
    std::coroutine_handle<> waiting_{};
  };
  /// A handler that waits for a completion, perhaps not for ever.
  struct Sleeper {
    CompletionQueue& queue;
    Time patience;
    const Poller* poller;  ///< Null if it is none.
    std::coroutine_handle<> coroutine;
    core::EventId timeout{};

    [[nodiscard]] bool await_ready() const { return queue.has_visible(); }
    void await_suspend(std::coroutine_handle<> handle);
    void await_resume() const {}
    void give_up(std::uint64_t);
    /// Can it see what comes now? Then from when on?
    [[nodiscard]] bool awake() const { return poller == nullptr || poller->runs(); }
    [[nodiscard]] Time awake_from() const { return poller == nullptr ? Time{0} : poller->runs_from(); }
  };

  core::Process poll(Poller& poller);
  core::Process serve();
  void wake_sleeper(Time visible);
  /// From a completion until its handler is about to poll.
  core::Task<> interrupt();
  core::Task<> take_rounds();
  core::Task<> work_off(int most);
  [[nodiscard]] bool has_visible() const { return !entries_.empty() && entries_.front().visible <= calendar_.now(); }
  [[nodiscard]] int handlers() const { return handlers_of_queue(handling_); }
  [[nodiscard]] bool polls_for_ever() const { return handling_.mode == CompletionMode::busy; }
  Sleeper arrival(Time patience, const Poller* poller = nullptr) { return {*this, patience, poller, nullptr, {}}; }

  core::Calendar& calendar_;
  HostCpu& cpu_;
  CompletionHandling handling_;
  DriverParameters driver_;
  Time per_completion_;
  Time line_transfer_;
  bool user_;
  CompletionConsumer& consumer_;
  std::deque<Entry> entries_;
  std::deque<Sleeper*> sleepers_;
  std::deque<Poller> pollers_;
  Time busy_{0};
};

/// Share of the measured time in which the handlers of the busiest of these queues had no time.
[[nodiscard]] double busiest_utilisation(const std::vector<std::unique_ptr<CompletionQueue>>& queues, Time measured);

}  // namespace doorbell::model
