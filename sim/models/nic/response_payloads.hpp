// Payloads of READ responses, which the responder's NIC reads from host memory.
#pragma once

#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;
struct QueuePair;

/// For one port of the NIC, which asks for as much at a time as the link has tags for and one more, which waits there,
/// and of responses that take several packets it reads no further ahead than the port sends. Beyond that, requests wait
/// in their queue pairs, which take turns packet by packet: a short response does not wait for long ones of other queue
/// pairs. (No publication says so; NICs that serve short and long messages at once do it.)
class ResponsePayloads {
 public:
  /// `tags` are those of the link; `packets` of long responses may be on their way to the port.
  ResponsePayloads(RdmaNic& nic, int tags, int packets) : nic_{nic}, free_tags_{tags}, free_packets_{packets} {}

  /// Reads what `response`, or this part of one, returns, and sends it. Those of a queue pair stay in order.
  void read(Message& response);

 private:
  [[nodiscard]] bool has_room() const { return free_tags_ >= 0 && free_packets_ > 0; }
  void begin(Message& response);
  void arrived(Message& response);
  /// The port has room for another packet of a long response.
  void left();
  void take_turns();

  RdmaNic& nic_;
  int free_tags_;  // negative: a read waits for tags
  int free_packets_;
  core::RingQueue<QueuePair*> line_;  // with responses to read
};

}  // namespace doorbell::model
