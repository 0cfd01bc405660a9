// The part of a thread that posts what arrives.
#include <algorithm>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::let_arrive(Time begin) {
  const std::string name = plan_->name + "/" + std::to_string(number_) + "/arrivals";
  arrivals_.emplace(*open_loop_->arrivals, core::RandomStream{seed_, name}, begin);
}

void Thread::begin_arrivals(const PostStep& step) {
  arrivals_->advance(clock_.now());
  // One call, or a thread that more arrives at than it can post would never take an answer.
  std::size_t most = std::min(arrivals_->waiting(), static_cast<std::size_t>(step.batch));
  if (step.window > 0)
    most = window_is_full(step) ? 0 : std::min(most, static_cast<std::size_t>(step.window) - outstanding_.size());
  to_post_ = static_cast<int>(most);
}

bool Thread::nothing_came() {
  if (unfinished_.all_waiting() > 0) return false;
  const Time answer = outstanding_.has(1) ? outstanding_.when(1) : Time::max();
  const Time earliest = window_is_full(*open_loop_) ? answer : std::min(answer, arrivals_->next());
  if (earliest <= clock_.now()) return false;
  wait_ = Wait::answers;
  answers_needed_ = 1;
  // Answers that nobody knows of yet wake it by themselves.
  if (earliest < Time::max()) calendar_.at<&Thread::resume_parked>(earliest, priority_, *this, sleeps_);
  return true;
}

}  // namespace doorbell::model
