#include "models/nic/receiver_not_ready.hpp"

#include "models/nic/endpoint.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {
namespace {

/// Announces `message`, where possible with the `room` WQEs behind it that units read in one DMA.
void announce_before(QueuePair& queue_pair, const Message& message, Time now, int room) {
  core::RingQueue<PostedWork>& work = queue_pair.work;
  const bool joins =
      message.plan->by_doorbell && room > 0 && work.front().plan->by_doorbell && work.front().wqes < room;
  if (!joins)
    work.push_front({.arrival = now, .plan = message.plan, .unread_to = message.wqe_end(), .end = message.wqe_end()});
  ++work.front().wqes;
}

}  // namespace

void ReceiverNotReady::discard(Message& message) {
  if (message.part) return pool_.give_back(&message);
  QueuePair& queue_pair = *message.queue_pair;
  queue_pair.refused.requests.push(&message);
  if (queue_pair.refused.due) queue_pair.unit->retry(queue_pair);
}

void ReceiverNotReady::refuse(Message& message) {
  message.queue_pair->refused.refused = true;
  Message* nak = pool_.take();
  *nak = message;
  nak->signaled = false;
  nak->refusal = true;
  discard(message);
  nak->queue_pair->responses.await_turn(*nak);
  nic_.respond(*nak);
}

void ReceiverNotReady::answered(Message& nak) {
  QueuePair& queue_pair = *nak.queue_pair;
  const Time until = calendar_.now() + nak.destination->rnr_timer();
  pool_.give_back(&nak);
  queue_pair.refused.waits = true;
  queue_pair.note_held_back(calendar_.now());
  queue_pair.refused.waiting.set(calendar_.now(), 1);
  calendar_.at<&ReceiverNotReady::waited>(until, priority_, *this, reinterpret_cast<std::uintptr_t>(&queue_pair));
}

void ReceiverNotReady::waited(std::uint64_t argument) {
  QueuePair& queue_pair = *reinterpret_cast<QueuePair*>(argument);
  queue_pair.unit->retry(queue_pair);
}

void send_again(QueuePair& queue_pair, Time now, int max_fetch) {
  RefusedRequests& refused = queue_pair.refused;
  refused.refused = false;
  refused.waits = false;
  refused.due = false;
  refused.waiting.set(now, 0);
  if (queue_pair.held) {
    queue_pair.work.push_front(*queue_pair.held);
    queue_pair.held.reset();
  }
  for (std::size_t left = refused.requests.size(); left > 0; --left) {
    Message& message = *refused.requests[left - 1];
    if (message.plan->gets_response()) queue_pair.taken_back(message);
    announce_before(queue_pair, message, now, left < refused.requests.size() ? max_fetch : 0);
    queue_pair.put_back(&message);
  }
  while (!refused.requests.empty()) refused.requests.pop();
  queue_pair.closed = false;
  queue_pair.note_held_back(now);
}

}  // namespace doorbell::model
