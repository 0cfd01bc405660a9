#include "models/remote_memory/completion_queue.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::model {

void CompletionQueue::start() {
  for (int i = 0; i < handlers(); ++i) {
    core::start(calendar_, polls_for_ever() ? poll(pollers_.emplace_back(*this)) : serve());
  }
}

void CompletionQueue::push(Time visible, std::uint64_t completion) {
  entries_.push_back({visible, completion});
  wake_sleeper(visible);
}

void CompletionQueue::wake_sleeper(Time visible) {
  // What no poller can see stays until one has its turn.
  const auto found = std::find_if(sleepers_.begin(), sleepers_.end(), [](const Sleeper* one) { return one->awake(); });
  if (found == sleepers_.end()) return;
  Sleeper& sleeper = **found;
  sleepers_.erase(found);
  if (sleeper.patience < Time::max()) calendar_.cancel(sleeper.timeout);
  const Time seen = std::max({visible, calendar_.now(), sleeper.awake_from()});
  calendar_.post_coroutine(seen, {}, sleeper.coroutine);
}

void CompletionQueue::Poller::Turn::await_suspend(std::coroutine_handle<> handle) {
  if (poller.runs()) {
    poller.queue_.calendar_.post_coroutine(poller.runs_from(), {}, handle);
  } else {
    poller.waiting_ = handle;
  }
}

void CompletionQueue::Poller::turn_begins() {
  if (waiting_) {
    queue_.calendar_.post_coroutine(runs_from(), {}, std::exchange(waiting_, nullptr));
  } else if (!queue_.entries_.empty()) {
    queue_.wake_sleeper(queue_.entries_.front().visible);
  }
}

void CompletionQueue::Sleeper::await_suspend(std::coroutine_handle<> handle) {
  coroutine = handle;
  if (!queue.entries_.empty()) {  // there, and not yet to be seen
    const Time visible = queue.entries_.front().visible;
    const Time end = patience < Time::max() ? queue.calendar_.now() + patience : Time::max();
    queue.calendar_.post_coroutine(std::min(visible, end), {}, handle);
    return;
  }
  queue.sleepers_.push_back(this);
  if (patience < Time::max()) timeout = queue.calendar_.after<&Sleeper::give_up>(patience, {}, *this);
}

void CompletionQueue::Sleeper::give_up(std::uint64_t) {
  std::erase(queue.sleepers_, this);
  coroutine.resume();
}

core::Process CompletionQueue::poll(Poller& poller) {
  core::TimeSlices& slices = cpu_.slices();
  slices.begin(poller);
  for (;;) {
    while (!has_visible() || !poller.looks()) {
      if (has_visible()) {
        co_await poller.turn();
        continue;
      }
      co_await arrival(Time::max(), &poller);
      // A loop that polls sees a completion half a round after it has become visible, on average.
      co_await core::delay(calendar_, driver_.poll / 2);
    }
    slices.work(poller);
    co_await work_off(1);
    slices.resume(poller);
  }
}

core::Process CompletionQueue::serve() {
  for (;;) {
    while (!has_visible()) co_await arrival(Time::max());
    co_await interrupt();
    co_await take_rounds();
  }
}

core::Task<> CompletionQueue::interrupt() {
  const Time began = calendar_.now();
  cpu_.count_interrupt();
  co_await core::delay(calendar_, driver_.interrupt_latency);
  co_await cpu_.work(driver_.interrupt);
  if (user_) {
    cpu_.count_context_switch();
    co_await cpu_.work(time_to_wake(driver_));
  }
  busy_ += calendar_.now() - began;
}

core::Task<> CompletionQueue::take_rounds() {
  if (handling_.mode == CompletionMode::event || handling_.mode == CompletionMode::event_batch) {
    co_await work_off(handling_.mode == CompletionMode::event ? 1 : handling_.budget);
    co_return;
  }
  const Time end = calendar_.now() + handling_.timer;
  for (;;) {
    co_await work_off(handling_.budget);
    if (has_visible()) {
      if (handling_.mode == CompletionMode::timer && calendar_.now() >= end) co_return;
      continue;
    }
    const Time patience = handling_.mode == CompletionMode::timer ? std::max(Time{0}, end - calendar_.now())
                                                                  : cpu_.repeated(driver_.poll, handling_.max_retry);
    if (patience == Time{0}) co_return;
    cpu_.spin(1);
    co_await arrival(patience);
    cpu_.spin(-1);
    if (!has_visible()) co_return;
  }
}

core::Task<> CompletionQueue::work_off(int most) {
  const Time began = calendar_.now();
  // A call finds what is there when it is made; what it found is then worked off.
  std::deque<std::uint64_t> found;
  while (has_visible() && static_cast<int>(found.size()) < most) {
    found.push_back(entries_.front().completion);
    entries_.pop_front();
  }
  // Threads that poll one queue pass its lock on to one another.
  const Time contention = line_transfer_ * (handlers() - 1);
  co_await cpu_.work(driver_.poll + contention + per_completion_ * static_cast<int>(found.size()));
  for (const std::uint64_t completion : found) co_await consumer_.consume(completion);
  co_await consumer_.round_over();
  busy_ += calendar_.now() - began;
}

double busiest_utilisation(const std::vector<std::unique_ptr<CompletionQueue>>& queues, Time measured) {
  Time most{0};
  for (const auto& queue : queues) most = std::max(most, queue->busy());
  return std::min(1.0, to_seconds(most) / to_seconds(measured));
}

}  // namespace doorbell::model
