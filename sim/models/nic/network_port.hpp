// One port of a NIC in the lossless fabric: sends when the receiver has buffer, in order.
#pragma once

#include <array>
#include <cstddef>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/common/continuation.hpp"
#include "models/hardware/port.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;
class ProcessingUnit;

class NetworkPort {
 public:
  NetworkPort(core::Calendar& calendar, RdmaNic& nic, const PortParameters& parameters, Time switch_latency, int index,
              core::Priority arrival_priority, core::Priority return_priority);

  /// Sends `message` to `peer`, from `ready` on; calls come in order of `ready`.
  void send(Message& message, NetworkPort& peer, Time ready);
  /// What the NIC asks for, and what it answers. They take turns: for each message of one side that waits, one of the
  /// other may wait as well, so that neither keeps the other from the wire.
  enum class Side { requests, replies };
  /// Whether processing units may hand over more requests: few wait because their receiver has no buffer.
  [[nodiscard]] bool has_place() const { return has_place(Side::requests); }
  /// Calls `unit` back when there is a place.
  void park(ProcessingUnit& unit);
  /// When another message of this side may be handed over, for all that the wire has to do.
  [[nodiscard]] Time room_for(Side side);
  /// Whether it may be handed over now; if not, calls `later` when it may.
  [[nodiscard]] bool has_room_for(Side side, const Continuation& later);
  /// Tells this port that `sender` may send to it. With one sender only, messages arrive in the order in which they
  /// are sent, and no event is needed to merge flows.
  void add_sender(const NetworkPort& sender);
  /// When the first message that is on its way will be complete, as far as is known now, if the NIC need not notice its
  /// arrival; Time::max() otherwise.
  [[nodiscard]] Time next_complete() const;
  [[nodiscard]] const Message& next() const { return *arriving_.front().message; }
  /// Takes it in; nothing can arrive before it any more.
  [[nodiscard]] Message& take_next();
  /// Returns buffer that a received message occupies until `when`. Senders know when the credit has come back to them.
  void release(Bytes bytes, Time when);

  [[nodiscard]] core::FifoServer& transmitter() { return transmitter_; }
  [[nodiscard]] core::FifoServer& receiver() {
    receive_arrived(0);
    return receiver_;
  }
  [[nodiscard]] int index() const { return index_; }
  /// Fraction of the time since measure() for which senders waited for this port's buffer.
  [[nodiscard]] double bufferless(Time now) const { return bufferless_.mean(now); }
  /// Fraction of that time for which what it has to send waited for its receivers' buffers.
  [[nodiscard]] double held_up(Time now) const { return held_up_.mean(now); }
  void measure(Time from, Time until) {
    transmitter_.measure(from, until);
    receiver().measure(from, until);
    bufferless_.reset(from);
    held_up_.reset(from);
  }

 private:
  struct Pending {
    Message* message = nullptr;
    NetworkPort* peer = nullptr;
    Time ready{0};
  };
  /// Of one side.
  struct Outbound {
    std::size_t pending = 0;               ///< Whose receiver has no buffer.
    core::RingQueue<Time> begins;          ///< When the wire will take each of those that it has been given.
    core::RingQueue<Continuation> parked;  ///< Who waits for a place.
  };
  /// A message on its way to this port, which others may still overtake.
  struct Arrival {
    Message* message = nullptr;
    Time head{0};
  };
  /// Buffer that comes back.
  struct Returned {
    Time when{0};
    Bytes bytes{0};
  };
  /// Whether there is buffer for `message`, or nothing but it in the buffer if it is larger.
  [[nodiscard]] bool has_room(const Message& message);
  /// Whether `message` may be sent now: there is buffer, and no other port waits for it.
  [[nodiscard]] bool admits(const Message& message) { return senders_waiting_.empty() && has_room(message); }
  void collect_returned();
  [[nodiscard]] static Side side_of(const Message& message);
  [[nodiscard]] Outbound& outbound(Side side) { return outbound_[static_cast<std::size_t>(side)]; }
  [[nodiscard]] const Outbound& outbound(Side side) const { return outbound_[static_cast<std::size_t>(side)]; }
  [[nodiscard]] bool has_place(Side side) const;
  /// How many of it wait for the wire.
  [[nodiscard]] std::size_t waiting(Side side);
  void launch(const Pending& item);
  void launch_first();
  /// Sends what waits, as far as it is admitted.
  void drain();
  void resume_parked(Side side);
  void expect(Message& message, Time head);
  void receive_arrived(std::uint64_t);
  void receive_next();
  void let_wait(NetworkPort& sender);
  void wake_senders_later();
  void buffer_returned(std::uint64_t);
  /// Lets the ports that wait send one message each, in turn, as long as there is buffer.
  void wake_senders();

  core::Calendar& calendar_;
  RdmaNic& nic_;
  Time switch_latency_;
  int index_;
  core::Priority arrival_priority_;
  core::Priority return_priority_;
  Bytes capacity_;
  Bytes buffer_;  // free receive buffer
  core::FifoServer transmitter_;
  core::FifoServer receiver_;
  core::RingQueue<Arrival> arriving_;   // in order of arrival
  core::RingQueue<Returned> returned_;  // in order of time
  Time wakes_at_ = Time::max();         // when an event lets senders go on
  core::EventId wake_;
  const NetworkPort* only_sender_ = nullptr;
  bool merges_ = false;  // more than one sender
  core::RingQueue<Pending> pending_;
  core::RingQueue<NetworkPort*> senders_waiting_;
  core::TimeWeighted bufferless_;
  core::TimeWeighted held_up_;
  std::array<Outbound, 2> outbound_;  // by side
};

}  // namespace doorbell::model
