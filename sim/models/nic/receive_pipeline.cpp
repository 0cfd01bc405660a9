#include "models/nic/receive_pipeline.hpp"

#include <algorithm>

#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {

void ReceivePipeline::accept(std::size_t port, Message& message, Time ready) {
  Inbound& inbound = ports_[port];
  inbound.accepted.push({&message, ready});
  if (inbound.accepted.size() == 1) reconsider(port, ready);
}

void ReceivePipeline::accept_late(std::size_t port, Message& message) {
  const core::RingQueue<Item>& accepted = ports_[port].accepted;
  bool follows = false;
  for (std::size_t i = 0; i < accepted.size() && !follows; ++i) {
    const Message& earlier = *accepted[i].message;
    follows = earlier.queue_pair == message.queue_pair && earlier.is_reply == message.is_reply;
  }
  accept(follows ? port : ports_.size() - 1, message, calendar_.now());
}

void ReceivePipeline::expect(std::size_t port) {
  if (ports_[port].accepted.empty()) reconsider(port, next_ready(port));
}

Time ReceivePipeline::next_ready(std::size_t port) const {
  return port < nic_.ports().size() ? nic_.next_ready(port) : Time::max();
}

void ReceivePipeline::reconsider(std::size_t port, Time ready) {
  ports_[port].first_ready = ready;
  if (!active_) {
    commit();
  } else if (begins_ > calendar_.now() && (port == chosen_ || ready < begins_)) {
    calendar_.cancel(event_);
    commit();
  }
}

void ReceivePipeline::commit() {
  Time earliest = Time::max();
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    const bool earlier = ports_[port].first_ready < earliest;
    earliest = earlier ? ports_[port].first_ready : earliest;
    chosen_ = earlier ? port : chosen_;
  }
  active_ = earliest != Time::max();
  if (!active_) return;
  begins_ = std::max({earliest, server_.busy_until(), calendar_.now()});
  const auto& accepted = ports_[chosen_].accepted;
  service_ = nic_.receive_service(accepted.empty() ? nic_.ports()[chosen_]->next() : *accepted.front().message);
  event_ = calendar_.at<&ReceivePipeline::finish>(begins_ + service_, priority_, *this);
}

void ReceivePipeline::finish(std::uint64_t) {
  Inbound& inbound = ports_[chosen_];
  // Its turn has come, and so no message of its port can arrive before it.
  Message& message = inbound.accepted.empty() ? nic_.ports()[chosen_]->take_next() : *inbound.accepted.pop().message;
  inbound.first_ready = inbound.accepted.empty() ? next_ready(chosen_) : inbound.accepted.front().ready;
  server_.reserve(begins_, service_, message.is_reply ? "reply" : "request");
  if (nic_.deliver(message)) commit();
}

void ReceivePipeline::resume(bool worked) {
  if (worked) server_.reserve(server_.busy_until(), calendar_.now() - server_.busy_until(), "atomic");
  commit();
}

}  // namespace doorbell::model
