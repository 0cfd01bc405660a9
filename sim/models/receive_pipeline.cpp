#include "models/receive_pipeline.hpp"

#include <algorithm>

#include "models/rdma_nic.hpp"

namespace doorbell::model {

void ReceivePipeline::accept(std::size_t port, Message& message, Time ready, Time service) {
  ports_[port].push({&message, ready, service});
  if (!active_) {
    commit();
  } else if (ready < begins_ && begins_ > calendar_.now() && ports_[port].size() == 1) {
    calendar_.cancel(event_);
    commit();
  }
}

void ReceivePipeline::commit() {
  Time earliest = Time::max();
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (!ports_[port].empty() && ports_[port].front().ready < earliest) {
      earliest = ports_[port].front().ready;
      chosen_ = port;
    }
  }
  active_ = earliest != Time::max();
  if (!active_) return;
  begins_ = std::max({earliest, server_.busy_until(), calendar_.now()});
  event_ = calendar_.at<&ReceivePipeline::finish>(begins_ + ports_[chosen_].front().service, priority_, *this);
}

void ReceivePipeline::finish(std::uint64_t) {
  const Item item = ports_[chosen_].pop();
  server_.reserve(begins_, item.service, item.message->is_reply ? "reply" : "request");
  if (nic_.deliver(*item.message)) commit();
}

void ReceivePipeline::resume(bool worked) {
  if (worked) server_.reserve(server_.busy_until(), calendar_.now() - server_.busy_until(), "atomic");
  commit();
}

}  // namespace doorbell::model
