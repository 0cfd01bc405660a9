// RC: a message that finds no RECV is refused (RNR NAK), and sent again later with all that has followed it.
#pragma once

#include <cstddef>

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;
struct QueuePair;

/// Of a queue pair: what it has to send again.
struct RefusedRequests {
  bool refused = false;  ///< At the responder: one has been refused, and what comes after it is discarded.
  bool waits = false;    ///< At the requester: the unit does not serve the queue pair.
  bool due = false;  ///< It has waited long enough, but its unit still has it in hand, or it has requests on the way.
  core::RingQueue<Message*> requests;  ///< In the order in which they were sent.
  core::TimeWeighted waiting;          ///< 1 while it waits.
};

/// The responder answers a request that needs a RECV and finds none by an RNR NAK, and discards all that the queue pair
/// has sent after it. The requester waits for the time that the NAK names, and until nothing sent before it is on the
/// way any more, which would come before the refused one. Then it reads the WQEs again and sends them, as often as it
/// takes (rnr_retry 7). InfiniBand Architecture Specification, volume 1, section 9.7.5.2.8. A message
/// of several packets is refused when its last one comes.
class ReceiverNotReady {
 public:
  ReceiverNotReady(core::Calendar& calendar, RdmaNic& nic, MessagePool& pool, core::Priority priority)
      : calendar_{calendar}, nic_{nic}, pool_{pool}, priority_{priority} {}

  /// At the responder: takes a request that follows a refused one, whose buffer has been freed.
  void discard(Message& message);
  /// At the responder: takes a request for which there is no RECV, whose buffer has been freed.
  void refuse(Message& message);
  /// At the requester: an RNR NAK has come.
  void answered(Message& nak);

 private:
  void waited(std::uint64_t queue_pair);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  MessagePool& pool_;
  core::Priority priority_;
};

/// Puts what was refused before all other WQEs of the queue pair, which its unit may serve again. One DMA brings at
/// most `max_fetch` WQEs.
void send_again(QueuePair& queue_pair, Time now, int max_fetch);

}  // namespace doorbell::model
