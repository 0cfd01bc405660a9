// One port of a NIC in the lossless fabric: sends when the receiver has buffer, in order.
#pragma once

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "models/message.hpp"
#include "models/port.hpp"

namespace doorbell::model {

class RdmaNic;
class ProcessingUnit;

class NetworkPort {
 public:
  NetworkPort(core::Calendar& calendar, RdmaNic& nic, const PortParameters& parameters, Time switch_latency, int index,
              core::Priority priority);

  /// Sends `message` to `peer`, from `ready` on; calls come in order of `ready`.
  void send(Message& message, NetworkPort& peer, Time ready);
  /// Messages that wait because their receiver has no buffer.
  [[nodiscard]] std::size_t blocked() const { return pending_.size(); }
  /// Calls `unit` back when nothing is blocked any more.
  void park(ProcessingUnit& unit) { parked_.push(&unit); }
  /// Tells this port that `sender` may send to it. With one sender only, messages arrive in the order in which they
  /// are sent, and no event is needed to merge flows.
  void add_sender(const NetworkPort& sender);
  /// Returns buffer that a received message occupied.
  void release(Bytes bytes);

  [[nodiscard]] core::FifoServer& transmitter() { return transmitter_; }
  [[nodiscard]] core::FifoServer& receiver() { return receiver_; }
  [[nodiscard]] int index() const { return index_; }

 private:
  struct Pending {
    Message* message = nullptr;
    NetworkPort* peer = nullptr;
    Time ready{0};
  };
  [[nodiscard]] bool has_room(Bytes bytes) const { return buffer_ >= bytes || buffer_ == capacity_; }
  void launch(const Pending& item);
  void drain();
  void arrive(std::uint64_t message);
  void receive(Message& message, Time head);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  Time switch_latency_;
  int index_;
  core::Priority priority_;
  Bytes capacity_;
  Bytes buffer_;  // free receive buffer
  core::FifoServer transmitter_;
  core::FifoServer receiver_;
  const NetworkPort* only_sender_ = nullptr;
  bool merges_ = false;  // more than one sender
  core::RingQueue<Pending> pending_;
  core::RingQueue<NetworkPort*> senders_waiting_;
  core::RingQueue<ProcessingUnit*> parked_;
};

}  // namespace doorbell::model
