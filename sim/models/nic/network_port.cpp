#include "models/nic/network_port.hpp"

#include <algorithm>

#include "models/nic/processing_unit.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {
namespace {

NetworkPort::Side other(NetworkPort::Side side) {
  return side == NetworkPort::Side::requests ? NetworkPort::Side::replies : NetworkPort::Side::requests;
}

std::string_view kind(const Message& message) { return message.is_reply ? "reply" : "request"; }

}  // namespace

NetworkPort::NetworkPort(core::Calendar& calendar, RdmaNic& nic, const PortParameters& parameters, Time switch_latency,
                         int index, core::Priority arrival_priority, core::Priority return_priority)
    : calendar_{calendar},
      nic_{nic},
      switch_latency_{switch_latency},
      index_{index},
      arrival_priority_{arrival_priority},
      return_priority_{return_priority},
      capacity_{parameters.receive_buffer},
      buffer_{parameters.receive_buffer} {}

void NetworkPort::send(Message& message, NetworkPort& peer, Time ready) {
  const Pending item{&message, &peer, ready};
  if (pending_.empty() && peer.admits(message)) {
    launch(item);
    return;
  }
  if (pending_.empty()) peer.let_wait(*this);
  pending_.push(item);
  ++outbound(side_of(message)).pending;
}

NetworkPort::Side NetworkPort::side_of(const Message& message) {
  return message.is_reply ? Side::replies : Side::requests;
}

bool NetworkPort::has_place(Side side) const {
  return outbound(side).pending < std::max(nic_.transmit_queue(), outbound(other(side)).pending);
}

void NetworkPort::park(ProcessingUnit& unit) {
  outbound(Side::requests).parked.push(continue_with<&ProcessingUnit::resume>(unit));
}

std::size_t NetworkPort::waiting(Side side) {
  core::RingQueue<Time>& begins = outbound(side).begins;
  while (!begins.empty() && begins.front() <= calendar_.now()) static_cast<void>(begins.pop());
  return begins.size();
}

Time NetworkPort::room_for(Side side) {
  const std::size_t most = std::max(nic_.transmit_queue(), waiting(other(side)));
  const std::size_t now = waiting(side);
  return now < most ? calendar_.now() : outbound(side).begins[now - most] - nic_.latency();
}

bool NetworkPort::has_room_for(Side side, const Continuation& later) {
  const Time room = room_for(side);
  if (!has_place(side)) {
    outbound(side).parked.push(later);
  } else if (room > calendar_.now()) {
    calendar_.at(room, return_priority_, later.handler, later.object, later.argument);
  } else {
    return true;
  }
  return false;
}

void NetworkPort::launch(const Pending& item) {
  const PacketCost& cost = packet(*item.message);
  item.peer->buffer_ = item.peer->buffer_ - cost.network;
  const Time sent = transmitter_.reserve(item.ready, cost.port_transmit, kind(*item.message));
  const Side side = side_of(*item.message);
  static_cast<void>(waiting(side));  // forgets those that have begun
  outbound(side).begins.push(sent - cost.port_transmit);
  // The switch cuts through: the head arrives while the tail is still being sent. To a faster port it passes a packet
  // on no sooner than lets it do so without a gap, or the tail would come before it has left.
  const Time ahead = std::min(cost.port_transmit, cost.port_receive);
  const Time head = std::max(calendar_.now(), sent - ahead + switch_latency_);
  nic_.sent(*item.message, sent);
  item.peer->expect(*item.message, head);
}

void NetworkPort::add_sender(const NetworkPort& sender) {
  merges_ = merges_ || (only_sender_ != nullptr && only_sender_ != &sender);
  only_sender_ = &sender;
}

void NetworkPort::expect(Message& message, Time head) {
  const std::size_t place = arriving_.insert(
      {&message, head}, [](const Arrival& one, const Arrival& other) { return one.head < other.head; });
  if (!nic_.notices_arrival(message)) {
    if (place == 0) nic_.expect(*this);
  } else if (merges_) {
    calendar_.at<&NetworkPort::receive_arrived>(head, arrival_priority_, *this);
  } else {
    // Nothing can overtake it.
    while (!arriving_.empty()) receive_next();
  }
}

