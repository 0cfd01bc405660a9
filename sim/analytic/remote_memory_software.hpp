// CPU time that the software of a host with remote memory spends, and on what.
#pragma once

#include "analytic/bounds.hpp"
#include "analytic/device_traffic.hpp"
#include "models/remote_loads/remote_memory.hpp"
#include "models/remote_memory/data_access.hpp"

namespace doorbell::analytic {

/// Times at the clock of a lone thread, on average per operation of the load unless said otherwise. Batches are full
/// and polls find all they may take. `scenario` must outlive it.
class RemoteMemorySoftware {
 public:
  explicit RemoteMemorySoftware(const model::RemoteMemoryScenario& scenario);

  [[nodiscard]] const model::RemoteMemoryScenario& scenario() const { return scenario_; }
  [[nodiscard]] const DeviceTraffic& traffic() const { return traffic_; }

  /// The load's own: from an operation's begin to the device, and after the device.
  [[nodiscard]] Seconds of_load() const;
  /// From the device's entry until WQEs are posted.
  [[nodiscard]] Seconds posting() const;
  /// Completion handlers: taking completions, ending requests, waking who waits.
  [[nodiscard]] Seconds handling() const;
  /// Time from completions until their handlers' first instruction, in which these take no other and use no core.
  [[nodiscard]] Seconds until_handlers_run() const;
  /// Ending what the disk of the host has done, without its interrupts.
  [[nodiscard]] Seconds handling_disk() const;
  /// Daemons of the two-sided protocol.
  [[nodiscard]] Seconds answering() const;
  /// Holding locks of queue pairs.
  [[nodiscard]] Seconds locked() const;

  /// One request at the device, from its entry until the doorbell rings, without preparing the WQE.
  [[nodiscard]] Seconds entering(bool write, Bytes size) const;
  /// One request after its completion has been taken.
  [[nodiscard]] Seconds ending(bool write, Bytes size) const;
  /// Each further WQE of a batch: its data, its post or its part of a longer list, and what its handler does for it.
  [[nodiscard]] Seconds preparing(bool write, Bytes size) const { return Seconds{data_.before(size, write)}; }
  [[nodiscard]] Seconds posting_more(bool chained) const {
    return Seconds{per_wqe_ + (chained ? Time{0} : software_.lock.local + per_call_)};
  }
  [[nodiscard]] Seconds ending_more(bool write, Bytes size) const;
  /// For how long a handler polls, on average: since it was woken with a timer, otherwise since it last found
  /// something.
  [[nodiscard]] Seconds patience() const;
  /// Whether a handler that has found nothing since may still look for completions so much later: its times vary.
  [[nodiscard]] bool still_polls(Seconds later) const;
  /// A daemon between request and answer, without preparing the answer's WQE.
  [[nodiscard]] Seconds answering_one(Bytes size) const;
  /// From an interrupt until its handler polls.
  [[nodiscard]] Seconds interrupt() const;
  /// A post's own part in its verb path: the WQE and the doorbell.
  [[nodiscard]] Seconds posted_alone() const { return Seconds{per_call_ - software_.driver.post + per_wqe_}; }

  /// Requests of a file system's process that a record takes.
  [[nodiscard]] double user_file_requests() const;
  /// Whether requests pass the merge queue.
  [[nodiscard]] bool queues() const;
  [[nodiscard]] bool polls_for_ever() const { return access_.completion.mode == model::CompletionMode::busy; }
  /// The load has no threads: handlers post the next request.
  [[nodiscard]] bool handlers_post() const { return scenario_.block && scenario_.block->in_handler; }

  /// Whether a thread on a block device surely sleeps whenever its request is done.
  [[nodiscard]] bool threads_sleep() const;

  /// Completion handlers, or threads that poll.
  [[nodiscard]] int handlers() const;
  [[nodiscard]] int hardware_threads() const;
  /// How much longer everything takes when so many threads run, beside those that poll for ever.
  [[nodiscard]] double slowdown(int threads) const;

 private:
  [[nodiscard]] Seconds posting(const Requests& requests, bool write) const;
  [[nodiscard]] Seconds handling(const Requests& requests, bool write) const;
  [[nodiscard]] Seconds taking_completion(const model::CompletionHandling& handling) const;
  /// Of the handlers, at the least.
  [[nodiscard]] double interrupts_per_completion() const;

  const model::RemoteMemoryScenario& scenario_;
  const model::RemoteAccess& access_;
  const model::HostSoftware& software_;
  DeviceTraffic traffic_;
  model::DataAccess data_;
  Time per_call_{0};  ///< A posting call, without its WQEs.
  Time per_wqe_{0};
};

}  // namespace doorbell::analytic
