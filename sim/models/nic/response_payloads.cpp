#include "models/nic/response_payloads.hpp"

#include "models/nic/queue_pair.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {
namespace {

int tags_of(const Message& response) { return response.plan->remote_read_at(response.address).tags; }

}  // namespace

void ResponsePayloads::read(Message& response) {
  if (line_.empty() && has_room()) return begin(response);
  core::RingQueue<Message*>& unread = response.queue_pair->unread;
  if (unread.empty()) line_.push(response.queue_pair);
  unread.push(&response);
}

void ResponsePayloads::begin(Message& response) {
  free_tags_ -= tags_of(response);
  if (is_packet_of_several(response)) --free_packets_;
  nic_.dma().read(response.plan->remote_read_at(response.address),
                  continue_with<&ResponsePayloads::arrived>(*this, response));
}

void ResponsePayloads::arrived(Message& response) {
  free_tags_ += tags_of(response);
  const bool waits_for_room = is_packet_of_several(response);
  NetworkPort& port = nic_.port_of(response);
  nic_.respond(response);
  if (!waits_for_room) return take_turns();
  if (port.has_room_for(NetworkPort::Side::replies, continue_with<&ResponsePayloads::left>(*this)))
    left();
  else
    take_turns();
}

void ResponsePayloads::left() {
  ++free_packets_;
  take_turns();
}

void ResponsePayloads::take_turns() {
  while (!line_.empty() && has_room()) {
    QueuePair* next = line_.pop();
    Message& response = *next->unread.pop();
    if (!next->unread.empty()) line_.push(next);
    begin(response);
  }
}

}  // namespace doorbell::model