Time NetworkPort::next_complete() const {
  if (arriving_.empty() || nic_.notices_arrival(next())) return Time::max();
  return std::max(arriving_.front().head, receiver_.busy_until()) + packet(next()).port_receive;
}

Message& NetworkPort::take_next() {
  const Arrival arrival = arriving_.pop();
  receiver_.reserve(arrival.head, packet(*arrival.message).port_receive, kind(*arrival.message));
  return *arrival.message;
}

void NetworkPort::receive_next() {
  Message& message = take_next();
  nic_.received(message, receiver_.busy_until());
}

void NetworkPort::receive_arrived(std::uint64_t) {
  while (!arriving_.empty() && arriving_.front().head <= calendar_.now()) receive_next();
}

bool NetworkPort::has_room(const Message& message) {
  const Bytes bytes = packet(message).network;
  if (buffer_ < bytes) collect_returned();
  return buffer_ >= bytes || buffer_ == capacity_;
}

void NetworkPort::collect_returned() {
  while (!returned_.empty() && returned_.front().when <= calendar_.now()) buffer_ += returned_.pop().bytes;
}

void NetworkPort::release(Bytes bytes, Time when) {
  collect_returned();
  const Time told = when + switch_latency_;
  const bool now = told <= calendar_.now();
  if (now) {
    buffer_ += bytes;
  } else {
    // What is answered at once comes back before what waits for the link to memory.
    returned_.insert({told, bytes}, [](const Returned& one, const Returned& other) { return one.when < other.when; });
  }
  if (senders_waiting_.empty()) return;
  if (now) {
    wake_senders();
  } else {
    wake_senders_later();
  }
}

void NetworkPort::let_wait(NetworkPort& sender) {
  senders_waiting_.push(&sender);
  sender.held_up_.set(calendar_.now(), 1);
  bufferless_.set(calendar_.now(), 1);
  wake_senders_later();
}

void NetworkPort::wake_senders_later() {
  if (returned_.empty() || returned_.front().when >= wakes_at_) return;
  calendar_.cancel(wake_);
  wakes_at_ = returned_.front().when;
  wake_ = calendar_.at<&NetworkPort::buffer_returned>(wakes_at_, return_priority_, *this);
}

void NetworkPort::buffer_returned(std::uint64_t) {
  wakes_at_ = Time::max();
  collect_returned();
  wake_senders();
}

void NetworkPort::wake_senders() {
  // Whoever finds too little buffer keeps the first place in line: later ones would take it away for ever.
  while (!senders_waiting_.empty() && has_room(*senders_waiting_.front()->pending_.front().message)) {
    NetworkPort& sender = *senders_waiting_.pop();
    sender.launch_first();
    sender.drain();
  }
  if (!senders_waiting_.empty()) {
    wake_senders_later();
  } else {
    bufferless_.set(calendar_.now(), 0);
  }
}

void NetworkPort::launch_first() {
  Pending item = pending_.pop();
  --outbound(side_of(*item.message)).pending;
  item.ready = std::max(item.ready, calendar_.now());
  launch(item);
}

void NetworkPort::drain() {
  while (!pending_.empty()) {
    NetworkPort& peer = *pending_.front().peer;
    if (!peer.admits(*pending_.front().message)) {
      peer.let_wait(*this);
      break;
    }
    launch_first();
  }
  if (pending_.empty()) held_up_.set(calendar_.now(), 0);
  resume_parked(Side::requests);
  resume_parked(Side::replies);
}

void NetworkPort::resume_parked(Side side) {
  core::RingQueue<Continuation>& parked = outbound(side).parked;
  std::size_t turns = parked.size();
  while (turns-- > 0 && has_place(side)) parked.pop()();
}

}  // namespace doorbell::model
