// The NIC's inbound pipeline: one server for the messages of all ports, in the order in which they are ready.
#pragma once

#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "models/message.hpp"

namespace doorbell::model {

class RdmaNic;

/// Each port hands over its messages in order, some time before they are ready. The pipeline commits to the message
/// that is ready first and thinks again when another port turns out to have an earlier one, so that one event per
/// message is enough and the order is exact.
class ReceivePipeline {
 public:
  ReceivePipeline(core::Calendar& calendar, RdmaNic& nic, int ports, core::Priority priority)
      : calendar_{calendar}, nic_{nic}, priority_{priority}, ports_(static_cast<std::size_t>(ports)) {}

  /// `message` of `port` is ready at `ready`, not before the port's earlier ones, and takes `service`.
  void accept(std::size_t port, Message& message, Time ready, Time service);

  /// The message that deliver() could not get rid of is gone: goes on with the next. `worked`: it was executed here,
  /// so the time counts as the pipeline's own.
  void resume(bool worked);

  [[nodiscard]] core::FifoServer& server() { return server_; }

 private:
  struct Item {
    Message* message = nullptr;
    Time ready{0};
    Time service{0};
  };
  void commit();
  void finish(std::uint64_t);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  core::Priority priority_;
  std::vector<core::RingQueue<Item>> ports_;
  core::FifoServer server_;
  bool active_ = false;
  std::size_t chosen_ = 0;  // port whose first message is in service or next
  Time begins_{0};
  core::EventId event_;
};

}  // namespace doorbell::model
