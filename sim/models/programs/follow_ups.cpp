#include "models/programs/follow_ups.hpp"

namespace doorbell::model {

FollowUpList::FollowUpList(const PostStep& step) {
  if (!has_follow_ups(step)) return;  // most steps, which then keep nothing
  operations_ = follow_ups_of(step);
  begins_ = {0, step.then.size()};
  for (const Alternative& other : step.mix) begins_.push_back(begins_.back() + other.then.size());
}

std::optional<std::size_t> FollowUpList::among(std::size_t begin, std::size_t end, core::RandomStream& random) const {
  for (std::size_t place = begin; place < end; ++place) {
    const double share = operations_[place]->share;
    if (share >= 1 || random.uniform() < share) return place;
  }
  return std::nullopt;
}

std::uint32_t FollowUps::keep(const Unfinished& operation) {
  if (free_.empty()) {
    kept_.push_back(operation);
    return static_cast<std::uint32_t>(kept_.size());
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  kept_[number - 1] = operation;
  return number;
}

void FollowUps::ready(std::uint32_t number) {
  const std::size_t step = kept_[number - 1].step;
  if (step >= waiting_.size()) waiting_.resize(step + 1);
  waiting_[step].push(number);
  ++all_waiting_;
}

void FollowUps::take(std::size_t step, std::size_t most, std::vector<std::uint32_t>& taken) {
  taken.clear();
  core::RingQueue<std::uint32_t>& waiting = waiting_[step];
  const auto goes_along = [&](std::uint32_t number) {
    const Unfinished& leader = (*this)[taken.front()];
    const Unfinished& other = (*this)[number];
    return other.queue_pair == leader.queue_pair && other.target == leader.target;
  };
  while (!waiting.empty() && taken.size() < most && (taken.empty() || goes_along(waiting.front())))
    taken.push_back(waiting.pop());
  all_waiting_ -= taken.size();
}

}  // namespace doorbell::model
