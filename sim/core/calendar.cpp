#include "core/calendar.hpp"

#include "core/process.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace doorbell::core {

namespace {

constexpr unsigned min_bits = 8;
constexpr unsigned max_bits = 22;

unsigned ring_bits(std::size_t pending) {
  return std::clamp(static_cast<unsigned>(std::bit_width(pending)) + 1U, min_bits, max_bits);
}

/// Shift of the narrowest bucket that is not narrower than the mean distance between events.
unsigned bucket_shift(std::uint64_t elapsed, std::uint64_t events) {
  const std::uint64_t spacing = elapsed / std::max<std::uint64_t>(events, 1);
  return std::min(static_cast<unsigned>(std::bit_width(spacing)), 40U);
}

}  // namespace

Calendar::Calendar() : wheel_{pool_} {}

Calendar::~Calendar() { clear(); }

void Calendar::throw_past(Time when) const {
  throw std::logic_error("event scheduled for " + std::to_string(when.count()) + " ps, but the time is already " +
                         std::to_string(now_) + " ps");
}

bool Calendar::cancel(EventId id) {
  if (id.slot >= pool_.size() || id.sequence == EventId::no_sequence) return false;
  detail::Event& event = pool_[id.slot];
  if (event.sequence != id.sequence || event.cancelled()) return false;
  event.handler = nullptr;
  event.object = nullptr;
  --pending_;
  ++cancelled_;
  if (cancelled_ > pending_ + 1024) purge();
  return true;
}

void Calendar::purge() {
  std::vector<detail::Entry>& entries = near_.entries();
  std::erase_if(entries, [this](const detail::Entry& entry) {
    const bool dead = pool_[entry.slot].cancelled();
    if (dead) pool_.release(entry.slot);
    return dead;
  });
  near_.rebuild();
  cancelled_ = 0;
  if (near_end_ != unbounded) reconfigure(wheel_.shift(), wheel_.bits());
}

void Calendar::reconfigure(unsigned shift, unsigned bits) {
  std::uint32_t slot = wheel_.take_all();
  wheel_.configure(near_end_, shift, bits);
  while (slot != detail::no_slot) {
    const std::uint32_t next = pool_[slot].next;
    if (pool_[slot].cancelled()) {
      pool_.release(slot);
    } else {
      wheel_.insert(slot, pool_[slot].time);
    }
    slot = next;
  }
}

void Calendar::spill() {
  std::vector<detail::Entry> all;
  all.swap(near_.entries());
  std::sort(all.begin(), all.end(), detail::before);
  const std::size_t middle = all.size() / 2;
  // The median, since one far timer would spoil the mean.
  const unsigned shift = bucket_shift(all[middle].time - now_, middle);
  near_end_ = ((now_ >> shift) + 1) << shift;
  wheel_.configure(near_end_, shift, ring_bits(all.size()));
  all.swap(near_.entries());
  std::vector<detail::Entry>& entries = near_.entries();
  // What is left is sorted, hence already a heap.
  while (!entries.empty() && entries.back().time >= near_end_) {
    wheel_.insert(entries.back().slot, entries.back().time);
    entries.pop_back();
  }
  tuned_at_ = executed_;
  tuned_time_ = now_;
  next_tuning_ = executed_ + 512;
}

void Calendar::tune() {
  const unsigned shift = bucket_shift(now_ - tuned_time_, executed_ - tuned_at_);
  const unsigned bits = ring_bits(wheel_.size());
  const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  const bool resize = bits > wheel_.bits() || bits + 2 < wheel_.bits();
  if (apart(shift, wheel_.shift()) >= 2 || resize) {
    reconfigure(shift, bits);
    cancelled_ = 0;
  }
  tuned_at_ = executed_;
  tuned_time_ = now_;
  next_tuning_ = executed_ + 1024 + 4 * wheel_.size();
}

bool Calendar::refill() {
  for (;;) {
    if (near_end_ == unbounded || wheel_.empty()) {
      near_end_ = unbounded;
      return false;
    }
    if (wheel_.size() < min_wheel) {
      near_end_ = unbounded;
      for (std::uint32_t slot = wheel_.take_all(); slot != detail::no_slot;) {
        const detail::Event& event = pool_[slot];
        near_.push({event.time, event.sequence, event.rank, slot});
        slot = event.next;
      }
      return true;
    }
    if (executed_ >= next_tuning_) {
      tune();
      if (wheel_.empty()) continue;
    }
    const detail::Wheel::Bucket bucket = wheel_.take();
    near_end_ = bucket.end;
    std::size_t count = 0;
    for (std::uint32_t slot = bucket.first; slot != detail::no_slot;) {
      const detail::Event& event = pool_[slot];
      const std::uint32_t next = event.next;
      if (event.cancelled()) {
        pool_.release(slot);
        --cancelled_;
      } else {
        near_.push({event.time, event.sequence, event.rank, slot});
      }
      ++count;
      slot = next;
    }
    wheel_.taken(count);
    if (!near_.empty()) return true;
  }
}

bool Calendar::prepare() {
  for (;;) {
    if (near_.empty() && !refill()) return false;
    const std::uint32_t slot = near_.top().slot;
    if (!pool_[slot].cancelled()) [[likely]] return true;
    near_.pop();
    pool_.release(slot);
    --cancelled_;
  }
}

void Calendar::execute() {
  const std::uint32_t slot = near_.top().slot;
  const detail::Event& event = pool_[slot];
  now_ = event.time;
  const Handler handler = event.handler;
  void* const object = event.object;
  const std::uint64_t argument = event.argument;
  near_.pop();
  pool_.release(slot);
  --pending_;
  ++executed_;
  if (handler != nullptr) {
    handler(object, argument);
  } else {
    std::coroutine_handle<>::from_address(object).resume();
  }
}

bool Calendar::step() {
  if (!prepare()) return false;
  execute();
  return true;
}

void Calendar::run() {
  stopped_ = false;
  while (!stopped_ && prepare()) execute();
}

void Calendar::run_until(Time end) {
  stopped_ = false;
  const auto limit = static_cast<std::uint64_t>(end.count());
  if (end < now()) return;
  while (!stopped_ && prepare() && near_.top().time <= limit) execute();
  if (!stopped_) now_ = limit;
}

void Calendar::clear() {
  detail::destroy_processes(processes_);
  near_.entries().clear();
  near_end_ = unbounded;
  wheel_.configure(0, wheel_.shift(), min_bits);
  pool_.clear();
  pending_ = 0;
  cancelled_ = 0;
}

}  // namespace doorbell::core
