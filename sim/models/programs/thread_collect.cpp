// The collecting half of a thread: requests in memory or in a completion queue, what they are computed with, and the
// RECVs for the next ones.
#include <algorithm>
#include <utility>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::take_request(Message* message, Time cost) {
  clock_.work("collects", cost);
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
  const Time began = clock_.now();
  int found = 0;
  if (region_.requests() == 0) return 0;
  for (std::size_t looked = 0; looked < region_.slots() && found < step.at_most; ++looked) {
    if (Message* request = region_.look(began)) {
      take_request(request, step.per_item);
      ++found;
    } else {
      clock_.pass(clock_.longer(step.per_slot));
    }
  }
  return found;
}

int Thread::poll_queue(const CollectStep& step) {
  // What is there when it has the lock is found.
  const Time begin =
      requests_->shared() ? std::max(clock_.now(), requests_->completions().server().busy_until()) : clock_.now();
  const int found = requests_->visible(begin, step.at_most);
  Time poll = machine_->profile().cpu.poll_cqe;
  if (requests_->shared() && found > 0) {
    clock_.work_locked(requests_->completions(), physical_core(), "polls", poll * found);
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
    const Time begin = clock_.now();
    clock_.work("collects", step.per_pass);
    clock_.count_per_pass(begin);
    ++plan_->statistics.collections;
    plan_->statistics.collected += static_cast<std::uint64_t>(found);
  }
  handled_ += static_cast<std::size_t>(found);
  return found;
}

bool Thread::finds_requests(const CollectStep& step) {
  const Time returned = earliest_return();
  return take_requests(step) > 0 || returned <= clock_.now();
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
      clock_.advance_to(earliest);
    }
    idle = !woken();  // and goes on waiting if another thread has been faster
    if (idle) clock_.pass(detection_delay(step));
    if (!idle) slept_until_ = clock_.now();
    co_await CatchUp{*this};
  } while (!finds_requests(step));
}

Time Thread::earliest_request(const CollectStep& step) const {
  if (step.via == Channel::completion_queue) return requests_->earliest();
  return region_.earliest();
}

Time Thread::detection_delay(const CollectStep& step) const {
  if (step.via == Channel::completion_queue) {
    const HardwareProfile& hardware = machine_->profile();
    // Threads that poll one queue pass its lock on: the next of them looks once the line has come.
    const Time transfer = requests_->shared() ? hardware.shared_line.transfer : Time{0};
    return (clock_.longer(hardware.cpu.poll_empty) + transfer) / 2;
  }
  return clock_.longer(step.per_slot) * static_cast<std::int64_t>(region_.slots()) / 2;
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
  const Time begin = clock_.now();
  clock_.work("computes", time);
  clock_.count_per_pass(begin, share_of(step.per_pass, time));
}

void Thread::increment(const IncrementStep& step) {
  const Time begin = clock_.now();
  clock_.occupy("increments", machine_->line(step.line).increment(clock_.now(), physical_core()) - clock_.now());
  if (!step.per_item) clock_.count_per_pass(begin);
}

void Thread::post_recvs(const ReplenishStep& step) {
  const std::size_t due = plan_->recvs != nullptr ? std::exchange(recvs_due_, 0) : handled_;
  const auto count = static_cast<std::int64_t>(due);
  Time recvs = machine_->profile().cpu.recv_cost * count;
  if (requests_->shared() && count > 0) {
    clock_.work_locked(requests_->receives(), physical_core(), "posts RECVs", recvs);
    recvs = Time{0};
  }
  const Time time = step.per_pass + step.per_item * count + recvs;
  const Time begin = clock_.now();
  clock_.work("posts RECVs", time);
  clock_.count_per_pass(begin, share_of(step.per_pass, time));
  std::size_t left = due;
  for (; !to_refill_.empty(); --left) --to_refill_.pop()->recvs_used;
  requests_->add_recvs(left);
}

}  // namespace doorbell::model
