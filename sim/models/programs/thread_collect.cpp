// The collecting half of a thread: requests in memory or in a completion queue, what they are computed with, and the
// RECVs for the next ones.
#include <algorithm>
#include <utility>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::take_request(Message* message, Time cost) {
  work("collects", cost);
  count_sleep(*message, message->visible);
  collected_.push_back(message);
  if (plan_->recvs != nullptr && message->plan->recv_prefetch) {
    ++recvs_due_;
    if (has_its_own_recvs(*message)) to_refill_.push(message->queue_pair);
  }
  if (plan_->counts == Counts::collected) ++plan_->statistics.operations;
}

int Thread::sweep_memory(const CollectStep& step) {
  // What is visible when the pass begins is found; what arrives behind the sweep waits for the next pass.
  const Time began = clock_;
  int found = 0;
  if (in_slots_ == 0) return 0;
  for (std::size_t looked = 0; looked < slots_.size() && found < step.at_most; ++looked) {
    core::RingQueue<Message*>& slot = slots_[next_slot_];
    next_slot_ = next_slot_ + 1 == slots_.size() ? 0 : next_slot_ + 1;
    if (slot.empty() || slot.front()->visible > began) {
      clock_ += stretched(step.per_slot, stretch_);
      continue;
    }
    take_request(slot.pop(), step.per_item);
    --in_slots_;
    ++found;
  }
  return found;
}

int Thread::poll_queue(const CollectStep& step) {
  // What is there when it has the lock is found.
  const Time begin = requests_->shared() ? std::max(clock_, requests_->completions().server().busy_until()) : clock_;
  const int found = requests_->visible(begin, step.at_most);
  Time poll = machine_->profile().cpu.poll_cqe;
  if (requests_->shared() && found > 0) {
    work_locked(requests_->completions(), "polls", poll * found);
    poll = Time{0};
  }
  for (int i = 0; i < found; ++i) {
    Message* request = requests_->pop();
    take_request(request, poll + step.per_item);
  }
  return found;
}

int Thread::take_requests(const CollectStep& step) {
  const int found = step.via == Channel::memory ? sweep_memory(step) : poll_queue(step);
  if (found > 0) {
    const Time begin = clock_;
    work("collects", step.per_pass);
    count_per_pass(begin);
    ++plan_->statistics.collections;
    plan_->statistics.collected += static_cast<std::uint64_t>(found);
  }
  handled_ += static_cast<std::size_t>(found);
  return found;
}

bool Thread::finds_requests(const CollectStep& step) {
  const Time returned = earliest_return();
  return take_requests(step) > 0 || returned <= clock_;
}

core::Task<> Thread::wait_for_requests(const CollectStep& step) {
  bool idle = false;
  do {
    if (!idle) go_idle();
    const Time earliest = std::min(earliest_request(step), earliest_return());
    if (earliest == Time::max()) {
      wait_ = Wait::requests;
      requests_->wait(*this);
      co_await Park{*this};
    } else {
      clock_ = std::max(clock_, earliest);
    }
    idle = !woken();  // and goes on waiting if another thread has been faster
    if (idle) clock_ += detection_delay(step);
    if (!idle) slept_until_ = clock_;
    co_await CatchUp{*this};
  } while (!finds_requests(step));
}

Time Thread::earliest_request(const CollectStep& step) const {
  if (step.via == Channel::completion_queue) return requests_->earliest();
  Time earliest = Time::max();
  if (in_slots_ == 0) return earliest;
  for (const core::RingQueue<Message*>& slot : slots_) {
    if (!slot.empty()) earliest = std::min(earliest, slot.front()->visible);
  }
  return earliest;
}

Time Thread::detection_delay(const CollectStep& step) const {
  if (step.via == Channel::completion_queue) {
    const HardwareProfile& hardware = machine_->profile();
    // Threads that poll one queue pass its lock on: the next of them looks once the line has come.
    const Time transfer = requests_->shared() ? hardware.shared_line.transfer : Time{0};
    return (stretched(hardware.cpu.poll_empty, stretch_) + transfer) / 2;
  }
  return stretched(step.per_slot, stretch_) * static_cast<std::int64_t>(slots_.size()) / 2;
}

Time Thread::time_of_request(const ComputeStep& step, const Message* collected) {
  if (collected != nullptr && step.keep->per_item && keeps(step, collected->plan->operation.payload))
    return *step.keep->per_item;
  double left = step.mix.empty() ? 1 : random_.uniform();
  for (const RareRequest& rare : step.mix) {
    left -= rare.share;
    if (left < 0) return rare.per_item;
  }
  return step.per_item;
}

void Thread::compute(const ComputeStep& step) {
  Time time = step.per_pass;
  std::size_t before = 0;  // at hand, of an earlier step that collects
  if (step.keep) {
    for (Message* request : collected_)
      request->wrote = request->wrote || keeps(step, request->plan->operation.payload);
    before = collected_.size() - handled_;
  }
  for (std::size_t i = 0; i < handled_; ++i)
    time += time_of_request(step, step.keep ? collected_[before + i] : nullptr);
  const Time begin = clock_;
  work("computes", time);
  count_per_pass(begin, share_of(step.per_pass, time));
}

void Thread::increment(const IncrementStep& step) {
  const Time begin = clock_;
  occupy("increments", machine_->line(step.line).increment(clock_, physical_core()) - clock_);
  if (!step.per_item) count_per_pass(begin);
}

void Thread::post_recvs(const ReplenishStep& step) {
  const std::size_t due = plan_->recvs != nullptr ? std::exchange(recvs_due_, 0) : handled_;
  const auto count = static_cast<std::int64_t>(due);
  Time recvs = machine_->profile().cpu.recv_cost * count;
  if (requests_->shared() && count > 0) {
    work_locked(requests_->receives(), "posts RECVs", recvs);
    recvs = Time{0};
  }
  const Time time = step.per_pass + step.per_item * count + recvs;
  const Time begin = clock_;
  work("posts RECVs", time);
  count_per_pass(begin, share_of(step.per_pass, time));
  std::size_t left = due;
  for (; !to_refill_.empty(); --left) --to_refill_.pop()->recvs_used;
  requests_->add_recvs(left);
}

}  // namespace doorbell::model
