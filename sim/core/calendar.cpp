#include "core/calendar.hpp"

#include "core/process.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace doorbell::core {

namespace {

constexpr unsigned min_bits = 8;
constexpr unsigned max_bits = 24;

// Buckets are narrow, so that most hold one event: two would have to be sorted, and a mispredicted branch costs more
// than a dozen empty buckets, which the bit map skips 64 at a time. Both numbers were chosen by bench/.

/// With so many pending events twice as many heads would no longer fit the first-level cache beside them.
constexpr std::size_t many = 1024;

/// The ring covers about four mean increments: most events never go through the upper levels.
unsigned ring_bits(std::size_t pending) {
  const unsigned heads = pending < many ? 3U : 2U;
  return std::clamp(static_cast<unsigned>(std::bit_width(pending)) + heads, min_bits, max_bits);
}

/// The width is between half of the mean distance between events and all of it, and half of that where few are pending:
/// narrower, and the heads leave the cache.
unsigned bucket_shift(std::uint64_t elapsed, std::uint64_t events, std::size_t pending) {
  const std::uint64_t spacing = elapsed / std::max<std::uint64_t>(events, 1);
  return std::min(static_cast<unsigned>(std::bit_width(spacing / (pending < many ? 4 : 2))), 40U);
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
  detail::PendingEvent& event = pool_[id.slot];
  if (event.sequence != id.sequence || event.cancelled()) return false;
  event.handler = nullptr;
  event.object = nullptr;
  ++withdrawn_;
  ++cancelled_;
  if (cancelled_ > pending() + 1024) purge();
  return true;
}

void Calendar::purge() {
  for (; ready_ != detail::no_slot; ready_ = pool_[ready_].next) push(ready_);
  std::vector<detail::Entry>& entries = near_.entries();
  std::erase_if(entries, [this](const detail::Entry& entry) {
    const bool dead = pool_[entry.slot].cancelled();
    if (dead) pool_.release(entry.slot);
    return dead;
  });
  near_.rebuild();
  if (near_end_ != unbounded) reconfigure(wheel_.shift(), wheel_.bits());
  cancelled_ = 0;
}

void Calendar::reconfigure(unsigned shift, unsigned bits) {
  std::uint32_t slot = wheel_.take_all();
  wheel_.configure(near_end_, shift, bits);
  while (slot != detail::no_slot) {
    const std::uint32_t next = pool_[slot].next;
    if (pool_[slot].cancelled()) {
      pool_.release(slot);
      --cancelled_;
    } else {
      wheel_.insert(slot);
    }
    slot = next;
  }
}

void Calendar::insert(std::uint32_t slot, const detail::PendingEvent& event) {
  if (event.time >= near_end_) {
    wheel_.insert(slot);
    return;
  }
  near_.push({event.time, event.sequence, event.rank, slot});
  if (near_end_ == unbounded && near_.size() > max_small) [[unlikely]]
    leave_heap();
}

void Calendar::leave_heap() {
  std::vector<detail::Entry>& entries = near_.entries();
  // Sorted, it still is a heap.
  std::sort(entries.begin(), entries.end(), detail::before<detail::Entry, detail::Entry>);
  const std::size_t middle = entries.size() / 2;
  // The median, since one far timer would spoil the mean.
  const unsigned shift = bucket_shift(entries[middle].time - now_, middle, entries.size());
  near_end_ = ((now_ >> shift) + 1) << shift;
  wheel_.configure(near_end_, shift, ring_bits(entries.size()));
  for (; !entries.empty() && entries.back().time >= near_end_; entries.pop_back()) wheel_.insert(entries.back().slot);
  tuned_at_ = executed_;
  tuned_time_ = now_;
  next_tuning_ = executed_ + 512;
}

void Calendar::tune() {
  const std::size_t events = pending();
  if (events < min_wheel) {
    near_end_ = unbounded;
    // The ready list, too: were the wheel entered again before it is done, earlier events might lie there.
    for (; ready_ != detail::no_slot; ready_ = pool_[ready_].next) push(ready_);
    for (std::uint32_t slot = wheel_.take_all(); slot != detail::no_slot; slot = pool_[slot].next) push(slot);
    return;
  }
  const unsigned shift = bucket_shift(now_ - tuned_time_, executed_ - tuned_at_, events);
  const unsigned bits = ring_bits(events);
  const unsigned apart = shift > wheel_.shift() ? shift - wheel_.shift() : wheel_.shift() - shift;
  if (apart >= 2 || bits > wheel_.bits() || bits + 2 < wheel_.bits()) {
    reconfigure(shift, bits);
  }
  tuned_at_ = executed_;
  tuned_time_ = now_;
  next_tuning_ = executed_ + 1024 + events;
}

void Calendar::keep(std::uint32_t bucket) {
  // A list of two or three is the rule; many events of one instant are better off in the heap.
  std::size_t count = 0;
  while (bucket != detail::no_slot) {
    detail::PendingEvent& event = pool_[bucket];
    const std::uint32_t rest = event.next;
    if (++count > 8) {
      push(bucket);
    } else {
      std::uint32_t* link = &ready_;
      while (*link != detail::no_slot && !detail::before(event, pool_[*link])) link = &pool_[*link].next;
      event.next = *link;
      *link = bucket;
    }
    bucket = rest;
  }
}

/// Makes `bucket` ready or, if that is no_slot, the first one beyond the present word of the wheel. Returns false if
/// nothing is left.
bool Calendar::refill(std::uint32_t bucket) {
  if (bucket == detail::no_slot) {
    if (!wheel_.seek()) {
      near_end_ = unbounded;
      return false;
    }
    bucket = wheel_.take();
  }
  near_end_ = wheel_.end();
  keep(bucket);
  if (executed_ >= next_tuning_) [[unlikely]]
    tune();
  return true;
}

/// Links two events in their order and returns the first. Which one that is cannot be predicted, so there is no branch.
inline std::uint32_t Calendar::in_order(std::uint32_t one, std::uint32_t other) {
  const bool as_given = detail::before(pool_[one], pool_[other]);
  const std::uint32_t swap = (one ^ other) & (static_cast<std::uint32_t>(as_given) - 1U);
  const std::uint32_t first = one ^ swap;
  const std::uint32_t last = other ^ swap;
  pool_[first].next = last;
  pool_[last].next = detail::no_slot;
  return first;
}

/// The event that is due next, perhaps a cancelled one; it stays where it is.
inline std::uint32_t Calendar::next() {
  if (near_.empty()) [[likely]] {
    if (ready_ != detail::no_slot) return ready_;
    if (near_end_ == unbounded) return detail::no_slot;
    const std::uint32_t bucket = wheel_.take();
    if (bucket != detail::no_slot) [[likely]] {
      const std::uint32_t second = pool_[bucket].next;
      if (second == detail::no_slot) [[likely]] {
        near_end_ = wheel_.end();
        return ready_ = bucket;
      }
      if (pool_[second].next == detail::no_slot) {
        near_end_ = wheel_.end();
        return ready_ = in_order(bucket, second);
      }
    }
    if (!refill(bucket)) return detail::no_slot;
    if (near_.empty()) [[likely]]
      return ready_;
  }
  const detail::Entry& top = near_.top();
  return ready_ == detail::no_slot || detail::before(top, pool_[ready_]) ? top.slot : ready_;
}

/// Runs the event that next() returned.
inline void Calendar::execute(std::uint32_t slot) {
  const detail::PendingEvent& event = pool_[slot];
  const std::uint64_t time = event.time;
  const Handler handler = event.handler;
  void* const object = event.object;
  const std::uint64_t argument = event.argument;
  if (slot == ready_) {
    ready_ = event.next;
  } else {
    near_.pop();
  }
  pool_.release(slot);
  if (handler != nullptr) {
    now_ = time;
    ++executed_;
    handler(object, argument);
  } else if (object != nullptr) {
    now_ = time;
    ++executed_;
    std::coroutine_handle<>::from_address(object).resume();
  } else {
    --cancelled_;
  }
}

void Calendar::rethrow() {
  if (failure_ != nullptr) [[unlikely]]
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool Calendar::step() {
  rethrow();
  for (const std::uint64_t before = executed_; executed_ == before;) {
    const std::uint32_t slot = next();
    if (slot == detail::no_slot) return false;
    execute(slot);
  }
  rethrow();
  return true;
}

void Calendar::run() {
  rethrow();
  stopped_ = false;
  while (!stopped_) {
    const std::uint32_t slot = next();
    if (slot == detail::no_slot) return;
    execute(slot);
  }
  rethrow();
}

void Calendar::run_until(Time end) {
  rethrow();
  if (end < now()) return;
  stopped_ = false;
  const auto limit = static_cast<std::uint64_t>(end.count());
  while (!stopped_) {
    const std::uint32_t slot = next();
    if (slot == detail::no_slot || pool_[slot].time > limit) {
      now_ = limit;
      return;
    }
    execute(slot);
  }
  rethrow();
}

void Calendar::clear() {
  detail::destroy_processes(processes_);
  near_.entries().clear();
  ready_ = detail::no_slot;
  near_end_ = unbounded;
  wheel_.configure(0, wheel_.shift(), min_bits);
  pool_.clear();
  failure_ = nullptr;
  withdrawn_ = next_sequence_ - executed_;
  cancelled_ = 0;
}

}  // namespace doorbell::core
