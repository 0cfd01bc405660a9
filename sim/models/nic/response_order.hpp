// RC: responses and ACKs of a queue pair go out in the order of its requests.
#pragma once

#include <cstdint>

#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

/// At the responder: what is ready early waits for the responses to earlier requests (InfiniBand Architecture
/// Specification, volume 1, section 9.5).
class ResponseOrder {
 public:
  /// A request has come: its response gets the next turn.
  void await_turn(Message& message) {
    message.response = sent_ + static_cast<std::uint32_t>(ready_.size());
    ready_.push(nullptr);
  }

  /// The response is ready. Calls `send` for all whose turn it is now.
  template <class Send> void ready(Message& message, Send send) {
    ready_[message.response - sent_] = &message;
    while (!ready_.empty() && ready_.front() != nullptr) {
      ++sent_;
      send(*ready_.pop());
    }
  }

 private:
  core::RingQueue<Message*> ready_;  // by turn; null: not ready
  std::uint32_t sent_ = 0;           // modulo 2^32
};

}  // namespace doorbell::model
