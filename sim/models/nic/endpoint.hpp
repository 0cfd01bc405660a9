// Software that owns queue pairs or receives messages, as the NIC sees it.
#pragma once

#include "core/quantity.hpp"

namespace doorbell::model {

struct Message;
struct QueuePair;

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// Uses up a RECV for a message that is arriving. Returns false if there is none: the NIC then drops the message
  /// before it writes anything, or refuses it on RC. True where no RECV is needed, or there are always enough.
  virtual bool take_recv(const Message&) { return true; }
  /// How long a requester waits before it sends again what was refused.
  [[nodiscard]] virtual Time rnr_timer() const { return Time{0}; }
  /// A SEND or WRITE for this endpoint becomes visible at message.visible.
  virtual void deliver(Message& message) = 0;
  /// A work request of this endpoint, without acknowledgement and not awaited, has left.
  virtual void transmitted(const Message& message, Time when) = 0;
  /// The response or ACK of a work request of this endpoint is back, or one that is awaited without any has left.
  virtual void completed(Message& message) = 0;
  /// A CQE has been written for one of its queue pairs.
  virtual void completion_written(QueuePair& queue_pair) = 0;
};

}  // namespace doorbell::model
