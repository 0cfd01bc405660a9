#include "core/time_slices.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace doorbell::core {

TimeSlices::TimeSlices(Calendar& calendar, std::vector<double> speeds, const SliceRules& rules)
    : calendar_{calendar}, rules_{rules}, sharing_{calendar, std::move(speeds)} {
  if (!takes_turns()) return;
  if (rules_.tick <= Time{0}) throw std::invalid_argument("slices of time need a tick");
  sharing_.watch([](void* self, std::uint64_t) { static_cast<TimeSlices*>(self)->changed(0); }, this);
}

void TimeSlices::begin(Loop& loop) {
  const Time now = calendar_.now();
  loop.runs_from_ = now;
  if (!takes_turns()) {
    loop.state_ = Loop::State::spins;
    sharing_.spin(1);
    return;
  }
  // Loops begin at different times on real processors. The golden ratio spreads their first turns without chance.
  constexpr double golden = 0.6180339887498949;
  const double part = std::fmod(static_cast<double>(loops_.size()) * golden, 1.0);
  const auto used = static_cast<std::int64_t>(part * static_cast<double>(rules_.latency.count()) / 2);
  loops_.push_back(&loop);
  loop.had_ = work_had();
  loop.since_ = now;
  loop.turn_ = now - Time{used};
  if (occupied() < sharing_.servers()) {
    loop.state_ = Loop::State::spins;
    ++spinning_;
    sharing_.hold(1, 0);
  } else {
    loop.state_ = Loop::State::waits;
    ++waiting_;
    sharing_.hold(0, 1);
  }
  changed(0);
}

void TimeSlices::work(Loop& loop) {
  if (!takes_turns()) {
    sharing_.spin(-1);
    return;
  }
  loop.had_ = had(loop) - sharing_.share_given();
  loop.state_ = Loop::State::works;
  --spinning_;
  sharing_.hold(-1, 0);
  changed(0);
}

void TimeSlices::resume(Loop& loop) {
  if (!takes_turns()) {
    sharing_.spin(1);
    return;
  }
  loop.had_ = had(loop);
  loop.state_ = Loop::State::spins;
  loop.since_ = calendar_.now();
  ++spinning_;
  sharing_.hold(1, 0);
  changed(0);
}

void TimeSlices::reset_statistics() {
  sharing_.reset_statistics();
  changes_ = 0;
}

double TimeSlices::had(const Loop& loop) const {
  if (loop.state_ == Loop::State::works) return loop.had_ + sharing_.share_given();
  if (loop.state_ == Loop::State::waits) return loop.had_;
  return loop.had_ + static_cast<double>((calendar_.now() - loop.since_).count());
}

Time TimeSlices::slice() const {
  const double part = static_cast<double>(sharing_.servers()) / static_cast<double>(occupied() + waiting_);
  return std::max(rules_.granularity,
                  Time{static_cast<std::int64_t>(static_cast<double>(rules_.latency.count()) * std::min(1.0, part))});
}

TimeSlices::Loop* TimeSlices::most_served() const {
  Loop* most = nullptr;
  for (Loop* loop : loops_) {
    if (loop->state_ != Loop::State::spins) continue;
    if (most == nullptr || had(*loop) > had(*most)) most = loop;
  }
  return most;
}

TimeSlices::Loop* TimeSlices::least_served() const {
  Loop* least = nullptr;
  for (Loop* loop : loops_) {
    if (loop->state_ != Loop::State::waits) continue;
    // Of equals the one that has waited longest.
    if (least == nullptr || loop->had_ < least->had_ || (loop->had_ == least->had_ && loop->since_ < least->since_)) {
      least = loop;
    }
  }
  return least;
}

