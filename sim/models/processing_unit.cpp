#include "models/processing_unit.hpp"

#include "models/rdma_nic.hpp"

namespace doorbell::model {

void ProcessingUnit::accept(const PostedWork& work) {
  used_ = true;
  queue_.push(work);
  if (!busy_now_) {
    busy_now_ = true;
    calendar_->at<&ProcessingUnit::begin>(std::max(work.arrival, calendar_->now()), priority_, *this);
  }
}

void ProcessingUnit::begin(std::uint64_t) {
  current_ = queue_.pop();
  QueuePair& queue_pair = *current_.queue_pair;
  if (queue_pair.held) {
    queue_pair.behind.push(current_);
    next();
    return;
  }
  if (current_.fetched) {
    work();
    return;
  }
  const DmaReadCost& fetch = current_.plan->fetch[static_cast<std::size_t>(current_.wqes)];
  busy_ += fetch.request + fetch.latency + fetch.completion + nic_->dma().latency() * 2;
  nic_->dma().read(fetch, {[](void* self, std::uint64_t argument) { static_cast<ProcessingUnit*>(self)->fetched(argument); }, this, 0});
}

void ProcessingUnit::fetched(std::uint64_t) {
  current_.fetched = true;
  work();
}

bool ProcessingUnit::must_hold(const QueuePair& queue_pair) const {
  return current_.plan->remote_read && queue_pair.in_flight >= nic_->max_outstanding_reads();
}

void ProcessingUnit::work() {
  QueuePair& queue_pair = *current_.queue_pair;
  if (must_hold(queue_pair)) {
    queue_pair.held = current_;
    next();
    return;
  }
  Time service = current_.plan->pu_per_wqe;
  if (!current_.started) {
    current_.started = true;
    service += current_.plan->pu_per_call;
  }
  busy_ += service;
  calendar_->at<&ProcessingUnit::processed>(calendar_->now() + service, priority_, *this);
}

void ProcessingUnit::processed(std::uint64_t) {
  QueuePair& queue_pair = *current_.queue_pair;
  if (current_.plan->remote_read) ++queue_pair.in_flight;
  --current_.wqes;
  const std::optional<Time> free = nic_->transmit(*queue_pair.take(), *this);
  if (!free) return;
  if (*free > calendar_->now()) {
    calendar_->at<&ProcessingUnit::go_on>(*free, priority_, *this);
  } else {
    go_on(0);
  }
}

void ProcessingUnit::resume() { go_on(0); }

void ProcessingUnit::go_on(std::uint64_t) {
  if (current_.wqes > 0) {
    work();
  } else {
    next();
  }
}

void ProcessingUnit::next() {
  if (queue_.empty()) {
    busy_now_ = false;
  } else if (queue_.front().arrival > calendar_->now()) {
    calendar_->at<&ProcessingUnit::begin>(queue_.front().arrival, priority_, *this);
  } else {
    begin(0);
  }
}

void ProcessingUnit::release(QueuePair& queue_pair) {
  --queue_pair.in_flight;
  if (!queue_pair.held) return;
  PostedWork work = *queue_pair.held;
  queue_pair.held.reset();
  work.arrival = calendar_->now();
  accept(work);
  while (!queue_pair.behind.empty()) {
    PostedWork later = queue_pair.behind.pop();
    later.arrival = calendar_->now();
    accept(later);
  }
}

}  // namespace doorbell::model
