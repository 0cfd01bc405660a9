#include "models/nic/response_payloads.hpp"

#include <algorithm>

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
  const int tags = tags_of(response);
  most_tags_ = std::max(most_tags_, tags);
  free_tags_ -= tags;
  free_room_ = free_room_ - room_of(response);
  nic_.dma().read(response.plan->remote_read_at(response.address),
                  continue_with<&ResponsePayloads::arrived>(*this, response));
}

void ResponsePayloads::arrived(Message& response) {
  free_tags_ += tags_of(response);
  struct Left {
    static void call(void* self, std::uint64_t bytes) { static_cast<ResponsePayloads*>(self)->left(bytes); }
  };
  const auto bytes = static_cast<std::uint64_t>(room_of(response).count);
  NetworkPort& port = nic_.port_of(response);
  nic_.respond(response);
  if (port.has_room_for(NetworkPort::Side::replies, {&Left::call, this, bytes}))
    left(bytes);
  else
    take_turns();
}

void ResponsePayloads::left(std::uint64_t bytes) {
  free_room_ += Bytes{static_cast<std::int64_t>(bytes)};
  take_turns();
}

Bytes ResponsePayloads::room_of(const Message& response) const {
  return is_packet_of_several(response) ? mtu_ : response.plan->operation.payload;
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
