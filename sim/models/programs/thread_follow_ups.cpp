// The part of a thread that goes on with operations of several parts.
#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::choose_to_go_on(const PostPlan& post, PostingCall& call) {
  unfinished_.take(post.number, static_cast<std::size_t>(post.step->batch), to_go_on_);
  const Unfinished& first = unfinished_[to_go_on_.front()];
  call.wqes = static_cast<int>(to_go_on_.size());
  call.queue_pair = first.queue_pair;
  call.peer = first.target;
  call.plans = &post.plans.front();
}

DrawnOperation Thread::next_part(const PostPlan& post, const StepPlans& plans, std::uint32_t number, int wqes) {
  const std::size_t next = unfinished_[number].next;
  return {&plans.follow_ups[next].of(wqes), &post.follow_ups.operations()[next]->region,
          1 + post.step->mix.size() + next};
}

void Thread::go_on_with(const PostPlan& post, std::uint32_t number, Message& message) {
  Unfinished& operation = unfinished_[number];
  message.posted = operation.posted;
  message.number = outstanding_.begin_part(message.posted);
  if (const auto next = post.follow_ups.next(operation.next, random_)) {
    operation.next = *next;
    message.unfinished = number;
  } else {
    unfinished_.forget(number);
  }
}

}  // namespace doorbell::model
