// The NIC's inbound pipeline: one server for the messages of all ports, in the order in which they are ready.
#pragma once

#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;

/// Each port hands over its messages in order, some time before they are ready, or tells of the next one that it
/// expects. The pipeline commits to the message that is ready first and thinks again when another one turns out to be
/// earlier, so that one event per message is enough, even where a port merges flows, and the order is exact.
class ReceivePipeline {
 public:
  ReceivePipeline(core::Calendar& calendar, RdmaNic& nic, int ports, core::Priority priority)
      : calendar_{calendar}, nic_{nic}, priority_{priority}, ports_(static_cast<std::size_t>(ports) + 1) {}

  /// `message` of `port` is ready at `ready`, not before the port's earlier ones.
  void accept(std::size_t port, Message& message, Time ready);
  /// `message` of `port` is ready now. It had to wait for something of its own, while later ones of its port went on;
  /// it does not pass earlier ones of its queue pair.
  void accept_late(std::size_t port, Message& message);
  /// `port` expects another message than before as its next.
  void expect(std::size_t port);

  /// The message that deliver() could not get rid of is gone: goes on with the next. `worked`: it was executed here,
  /// so the time counts as the pipeline's own.
  void resume(bool worked);

  [[nodiscard]] core::FifoServer& server() { return server_; }

 private:
  struct Item {
    Message* message = nullptr;
    Time ready{0};
  };
  struct Inbound {
    Time first_ready = Time::max();  // of the first message, accepted or expected
    core::RingQueue<Item> accepted;
  };
  [[nodiscard]] std::size_t late_lane() const { return ports_.size() - 1; }
  /// When the next message of `port` that has not been handed over is ready.
  [[nodiscard]] Time next_ready(std::size_t port) const;
  /// The first message of `port` is another one.
  void reconsider(std::size_t port, Time ready);
  void commit();
  void finish(std::uint64_t);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  core::Priority priority_;
  std::vector<Inbound> ports_;  // and one for those that are late
  core::FifoServer server_;
  bool active_ = false;
  std::size_t chosen_ = 0;  // port whose first message is in service or next
  Time begins_{0};
  Time service_{0};
  core::EventId event_;
};

}  // namespace doorbell::model