void TimeSlices::changed(std::uint64_t) {
  if (loops_.empty()) return;
  if (!crowded() && !was_crowded_) {
    settled_ = occupied();
    return;
  }
  was_crowded_ = true;
  if (!ticking_) {
    ticking_ = true;
    calendar_.at<&TimeSlices::tick>(rules_.tick * (calendar_.now() / rules_.tick + 1), {}, *this);
  }
  if (settling_ || occupied() == settled_) return;
  // Not before all that happens now: a thread may go from one piece of work to the next.
  settling_ = true;
  calendar_.after<&TimeSlices::settle>(Time{0}, {}, *this);
}

void TimeSlices::settle(std::uint64_t) {
  settling_ = false;
  while (spinning_ > sharing_.servers()) stop(*most_served());
  while (waiting_ > 0 && occupied() < sharing_.servers()) start(*least_served());
  int woken = occupied() - settled_;
  if (woken > 0 && sharing_.sharing() > 0) {
    // Who has slept for long does not get all of that time back (place_entity() with GENTLE_FAIR_SLEEPERS).
    double fair = had(*loops_.front());
    for (const Loop* loop : loops_) fair = std::min(fair, had(*loop));
    head_start_ += std::max(0.0, fair - static_cast<double>(rules_.latency.count()) / 2 - work_had());
    for (; woken > 0 && occupied() > sharing_.servers(); --woken) {
      Loop* loop = most_served();
      if (loop == nullptr || had(*loop) - work_had() <= static_cast<double>(rules_.wakeup.count())) break;
      stop(*loop);
    }
  }
  settled_ = occupied();
  was_crowded_ = crowded();
}

void TimeSlices::tick(std::uint64_t) {
  ticking_ = crowded();
  if (!ticking_) return;
  calendar_.after<&TimeSlices::tick>(rules_.tick, {}, *this);
  const int before = occupied();
  end_turns();
  give_waiting_their_turns();
  settled_ += occupied() - before;  // none of them has woken up
}

void TimeSlices::end_turns() {
  const Time now = calendar_.now();
  const auto whole = static_cast<double>(slice().count());
  std::vector<Loop*> running;
  for (Loop* loop : loops_) {
    if (loop->state_ == Loop::State::spins) running.push_back(loop);
  }
  std::stable_sort(running.begin(), running.end(), [&](const Loop* a, const Loop* b) { return had(*a) > had(*b); });
  for (Loop* loop : running) {
    Loop* other = least_served();
    const bool work = sharing_.sharing() > 0 && occupied() > sharing_.servers();
    if (other == nullptr && !work) return;
    const bool to_work = work && (other == nullptr || work_had() < other->had_);
    const double ahead = had(*loop) - (to_work ? work_had() : other->had_);
    const Time turn = now - loop->turn_;
    // Its slice is over, or another has been kept waiting for more than one (check_preempt_tick()).
    if ((turn < slice() || ahead < 0) && (turn < rules_.granularity || ahead <= whole)) continue;
    stop(*loop);
    if (to_work) {
      ++changes_;
    } else {
      start(*other);
    }
  }
}

void TimeSlices::give_waiting_their_turns() {
  // What has run in the place of one that waits for a slice has run for a slice.
  while (waiting_ > 0 && spinning_ < sharing_.servers()) {
    Loop* loop = least_served();
    if (calendar_.now() - loop->since_ < slice() || loop->had_ > work_had()) return;
    start(*loop);
  }
}

void TimeSlices::start(Loop& loop) {
  const Time now = calendar_.now();
  loop.state_ = Loop::State::spins;
  loop.since_ = now;
  loop.turn_ = now;
  loop.runs_from_ = now + rules_.change;
  --waiting_;
  ++spinning_;
  ++changes_;
  sharing_.hold(1, -1);
  loop.turn_begins();
}

void TimeSlices::stop(Loop& loop) {
  loop.had_ = had(loop);
  loop.state_ = Loop::State::waits;
  loop.since_ = calendar_.now();
  ++waiting_;
  --spinning_;
  sharing_.hold(-1, 1);
}

}  // namespace doorbell::core
