// The NIC as a whole: processing units feed one outbound pipeline; one inbound pipeline serves all ports.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/multi_server.hpp"
#include "models/fabric/fabric.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/memory/table_cache.hpp"
#include "models/nic/atomic_unit.hpp"
#include "models/nic/message.hpp"
#include "models/nic/mmio_buffer.hpp"
#include "models/nic/network_port.hpp"
#include "models/nic/processing_unit.hpp"
#include "models/nic/read_states.hpp"
#include "models/nic/receive_pipeline.hpp"
#include "models/nic/receiver_not_ready.hpp"
#include "models/nic/recv_prefetch.hpp"
#include "models/nic/request_payloads.hpp"
#include "models/nic/response_payloads.hpp"
#include "models/nic/wqe_cache.hpp"
#include "models/nic/wqe_reads.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model {

class RdmaNic {
 public:
  /// `rank` and the ranks after it, up to `ranks`, order the NIC's events among those of the same instant.
  RdmaNic(core::Calendar& calendar, const HardwareProfile& profile, const Fabric& fabric, MessagePool& pool,
          std::uint32_t rank);
  static constexpr std::uint32_t ranks = 8;

  /// The processing unit that serves a queue pair: queue pairs are dealt out in order of creation.
  [[nodiscard]] ProcessingUnit& unit_of(std::uint32_t queue_pair);

  // From processing units and the atomic unit.
  /// Takes a processed WQE. Returns when the unit may go on, or nothing: then it is resumed later.
  [[nodiscard]] std::optional<Time> transmit(Message& message, ProcessingUnit& unit);
  /// When a unit may go on after a request that takes `service` of the outbound pipeline, for all that pipeline and
  /// wire have to do.
  [[nodiscard]] Time room_after(Time service, NetworkPort& port);
  /// Sends the response of a READ or an atomic, or an ACK, in its turn.
  void respond(Message& message);
  /// Sends `message` now: through the outbound pipeline to the port of its queue pair.
  void send(Message& message);
  /// The port at which `message` leaves or has come.
  [[nodiscard]] NetworkPort& port_of(const Message& message);
  /// The port to which port `number` of another NIC leads.
  [[nodiscard]] std::uint8_t facing(int number) const {
    return static_cast<std::uint8_t>(facing_port(static_cast<std::size_t>(number), ports_.size()));
  }

  // From ports.
  /// `message` leaves completely at `when`.
  void sent(Message& message, Time when);
  /// Whether something changes in the NIC when `message` arrives, so that it must be told then.
  [[nodiscard]] bool notices_arrival(const Message& message) const {
    return message.plan->is_read() || contexts_ || translations_;
  }
  /// Another message will be the next one of `port`.
  void expect(const NetworkPort& port) { receive_pipeline_.expect(static_cast<std::size_t>(port.index())); }
  /// `message` is complete at `when`; it occupies the buffer of its port until the host has it.
  void received(Message& message, Time when);

  // From the receive pipeline.
  /// When the next message of `port`, whose arrival need not be noticed, is ready; Time::max() if there is none.
  [[nodiscard]] Time next_ready(std::size_t port) const {
    const Time complete = ports_[port]->next_complete();
    return complete == Time::max() ? complete : complete + profile_->nic.latency;
  }
  /// What `message` takes of the pipeline.
  [[nodiscard]] Time receive_service(const Message& message) const;
  /// False: the pipeline stands still until it is resumed.
  [[nodiscard]] bool deliver(Message& message);

  // From the atomic unit.
  void resume_receiving(bool worked) { receive_pipeline_.resume(worked); }

  /// From now on contexts of queue pairs are displaced by each other. Without this call all are in the NIC.
  void limit_contexts(std::uint64_t seed, std::string_view name);
  /// From now on translations of the pages of this machine's regions are displaced by each other.
  void limit_translations(std::uint64_t seed, std::string_view name);
  /// When the context of `queue_pair` is in the NIC for work that comes at `when`.
  [[nodiscard]] Time context_ready(const QueuePair& queue_pair, Time when) {
    return contexts_ ? looked_up(*contexts_, reinterpret_cast<std::uintptr_t>(&queue_pair), when, fetch_of_context_)
                     : when;
  }
  /// Nothing where all contexts fit.
  [[nodiscard]] const std::optional<TableCache>& contexts() const { return contexts_; }
  /// Nothing where all translations fit.
  [[nodiscard]] const std::optional<TableCache>& translations() const { return translations_; }
  /// Reads of contexts and translations.
  [[nodiscard]] const core::MultiServer& state_fetches() const { return state_fetches_; }
  [[nodiscard]] ReadStates& read_states() { return read_states_; }

