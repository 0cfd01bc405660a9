// What the calendar stores for one pending event, and the pool that recycles it.
#pragma once

#include "core/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace doorbell::core {

/// Order among events of the same instant: the smaller rank runs first. The model chooses ranks (for instance one per
/// traffic source), so that ties do not depend on which event happened to be scheduled earlier.
struct Priority {
  std::uint32_t rank = 0;
};

/// Called when its event is due. `object` and `argument` are handed back as they were given.
using Handler = void (*)(void* object, std::uint64_t argument);

/// Names one scheduled event for ever: ids are never reused, so a stale one is harmless.
struct EventId {
  static constexpr std::uint64_t no_sequence = ~std::uint64_t{0};

  std::uint64_t sequence = no_sequence;
  std::uint32_t slot = 0;

  bool operator==(const EventId&) const = default;
};

namespace detail {

inline constexpr std::uint32_t no_slot = ~std::uint32_t{0};

/// One pending event: one cache line. A null handler means that `object` is a coroutine frame; both null, cancelled.
struct alignas(64) PendingEvent {
  std::uint64_t time;
  std::uint64_t sequence;
  Handler handler;
  void* object;
  std::uint64_t argument;
  std::uint32_t rank;
  std::uint32_t next;

  [[nodiscard]] bool cancelled() const { return handler == nullptr && object == nullptr; }
};

/// The key of an event, small enough to be moved around while sorting.
struct Entry {
  std::uint64_t time;
  std::uint64_t sequence;
  std::uint32_t rank;
  std::uint32_t slot;
};

/// The total order of events: time, then rank, then order of insertion.
template <class A, class B> [[nodiscard]] bool before(const A& a, const B& b) {
  if (a.time != b.time) return a.time < b.time;
  if (a.rank != b.rank) return a.rank < b.rank;
  return a.sequence < b.sequence;
}

/// Events addressed by slot. Freed slots are reused last in, first out: the next event then lands in a warm cache line.
class EventPool {
 public:
  [[nodiscard]] std::uint32_t allocate() {
    const std::uint32_t slot = free_;
    if (slot == no_slot) [[unlikely]]
      return grow();
    free_ = events_[slot].next;
    return slot;
  }

  void release(std::uint32_t slot) {
    PendingEvent& event = events_[slot];
    event.sequence = EventId::no_sequence;
    event.next = free_;
    free_ = slot;
  }

  void clear() {
    size_ = 0;
    free_ = no_slot;
  }

  [[nodiscard]] PendingEvent& operator[](std::uint32_t slot) { return events_[slot]; }
  /// Slots in use or free; all ids have smaller ones.
  [[nodiscard]] std::size_t size() const { return size_; }

  void prefetch(std::uint32_t slot) const { __builtin_prefetch(&events_[slot]); }
  /// Prefetches what the event will work on; the event itself should be in the cache.
  void prefetch_object(std::uint32_t slot) const {
    const PendingEvent& event = events_[slot];
    __builtin_prefetch(event.object);
    // The frame of a coroutine rarely fits one line. Without a branch, since nobody can tell what comes next.
    const std::size_t second = event.handler == nullptr ? 64 : 0;
    __builtin_prefetch(static_cast<const char*>(event.object) + second);
  }
  /// Prefetches the event behind this one in its list, or this one again.
  void prefetch_next(std::uint32_t slot) const {
    const std::uint32_t next = events_[slot].next;
    prefetch(next == no_slot ? slot : next);
  }

 private:
  struct Release {
    void operator()(PendingEvent* events) const { std::free(events); }
  };

  std::uint32_t grow();

  std::unique_ptr<PendingEvent[], Release> events_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint32_t free_ = no_slot;
};

}  // namespace detail
}  // namespace doorbell::core
