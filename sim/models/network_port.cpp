#include "models/network_port.hpp"

#include <algorithm>

#include "models/processing_unit.hpp"
#include "models/rdma_nic.hpp"

namespace doorbell::model {
namespace {

const PacketCost& packet(const Message& message) {
  return message.is_reply ? message.plan->reply : message.plan->request;
}

std::string_view kind(const Message& message) { return message.is_reply ? "reply" : "request"; }

}  // namespace

NetworkPort::NetworkPort(core::Calendar& calendar, RdmaNic& nic, const PortParameters& parameters, Time switch_latency,
                         int index, core::Priority priority)
    : calendar_{calendar},
      nic_{nic},
      switch_latency_{switch_latency},
      index_{index},
      priority_{priority},
      capacity_{parameters.receive_buffer},
      buffer_{parameters.receive_buffer} {}

void NetworkPort::send(Message& message, NetworkPort& peer, Time ready) {
  const Pending item{&message, &peer, ready};
  if (pending_.empty() && peer.has_room(packet(message).network)) {
    launch(item);
    return;
  }
  if (pending_.empty()) peer.senders_waiting_.push(this);
  pending_.push(item);
}

void NetworkPort::launch(const Pending& item) {
  const PacketCost& cost = packet(*item.message);
  item.peer->buffer_ = item.peer->buffer_ - cost.network;
  const Time sent = transmitter_.reserve(item.ready, cost.port_transmit, kind(*item.message));
  // The switch cuts through: the head arrives while the tail is still being sent.
  const Time head = std::max(calendar_.now(), sent - cost.port_transmit + switch_latency_);
  nic_.sent(*item.message, sent);
  if (item.peer->merges_) {
    calendar_.at<&NetworkPort::arrive>(head, item.peer->priority_, *item.peer,
                                       reinterpret_cast<std::uintptr_t>(item.message));
  } else {
    item.peer->receive(*item.message, head);
  }
}

void NetworkPort::add_sender(const NetworkPort& sender) {
  merges_ = merges_ || (only_sender_ != nullptr && only_sender_ != &sender);
  only_sender_ = &sender;
}

void NetworkPort::arrive(std::uint64_t argument) { receive(*reinterpret_cast<Message*>(argument), calendar_.now()); }

void NetworkPort::receive(Message& message, Time head) {
  nic_.received(message, receiver_.reserve(head, packet(message).port_receive, kind(message)));
}

void NetworkPort::release(Bytes bytes) {
  buffer_ += bytes;
  std::size_t turns = senders_waiting_.size();
  while (turns-- > 0) senders_waiting_.pop()->drain();
}

void NetworkPort::drain() {
  while (!pending_.empty()) {
    Pending item = pending_.front();
    if (!item.peer->has_room(packet(*item.message).network)) {
      item.peer->senders_waiting_.push(this);
      return;
    }
    pending_.pop();
    item.ready = std::max(item.ready, calendar_.now());
    launch(item);
  }
  std::size_t turns = parked_.size();
  while (turns-- > 0) parked_.pop()->resume();
}

}  // namespace doorbell::model
