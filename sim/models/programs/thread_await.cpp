// The awaiting half of a thread: answers to its operations and their completions, until it takes them.
#include <algorithm>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::take_completion(const Message& message) {
  QueuePair& pair = *message.queue_pair;
  const bool polled = message.signaled && !pair.polled_for_room;
  // Its CQE is polled with the answer.
  if (polled) pair.poll_completion();
  const Answer answer{message.visible, message.posted, polled, message.plan->take_data, nullptr, message.unfinished};
  outstanding_.complete(message.number, answer);
}

std::size_t Thread::awaited(const AwaitStep& step) const {
  if (arrivals_) return 0;
  const std::size_t under_way = outstanding_.size() - unfinished_.all_waiting();
  return step.at_least == 0 ? under_way : std::min(under_way, static_cast<std::size_t>(step.at_least));
}

bool Thread::waits_for_answers(std::size_t at_least) {
  if (arrivals_) return nothing_came();
  if (outstanding_.has(at_least)) return false;
  answers_needed_ = at_least;
  wait_ = Wait::answers;
  go_idle();
  return true;
}

void Thread::take_answers(const AwaitStep& step, std::size_t at_least) {
  std::size_t taken = 0;
  std::size_t ended = 0;  // of those, operations that do not go on
  Time posted{0};         // sum over these
  const bool from_several = plan_->asks_several;
  const Program* last = from_several ? outstanding_.last_of(at_least) : nullptr;
  const Time enough = at_least > 0 ? outstanding_.when(at_least) : Time{0};
  while (!outstanding_.none_came() && (taken < at_least || outstanding_[0].visible <= clock_.now())) {
    const Answer answer = outstanding_.take();
    go_idle();
    clock_.advance_to(answer.visible);
    if (answer.polled) woken();
    plan_->statistics.taken_late += clock_.now() - std::max(answer.visible, enough);
    const Time poll = answer.polled ? machine_->profile().cpu.poll_cqe : Time{0};
    clock_.work("takes answers", step.per_item + poll + answer.take_data);
    ++taken;
    if (answer.unfinished != 0) {
      unfinished_.ready(answer.unfinished);
      continue;
    }
    ++ended;
    plan_->statistics.latency.add(clock_.now() - answer.posted);
    posted += answer.posted;
    if (from_several) {
      last = at_least > 0 ? last : answer.by;
      plan_->statistics.service(answer.by).until_answered += answer.visible - answer.posted;
    }
  }
  // Nothing is posted in their place before all of them have been taken.
  const Time in_window = clock_.now() * static_cast<std::int64_t>(ended) - posted;
  plan_->statistics.in_window += in_window;
  if (from_several && ended > 0) plan_->statistics.service(last).in_window += in_window;
  outstanding_.end(ended, posted);
  handled_ = taken;
  if (arrivals_) plan_->statistics.operations += ended;
}

}  // namespace doorbell::model
