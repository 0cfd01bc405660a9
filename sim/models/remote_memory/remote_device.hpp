// A device whose blocks lie in the memory of other machines.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/latency_histogram.hpp"
#include "core/random.hpp"
#include "core/task.hpp"
#include "core/utilisation.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/endpoint.hpp"
#include "models/nic/operation_plan.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/remote_memory/completion_queue.hpp"
#include "models/remote_memory/data_access.hpp"
#include "models/remote_memory/device_setup.hpp"
#include "models/remote_memory/host_cpu.hpp"
#include "models/remote_memory/merge_queue.hpp"
#include "models/remote_memory/submitter.hpp"
#include "models/remote_memory/ticket_lock.hpp"
#include "models/storage/local_disk.hpp"

namespace doorbell::model {

/// Who uses the device.
class BlockClient {
 public:
  virtual ~BlockClient() = default;

  /// `request` is done; runs in the context of the completion handler.
  virtual core::Task<> finished(BlockRequest& request) = 0;
};

/// Copies or maps the data of requests, batches them, posts WQEs and completes requests (Bae et al. 2021, section 5).
class RemoteDevice final : public Endpoint, public CompletionConsumer {
 public:
  /// `cpu` runs the handlers of completions; `disk` tells the streams of several hosts' disks apart.
  RemoteDevice(core::Calendar& calendar, MessagePool& pool, const DeviceSetup& setup, HostCpu& cpu, Machine& client,
               std::vector<Machine*> servers, core::RandomStream disk);

  /// Daemons that answer two-sided requests, by peer.
  void set_daemons(std::vector<Endpoint*> daemons) { daemons_ = std::move(daemons); }
  /// Starts the completion handlers.
  void start();

  /// Sends requests of one kind on their way, as `by`; they live until they are finished. Those of one call are queued
  /// together, as the block layer does with what was plugged.
  core::Task<> submit(std::vector<BlockRequest*> requests, Submitter by);

  void deliver(Message& message) override;
  void transmitted(const Message& message, Time when) override;
  void completed(Message& message) override;
  void completion_written(QueuePair& queue_pair) override;
  core::Task<> consume(std::uint64_t completion) override;
  core::Task<> round_over() override;

  /// Work requests handed to the NIC.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  /// What holds blocks that no machine holds, and copies of others; null where nothing goes there.
  [[nodiscard]] const LocalDisk* disk() const { return disk_.get(); }
  /// Draws what is in flight, and what the disk does, from now on.
  void trace(core::TraceWriter& writer, std::string_view machine);
  [[nodiscard]] const core::TimeWeighted& operations_in_flight() const { return operations_in_flight_; }
  [[nodiscard]] const core::TimeWeighted& bytes_in_flight() const { return bytes_in_flight_; }
  /// Of the time for which bytes were in flight, the share for which they were done and not yet told to who asked.
  [[nodiscard]] double share_done(Time now) const;
  /// From posting a work request until it has been completed.
  [[nodiscard]] const core::LatencyHistogram& completion_time() const { return completion_time_; }
  /// How many machines a request to this place goes to.
  [[nodiscard]] int machines_for(bool write, std::int64_t offset) const {
    const int holders = static_cast<int>(holders_of(access_, peer_of(offset)).size());
    return write ? holders : std::min(holders, 1);
  }
  /// What a completion handler has to do for a request by itself, in one work request.
  [[nodiscard]] Time handling(bool write, Bytes size) const {
    return setup_.software.block.finish + (write ? Time{0} : data_.after_read(size));
  }
  /// Share of the time in which the busiest handler worked.
  [[nodiscard]] double handler_utilisation(Time measured) const;
  void measure();

 private:
  struct Channel {
    QueuePair pair;
    std::unique_ptr<TicketLock> lock;
    CompletionQueue* queue = nullptr;
  };
  /// A work request under way, to one peer or to the disk.
  struct Flight {
    WorkRequest work;
    Time posted{0};
    bool write = false;
    bool to_disk = false;
    Time done{0};  ///< When its completion can be seen.
  };
  using PlanKey = std::tuple<Verb, std::int64_t, bool>;

  void build_channels();
  void build_disk(core::RandomStream random);
  [[nodiscard]] int peer_of(std::int64_t offset) const {
    return static_cast<int>(offset / access_.stripe.count % access_.peers);
  }
  [[nodiscard]] bool queues() const { return access_.batching != Batching::single || access_.window.count > 0; }
  /// Who sends what has gathered: the submitter, and the hardware thread that chooses its queue pair.
  struct Sender {
    Submitter by;
    int thread = 0;
  };
  core::Task<> reach_merge_queue(bool write, int accesses, Submitter by);
  /// The direction, 1 for writes, of which requests go next; `own`: the one of which the caller may have added
  /// some. None if nothing waits that may go.
  [[nodiscard]] std::optional<std::size_t> next_direction(std::size_t own) const;
  core::Task<> drain(std::size_t own, Sender sender);
  core::Task<> send(std::vector<WorkRequest> list, Sender sender);
  core::Task<> post(std::vector<WorkRequest> list, int peer, Sender sender);
  void send_to_disk(WorkRequest work, bool write);
  [[nodiscard]] const OperationPlan& plan_of(Verb verb, Bytes payload, bool chained);
  [[nodiscard]] bool window_is_full() const;
  [[nodiscard]] bool take_next(bool write, std::vector<WorkRequest>& batch);
  void begin_flight(Bytes size);
  void push_completion(const Message& message);

  core::Calendar& calendar_;
  MessagePool& pool_;
  DeviceSetup setup_;
  const RemoteAccess& access_;
  DataAccess data_;
  HostCpu& cpu_;
  Machine& machine_;
  std::vector<Machine*> servers_;
  std::vector<Endpoint*> daemons_;
  std::map<PlanKey, OperationPlan> plans_;
  std::vector<std::unique_ptr<CompletionQueue>> completion_queues_;
  std::vector<std::unique_ptr<Channel>> channels_;  // by peer, then by queue pair
  std::array<MergeQueue, 2> merge_queues_;          // reads, writes
  std::array<core::FifoServer, 2> merge_lines_;     // whose cache lines pass from core to core
  std::unique_ptr<LocalDisk> disk_;
  std::unique_ptr<CompletionQueue> disk_completions_;
  std::unordered_map<std::uint64_t, Flight> flights_;
  std::uint64_t next_flight_ = 1;
  std::int64_t bytes_sent_ = 0;  // and not yet completed

  std::uint64_t reads_ = 0;
  std::uint64_t writes_ = 0;
  core::TimeWeighted operations_in_flight_;
  core::TimeWeighted bytes_in_flight_;
  Time measured_from_{0};
  double byte_seconds_done_ = 0;
  core::LatencyHistogram completion_time_;
};

}  // namespace doorbell::model