  [[nodiscard]] HostDma& dma() { return dma_; }
  /// Share of the measured time in which processing units waited because `tx_queue` payloads were being read.
  [[nodiscard]] double transmit_queue_full(Time now) const { return requests_.full(now); }
  [[nodiscard]] MmioBuffer& mmio_buffer() { return mmio_buffer_; }
  [[nodiscard]] WqeCache& wqe_cache() { return wqe_cache_; }
  [[nodiscard]] WqeReads& wqe_reads() { return wqe_reads_; }
  [[nodiscard]] core::FifoServer& transmit_pipeline() { return transmit_pipeline_; }
  [[nodiscard]] core::FifoServer& receive_pipeline() { return receive_pipeline_.server(); }
  /// Reads of WQEs that had been displaced.
  [[nodiscard]] std::uint64_t displaced_reads() const { return displaced_reads_; }
  /// Time that the outbound pipeline spent on them.
  [[nodiscard]] Time displaced_time() const {
    return profile_->nic.tx_displaced * static_cast<std::int64_t>(displaced_reads_);
  }
  [[nodiscard]] AtomicUnit& atomics() { return atomics_; }
  [[nodiscard]] std::vector<ProcessingUnit>& units() { return units_; }
  [[nodiscard]] std::vector<std::unique_ptr<NetworkPort>>& ports() { return ports_; }
  /// Messages that may wait for a port before processing units stop.
  [[nodiscard]] std::size_t transmit_queue() const { return static_cast<std::size_t>(profile_->nic.tx_queue); }
  [[nodiscard]] Time latency() const { return profile_->nic.latency; }
  /// Most WQEs of several lists that one fetch brings.
  [[nodiscard]] int max_fetch() const { return profile_->nic.max_fetch; }
  /// Of WQEs by MMIO that found no room.
  [[nodiscard]] Bytes longest_read_ahead() const {
    return std::max(profile_->nic.wqe_fetch_unit, profile_->nic.wqe_read_ahead);
  }
  /// READs and atomics of a queue pair that leads to `responder`.
  [[nodiscard]] int most_in_flight_to(const RdmaNic& responder) const {
    return most_in_flight(profile_->nic, responder.profile_->nic);
  }
  [[nodiscard]] int read_growth() const { return profile_->nic.read_growth; }
  [[nodiscard]] Time turnaround() const { return profile_->nic.turnaround; }
  /// Reads a WQE that has been displaced; what is read takes one place of the WQE cache and displaces another, and it
  /// passes the outbound pipeline.
  void read_displaced(const DmaReadCost& cost, Continuation done);
  /// Nothing else leaves for so long, after what waits for the outbound pipeline already.
  void hold_back(Time time) { static_cast<void>(transmit_pipeline_.reserve(calendar_.now(), time, "atomic")); }
  void measure(Time from, Time until);
  /// Draws what its parts do from now on.
  void trace(core::TraceWriter& writer, std::string_view machine);

 private:
  [[nodiscard]] bool deliver_request(Message& message);
  void write_request(Message& message);
  void recvs_arrived(std::uint64_t);
  /// The context of a message that did not find it is there.
  void context_read(std::uint64_t message);
  void deliver_reply(Message& message);
  [[nodiscard]] Time write_returned(Message& message);
  void finish_reply(Message& message);
  /// Tells the requester at `visible`, or with the CQE of a signaled one, that it is done.
  void finish(Message& message, Time visible);
  void finish_replies(Message& message);
  void free_buffer(Message& message, Time when);
  void local_completion(std::uint64_t message);
  /// Writes a CQE. Returns when a core can see it.
  Time complete(QueuePair& queue_pair, std::uint64_t wqe, const WriteCost& cqe);
  /// When the entry of a table is there for work that comes at `when`; `read` is what a fetch takes of the link.
  [[nodiscard]] Time looked_up(TableCache& table, std::uint64_t key, Time when, const DmaReadCost& read);
  void fetch_state(const DmaReadCost& read);
  [[nodiscard]] Time delay_of_fetch(Time when);
  [[nodiscard]] Time translated(const Message& message, Time when);
  [[nodiscard]] Time read_state_ready(const Message& response, Time when);

  core::Calendar& calendar_;
  const HardwareProfile* profile_;
  MessagePool& pool_;
  core::Priority priority_;
  HostDma dma_;
  MmioBuffer mmio_buffer_;
  WqeCache wqe_cache_;
  WqeReads wqe_reads_;
  std::uint64_t displaced_reads_ = 0;
  core::MultiServer state_fetches_;
  DmaReadCost fetch_of_context_;
  ReadStates read_states_;
  std::optional<TableCache> contexts_;
  std::optional<TableCache> translations_;
  AtomicUnit atomics_;
  core::FifoServer transmit_pipeline_;
  ReceivePipeline receive_pipeline_;
  std::vector<ProcessingUnit> units_;
  std::vector<std::unique_ptr<NetworkPort>> ports_;
  RecvPrefetch recvs_;
  Message* waits_for_recv_ = nullptr;  // and holds up the receive pipeline
  ReceiverNotReady not_ready_;
  RequestPayloads requests_;
  std::vector<ResponsePayloads> responses_;  // by port
};

}  // namespace doorbell::model
