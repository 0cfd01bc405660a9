// Payloads of READ responses, which the responder's NIC reads from host memory.
#pragma once

#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;
struct QueuePair;

/// For one port of the NIC, which asks for as much at a time as the link has tags for and a packet more, which takes
/// the tags that come back of those before it, and reads no further ahead of the port than it has room for. Beyond
/// that, requests wait in their queue pairs, which take turns packet by packet: a short response does not wait for long
/// ones of other queue pairs. (No publication says so; NICs that serve short and long messages at once do it.)
class ResponsePayloads {
 public:
  /// `tags` are those of the link; as much as `packets` of `mtu` take may be on its way to the port. Each packet of a
  /// long response has a place of that size, however short it is.
  ResponsePayloads(RdmaNic& nic, int tags, int packets, Bytes mtu)
      : nic_{nic}, free_tags_{tags}, mtu_{mtu}, free_room_{mtu * packets} {}

  /// Reads what `response`, or this part of one, returns, and sends it. Those of a queue pair stay in order.
  void read(Message& response);

 private:
  /// Whether fewer tags are waited for than the largest read so far takes: else a read would wait for all of its tags,
  /// while those that come back meanwhile lie idle.
  [[nodiscard]] bool has_room() const { return free_tags_ + most_tags_ > 0 && free_room_ > Bytes{0}; }
  [[nodiscard]] Bytes room_of(const Message& response) const;
  void begin(Message& response);
  void arrived(Message& response);
  /// The port has room for more.
  void left(std::uint64_t bytes);
  void take_turns();

  RdmaNic& nic_;
  int free_tags_;      // negative: reads wait for tags
  int most_tags_ = 0;  // of a read
  Bytes mtu_;
  Bytes free_room_;
  core::RingQueue<QueuePair*> line_;  // with responses to read
};

}  // namespace doorbell::model
