// Payloads of requests, which the NIC reads from host memory before it sends them.
#pragma once

#include <vector>

#include "core/calendar.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class NetworkPort;
class ProcessingUnit;
class RdmaNic;

/// Few payloads are read at a time; processing units wait until theirs can be, in turn. Of a long message a unit reads
/// one packet in its turn, so that those of others do not wait for all of it, and no further ahead than the port sends.
/// What must not overtake a payload of its queue pair waits for it.
class RequestPayloads {
 public:
  /// `most` payloads or packets are read at a time, and what waits behind them counts as well.
  RequestPayloads(core::Calendar& calendar, RdmaNic& nic, MessagePool& pool, int most, int ports,
                  core::Priority priority)
      : calendar_{calendar},
        nic_{nic},
        pool_{pool},
        most_{most},
        priority_{priority},
        too_early_(static_cast<std::size_t>(ports)) {}

  /// Takes a processed WQE and sends it when its payload is there and its turn has come. False: `unit` has to wait, and
  /// is resumed later.
  [[nodiscard]] bool accept(Message& message, ProcessingUnit& unit);

  /// Share of the time since measure() in which a unit waited.
  [[nodiscard]] double full(Time now) const { return units_wait_.mean(now); }
  void measure(Time from) { units_wait_.reset(from); }

 private:
  struct WaitingUnit {
    ProcessingUnit* unit = nullptr;
    Message* message = nullptr;
    int packets = 0;  ///< Of the message, whose reads have not begun.
    NetworkPort* port = nullptr;
    Time service{0};  ///< Of the outbound pipeline, for the message.
  };
  /// Begins to read the next packet.
  void read(WaitingUnit& turn);
  void arrived(Message& message);
  /// The port has room for a packet that came too early.
  void left(NetworkPort& port);
  /// Whether the port has no room for packets of long messages.
  [[nodiscard]] bool has_to_wait(const WaitingUnit& turn) const;
  void take_turns();
  /// Lets the unit go on as soon as there is room for what it hands over next.
  void let_go(const WaitingUnit& turn);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  MessagePool& pool_;
  int most_;
  core::Priority priority_;
  int under_way_ = 0;
  std::vector<int> too_early_;  // by port: packets of long messages for which it has no room yet
  core::RingQueue<WaitingUnit> waiting_;
  core::TimeWeighted units_wait_;  // 1 while any of them does
};

}  // namespace doorbell::model
