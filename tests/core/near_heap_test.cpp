#include "core/near_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace doorbell::core::detail {
namespace {

std::vector<Entry> shuffled_entries(std::uint64_t seed, std::uint32_t count) {
  RandomStream random{seed, "entries"};
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < count; ++i) {
    // Few times and ranks, so that ties of every kind occur.
    entries.push_back({random.below(count / 8 + 1), i, static_cast<std::uint32_t>(random.below(3)), i});
  }
  return entries;
}

TEST(NearHeap, GivesBackInTheTotalOrder) {
  for (const std::uint32_t count : {1U, 2U, 5U, 64U, 1000U}) {
    NearHeap heap;
    std::vector<Entry> entries = shuffled_entries(count, count);
    for (const Entry& entry : entries) heap.push(entry);
    EXPECT_EQ(heap.size(), count);
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return before(a, b); });
    for (const Entry& entry : entries) {
      ASSERT_EQ(heap.top().slot, entry.slot);
      heap.pop();
    }
    EXPECT_TRUE(heap.empty());
  }
}

TEST(NearHeap, StaysInOrderWhileItGrowsAndShrinks) {
  NearHeap heap;
  std::vector<Entry> inside;
  RandomStream random{1, "steps"};
  for (const Entry& entry : shuffled_entries(2, 2000)) {
    heap.push(entry);
    inside.push_back(entry);
    if (random.below(2) == 0) continue;
    const auto first = std::ranges::min_element(inside, [](const Entry& a, const Entry& b) { return before(a, b); });
    ASSERT_EQ(heap.top().slot, first->slot);
    heap.pop();
    inside.erase(first);
  }
}

TEST(NearHeap, RebuildsAfterEntriesWereTakenOut) {
  NearHeap heap;
  std::vector<Entry> entries = shuffled_entries(3, 500);
  for (const Entry& entry : entries) heap.push(entry);
  const auto is_odd = [](const Entry& entry) { return entry.slot % 2 == 1; };
  std::erase_if(heap.entries(), is_odd);
  heap.rebuild();
  std::erase_if(entries, is_odd);
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return before(a, b); });
  for (const Entry& entry : entries) {
    ASSERT_EQ(heap.top().slot, entry.slot);
    heap.pop();
  }
}

}  // namespace
}  // namespace doorbell::core::detail
