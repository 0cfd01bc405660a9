#include "core/event.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace doorbell::core::detail {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

PendingEvent* allocate_events(std::size_t count) {
  const std::size_t bytes = count * sizeof(PendingEvent);
  const bool large = bytes >= 2 * huge_page;
  void* const memory = std::aligned_alloc(large ? huge_page : alignof(PendingEvent), bytes);
  if (memory == nullptr) throw std::bad_alloc{};
#ifdef __linux__
  // With a million events in random order, nearly every access would miss the table of small pages. Only a hint.
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return static_cast<PendingEvent*>(memory);
}

}  // namespace

std::uint32_t EventPool::grow() {
  if (size_ == capacity_) {
    const std::size_t capacity = std::max<std::size_t>(64, 2 * capacity_);
    if (capacity > no_slot) throw std::bad_alloc{};
    std::unique_ptr<PendingEvent[], Release> larger(allocate_events(capacity));
    std::copy_n(events_.get(), size_, larger.get());
    // Prefetching reads events that were never used.
    std::fill(larger.get() + size_, larger.get() + capacity, PendingEvent{});
    events_ = std::move(larger);
    capacity_ = capacity;
  }
  return static_cast<std::uint32_t>(size_++);
}

}  // namespace doorbell::core::detail
