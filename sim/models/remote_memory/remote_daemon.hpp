// A process that serves requests to its machine's memory, where these are not one-sided.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "core/process.hpp"
#include "core/task.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/endpoint.hpp"
#include "models/nic/operation_plan.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/remote_memory/completion_queue.hpp"
#include "models/remote_memory/device_setup.hpp"
#include "models/remote_memory/host_cpu.hpp"

namespace doorbell::model {

/// Threads, each of which serves some of the queue pairs: they take requests as the device takes completions, copy
/// their data and answer on the queue pair of the request.
class RemoteDaemon final : public Endpoint, public CompletionConsumer {
 public:
  /// `setup`: of the client's device. `channels`: queue pairs of the client, of which those to this daemon answer.
  /// `pinned`: hardware threads that programs keep to themselves.
  RemoteDaemon(core::Calendar& calendar, MessagePool& pool, const DeviceSetup& setup, Machine& machine,
               Machine& client_machine, Endpoint& client, std::size_t channels, std::uint64_t seed, int number,
               int pinned);

  void start();
  [[nodiscard]] HostCpu& cpu() { return cpu_; }
  /// Ends the warm-up.
  void measure();
  /// Share of the time in which its busiest thread had no time for another request.
  [[nodiscard]] double thread_utilisation(Time measured) const;

  void deliver(Message& message) override;
  void transmitted(const Message& message, Time when) override;
  void completed(Message& message) override;
  void completion_written(QueuePair& queue_pair) override;
  core::Task<> consume(std::uint64_t completion) override;
  core::Task<> round_over() override;

 private:
  [[nodiscard]] const OperationPlan& plan_of(Bytes payload);
  void answer(Message& request, const OperationPlan& plan);
  core::Process answer_later(Message& request, const OperationPlan& plan);

  core::Calendar& calendar_;
  MessagePool& pool_;
  DeviceSetup setup_;
  Machine& client_machine_;
  Endpoint& client_;
  HostCpu cpu_;
  std::vector<std::unique_ptr<CompletionQueue>> threads_;
  std::map<std::int64_t, OperationPlan> plans_;
  std::vector<std::unique_ptr<QueuePair>> queue_pairs_;  // by the client's channel
};

}  // namespace doorbell::model
