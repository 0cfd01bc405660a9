#include "models/nic/receive_pipeline.hpp"

#include <algorithm>

#include "models/nic/queue_pair.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {
namespace {

int& accepted_of_its_kind(const Message& message) {
  return message.is_reply ? message.queue_pair->replies_accepted : message.queue_pair->requests_accepted;
}

}  // namespace

void ReceivePipeline::accept(std::size_t port, Message& message, Time ready) {
  Inbound& inbound = ports_[port];
  if (port != late_lane()) ++accepted_of_its_kind(message);
  inbound.accepted.push({&message, ready});
  if (inbound.accepted.size() == 1) reconsider(port, ready);
}

void ReceivePipeline::accept_late(std::size_t port, Message& message) {
  const bool follows = accepted_of_its_kind(message) > 0;
  accept(follows ? port : late_lane(), message, calendar_.now());
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
  const bool expected = inbound.accepted.empty();
  Message& message = expected ? nic_.ports()[chosen_]->take_next() : *inbound.accepted.pop().message;
  if (!expected && chosen_ != late_lane()) --accepted_of_its_kind(message);
  inbound.first_ready = inbound.accepted.empty() ? next_ready(chosen_) : inbound.accepted.front().ready;
  server_.reserve(begins_, service_, message.is_reply ? "reply" : "request");
  if (nic_.deliver(message)) commit();
}

void ReceivePipeline::resume(bool worked) {
  if (worked) server_.reserve(server_.busy_until(), calendar_.now() - server_.busy_until(), "atomic");
  commit();
}

}  // namespace doorbell::model
