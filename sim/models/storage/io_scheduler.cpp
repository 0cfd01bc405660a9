#include "models/storage/io_scheduler.hpp"

#include <algorithm>

namespace doorbell::model {
namespace {

constexpr double habit_weight = 0.125;  // of the newest observation; block/as-iosched.c

}  // namespace

IoSchedulerQueue::IoSchedulerQueue(IoScheduler scheduler, int depth, Bytes largest, const IoSchedulerTunables& tunables)
    : scheduler_{scheduler}, tunables_{tunables}, depth_{depth}, largest_{largest} {}

bool IoSchedulerQueue::merge(const IoRequest& request) {
  for (IoRequest& waiting : queue_) {
    if (waiting.operation != request.operation) continue;
    if (waiting.end - waiting.begin + request.end - request.begin > largest_.count) continue;
    if (waiting.end == request.begin) {
      waiting.end = request.end;
    } else if (request.end == waiting.begin) {
      waiting.begin = request.begin;
    } else {
      continue;
    }
    waiting.submitters.insert(waiting.submitters.end(), request.submitters.begin(), request.submitters.end());
    return true;
  }
  return false;
}

void IoSchedulerQueue::add(IoRequest request) {
  Habit& habit = habits_[request.process()];
  if (habit.unfinished == 0 && habit.last_end > Time{0}) {
    const double think = to_seconds(request.added - habit.last_end);
    habit.think_seconds = habit.known ? habit.think_seconds + habit_weight * (think - habit.think_seconds) : think;
    habit.known = true;
  }
  ++habit.unfinished;
  if (request.process() == owner_) idle_until_.reset();
  if (!merge(request)) queue_.push_back(std::move(request));
}

void IoSchedulerQueue::completed(const IoRequest& request, Time now) {
  --in_flight_;
  for (const IoRequest::Submitter& submitter : request.submitters) {
    Habit& habit = habits_[submitter.process];
    --habit.unfinished;
    habit.last_end = now;
  }
  if (request.operation != BlockOperation::read || request.process() != owner_) return;
  if (scheduler_ == IoScheduler::anticipatory && worth_waiting_for(owner_, tunables_.antic_expire)) {
    idle_until_ = now + tunables_.antic_expire;
  }
  if (scheduler_ == IoScheduler::cfq && in_flight_ == 0 && worth_waiting_for(owner_, tunables_.slice_idle)) {
    idle_until_ = std::min(now + tunables_.slice_idle, std::max(now, slice_ends_));
  }
}

std::optional<Time> IoSchedulerQueue::idle_until() const {
  return queue_.empty() ? std::optional<Time>{} : idle_until_;
}

bool IoSchedulerQueue::worth_waiting_for(int process, Time limit) const {
  const auto habit = habits_.find(process);
  if (habit == habits_.end() || has_request_of(process)) return false;
  return !habit->second.known || habit->second.think_seconds <= to_seconds(limit);
}

bool IoSchedulerQueue::has_request_of(int process) const {
  return std::any_of(queue_.begin(), queue_.end(),
                     [process](const IoRequest& request) { return request.process() == process; });
}

/// The closest request at or above the position, else the lowest of all.
IoSchedulerQueue::Queue::iterator IoSchedulerQueue::upwards(std::optional<int> process,
                                                            std::optional<BlockOperation> operation) {
  const auto rank = [this](const IoRequest& request) { return std::pair{request.begin < position_, request.begin}; };
  auto best = queue_.end();
  for (auto request = queue_.begin(); request != queue_.end(); ++request) {
    if (process && request->process() != *process) continue;
    if (operation && request->operation != *operation) continue;
    if (best == queue_.end() || rank(*request) < rank(*best)) best = request;
  }
  return best;
}

IoSchedulerQueue::Queue::iterator IoSchedulerQueue::choose_deadline(Time now) {
  const auto oldest = [this](BlockOperation operation) {
    return std::find_if(queue_.begin(), queue_.end(),
                        [operation](const IoRequest& request) { return request.operation == operation; });
  };
  if (batch_ > 0) {
    const auto more = upwards({}, direction_);
    // A batch goes upwards only.
    if (more != queue_.end() && more->begin >= position_) {
      --batch_;
      return more;
    }
  }
  const auto read = oldest(BlockOperation::read);
  const auto write = oldest(BlockOperation::write);
  const bool reads = read != queue_.end() && (write == queue_.end() || writes_starved_ < tunables_.writes_starved);
  writes_starved_ = reads && write != queue_.end() ? writes_starved_ + 1 : 0;
  direction_ = reads ? BlockOperation::read : BlockOperation::write;
  batch_ = tunables_.fifo_batch - 1;
  const auto first = reads ? read : write;
  const Time patience = reads ? tunables_.read_expire : tunables_.write_expire;
  return first->added + patience <= now ? first : upwards({}, direction_);
}

IoSchedulerQueue::Queue::iterator IoSchedulerQueue::choose_anticipatory(Time now) {
  if (in_flight_ > 0) return queue_.end();
  if (idle_until_ && now < *idle_until_ && !has_request_of(owner_)) {
    // A request near the heads is as good as what is waited for.
    return std::find_if(queue_.begin(), queue_.end(), [this](const IoRequest& request) {
      return request.begin >= position_ && request.begin - position_ <= tunables_.antic_close.count;
    });
  }
  idle_until_.reset();
  if (now - queue_.front().added > tunables_.antic_read_expire) {
    owner_ = queue_.front().process();
    return queue_.begin();
  }
  const auto own = upwards(owner_, {});
  const auto next = own != queue_.end() ? own : choose_deadline(now);
  owner_ = next->process();
  return next;
}

IoSchedulerQueue::Queue::iterator IoSchedulerQueue::choose_cfq(Time now) {
  if (in_flight_ >= tunables_.quantum) return queue_.end();
  const bool own = has_request_of(owner_);
  if (!own && idle_until_ && now < *idle_until_) return queue_.end();
  idle_until_.reset();
  if (!own || now >= slice_ends_) {
    if (in_flight_ > 0) return queue_.end();
    // The process after the last one, in turn, of those that wait.
    int next = queue_.front().process();
    bool after = next > owner_;
    for (const IoRequest& request : queue_) {
      const bool later = request.process() > owner_;
      if (later == after ? request.process() < next : later) next = request.process();
      after = after || later;
    }
    owner_ = next;
    slice_ends_ = now + tunables_.slice_sync;
  }
  return upwards(owner_, {});
}

std::optional<IoRequest> IoSchedulerQueue::next(Time now) {
  if (queue_.empty() || in_flight_ >= depth_) return {};
  auto chosen = queue_.begin();
  if (scheduler_ == IoScheduler::deadline) chosen = choose_deadline(now);
  if (scheduler_ == IoScheduler::anticipatory) chosen = choose_anticipatory(now);
  if (scheduler_ == IoScheduler::cfq) chosen = choose_cfq(now);
  if (chosen == queue_.end()) return {};
  IoRequest request = std::move(*chosen);
  queue_.erase(chosen);
  idle_until_.reset();
  position_ = request.end;
  ++in_flight_;
  return request;
}

}  // namespace doorbell::model
