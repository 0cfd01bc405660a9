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
  if (plan_->in_order) {
    // The oldest operation that has not been taken is the front.
    const std::uint32_t oldest = next_number_ - static_cast<std::uint32_t>(answers_.size());
    answers_[message.number - oldest] = answer;
  } else {
    answers_.push(answer);
  }
}

std::size_t Thread::awaited(const AwaitStep& step) const {
  if (arrivals_) return 0;
  const std::size_t under_way = outstanding_ - unfinished_.all_waiting();
  return step.at_least == 0 ? under_way : std::min(under_way, static_cast<std::size_t>(step.at_least));
}

bool Thread::waits_for_answers(std::size_t at_least) {
  if (arrivals_) return nothing_came();
  if (answered(at_least)) return false;
  answers_needed_ = at_least;
  wait_ = Wait::answers;
  go_idle();
  return true;
}

bool Thread::answered(std::size_t at_least) const {
  if (answers_.size() < at_least) return false;
  return !plan_->in_order || answered_when(at_least) < Time::max();
}

Time Thread::answered_when(std::size_t at_least) const {
  if (!plan_->in_order) return answers_[at_least - 1].visible;
  Time last{0};
  for (std::size_t i = 0; i < at_least; ++i) last = std::max(last, answers_[i].visible);
  return last;
}

const Program* Thread::last_answering(std::size_t at_least) const {
  const Program* last = nullptr;
  Time latest{0};
  for (std::size_t i = 0; i < at_least; ++i) {
    if (answers_[i].visible < latest) continue;
    latest = answers_[i].visible;
    last = answers_[i].by;
  }
  return last;
}

void Thread::take_answers(const AwaitStep& step, std::size_t at_least) {
  std::size_t taken = 0;
  std::size_t ended = 0;  // of those, operations that do not go on
  Time posted{0};         // sum over these
  const bool from_several = plan_->asks_several;
  const Program* last = from_several ? last_answering(at_least) : nullptr;
  const Time enough = at_least > 0 ? answered_when(at_least) : Time{0};
  while (!answers_.empty() && (taken < at_least || answers_.front().visible <= clock_)) {
    const Answer answer = answers_.pop();
    go_idle();
    clock_ = std::max(clock_, answer.visible);
    if (answer.polled) woken();
    plan_->statistics.taken_late += clock_ - std::max(answer.visible, enough);
    const Time poll = answer.polled ? machine_->profile().cpu.poll_cqe : Time{0};
    work("takes answers", step.per_item + poll + answer.take_data);
    ++taken;
    if (answer.unfinished != 0) {
      unfinished_.ready(answer.unfinished);
      continue;
    }
    ++ended;
    plan_->statistics.latency.add(clock_ - answer.posted);
    posted += answer.posted;
    if (from_several) {
      last = at_least > 0 ? last : answer.by;
      plan_->statistics.service(answer.by).until_answered += answer.visible - answer.posted;
    }
  }
  // Nothing is posted in their place before all of them have been taken.
  const Time in_window = clock_ * static_cast<std::int64_t>(ended) - posted;
  plan_->statistics.in_window += in_window;
  if (from_several && ended > 0) plan_->statistics.service(last).in_window += in_window;
  outstanding_ -= ended;
  posted_ -= posted;
  handled_ = taken;
  if (arrivals_) plan_->statistics.operations += ended;
}

}  // namespace doorbell::model
