#include "core/wheel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "core/random.hpp"

namespace doorbell::core::detail {
namespace {

/// A wheel with the pool that its events lie in.
struct Filled {
  EventPool pool;
  Wheel wheel{pool};

  void insert(std::uint64_t time) {
    const std::uint32_t slot = pool.allocate();
    PendingEvent& event = pool[slot];
    event.time = time;
    event.handler = nullptr;
    event.object = nullptr;
    wheel.insert(slot);
  }

  /// The times of the earliest bucket; none: the wheel is empty.
  std::vector<std::uint64_t> next() {
    std::uint32_t slot = wheel.take();
    if (slot == no_slot) {
      if (!wheel.seek()) return {};
      slot = wheel.take();
    }
    std::vector<std::uint64_t> times;
    while (slot != no_slot) {
      times.push_back(pool[slot].time);
      const std::uint32_t following = pool[slot].next;
      pool.release(slot);
      slot = following;
    }
    return times;
  }
};

TEST(Wheel, GivesBucketsInOrderHoweverFarApart) {
  for (const unsigned shift : {0U, 4U, 10U}) {
    Filled filled;
    filled.wheel.configure(0, shift, 8);
    RandomStream random{shift, "times"};
    std::vector<std::uint64_t> times;
    for (int i = 0; i < 3000; ++i) {
      // From one picosecond to weeks.
      times.push_back(random.below(std::uint64_t{1} << (1 + random.below(60))));
      filled.insert(times.back());
    }
    std::ranges::sort(times);
    std::size_t at = 0;
    for (std::vector<std::uint64_t> bucket = filled.next(); !bucket.empty(); bucket = filled.next()) {
      std::ranges::sort(bucket);
      ASSERT_EQ(bucket.front() >> shift, bucket.back() >> shift) << "one bucket";
      ASSERT_LE(at + bucket.size(), times.size());
      for (const std::uint64_t time : bucket) ASSERT_EQ(time, times[at++]);
      ASSERT_LE(bucket.back(), filled.wheel.end() - 1);
    }
    EXPECT_EQ(at, times.size());
  }
}

TEST(Wheel, TakesWhatIsInsertedWhileItTurns) {
  Filled filled;
  filled.wheel.configure(0, 4, 8);
  RandomStream random{7, "times"};
  std::multiset<std::uint64_t> inside;
  std::uint64_t now = 0;
  for (int i = 0; i < 5000; ++i) {
    for (int each = 0; each < 2 && i < 2000; ++each) {
      const std::uint64_t time = now + random.below(std::uint64_t{1} << random.below(30));
      filled.insert(time);
      inside.insert(time);
    }
    const std::vector<std::uint64_t> bucket = filled.next();
    if (bucket.empty()) break;
    for (const std::uint64_t time : bucket) {
      ASSERT_TRUE(inside.contains(time));
      inside.erase(inside.find(time));
    }
    now = filled.wheel.end();
    ASSERT_TRUE(inside.empty() || *inside.begin() >= now);
  }
  EXPECT_TRUE(inside.empty());
}

TEST(Wheel, TakeAllLeavesNothing) {
  Filled filled;
  for (const std::uint64_t time : {5ULL, 5ULL, 1ULL << 20, 1ULL << 50}) filled.insert(time);
  std::size_t count = 0;
  for (std::uint32_t slot = filled.wheel.take_all(); slot != no_slot; slot = filled.pool[slot].next) ++count;
  EXPECT_EQ(count, 4U);
  EXPECT_TRUE(filled.next().empty());
}

}  // namespace
}  // namespace doorbell::core::detail
