#include "models/programs/request_queue.hpp"

#include <algorithm>

#include "models/programs/thread.hpp"

namespace doorbell::model {

int RequestQueue::visible(Time now, int at_most) const {
  const auto most = std::min(messages_.size(), static_cast<std::size_t>(at_most));
  std::size_t count = 0;
  while (count < most && messages_[count]->visible <= now) ++count;
  return static_cast<int>(count);
}

Thread* RequestQueue::next_waiting(Time when) const {
  const auto polls = std::ranges::find_if(waiting_, [when](const Thread* thread) { return !thread->sleeps_at(when); });
  if (polls != waiting_.end()) return *polls;
  return waiting_.empty() ? nullptr : waiting_.front();
}

}  // namespace doorbell::model
