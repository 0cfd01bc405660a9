#include "core/ring_queue.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace doorbell::core {
namespace {

TEST(RingQueue, IsADequeWhateverItsSizes) {
  RandomStream random(7, "ring queue");
  RingQueue<int> queue;
  std::deque<int> reference;
  for (int i = 0; i < 20000; ++i) {
    // Grows to about a hundred, and shrinks again, so that it wraps round at several sizes.
    const bool grows = random.chance(i / 1000 % 2 == 0 ? 0.55 : 0.45);
    if (grows && random.chance(0.2)) {
      queue.push_front(i);
      reference.push_front(i);
    } else if (grows || reference.empty()) {
      queue.push(i);
      reference.push_back(i);
    } else {
      ASSERT_EQ(queue.pop(), reference.front());
      reference.pop_front();
    }
    ASSERT_EQ(queue.size(), reference.size());
    ASSERT_EQ(queue.empty(), reference.empty());
    for (std::size_t k = 0; k < reference.size(); k += 7) ASSERT_EQ(queue[k], reference[k]);
    if (!reference.empty()) {
      ASSERT_EQ(queue.front(), reference.front());
    }
  }
}

TEST(RingQueue, InsertsBehindWhatIsEqualAndTellsWhere) {
  struct Item {
    int key;
    int number;
  };
  RandomStream random(9, "ring queue");
  RingQueue<Item> queue;
  std::deque<Item> reference;
  const auto before = [](const Item& one, const Item& other) { return one.key < other.key; };
  for (int i = 0; i < 5000; ++i) {
    const Item item{static_cast<int>(random.below(20)), i};
    const auto place = std::upper_bound(reference.begin(), reference.end(), item, before);
    ASSERT_EQ(queue.insert(item, before), static_cast<std::size_t>(place - reference.begin()));
    reference.insert(place, item);
    for (std::size_t k = 0; k < reference.size(); ++k) ASSERT_EQ(queue[k].number, reference[k].number);
    while (reference.size() > 12) {
      ASSERT_EQ(queue.pop().number, reference.front().number);
      reference.pop_front();
    }
  }
}

TEST(RingQueue, TakesOutWhatFitsAndKeepsTheOrderOfTheRest) {
  RingQueue<int> queue;
  for (int i = 0; i < 6; ++i) queue.push(i);
  for (int i = 0; i < 3; ++i) queue.push(queue.pop());  // 3 4 5 0 1 2, around the end of the block
  std::vector<int> taken;
  queue.take_if([](int value) { return value % 2 == 0; }, [&](int value) { taken.push_back(value); });
  EXPECT_EQ(taken, (std::vector<int>{4, 0, 2}));
  ASSERT_EQ(queue.size(), 3U);
  for (const int left : {3, 5, 1}) EXPECT_EQ(queue.pop(), left);
  queue.take_if([](int) { return true; }, [](int) { FAIL(); });
}

TEST(RingQueue, HoldsWhatCanOnlyBeMoved) {
  RingQueue<std::unique_ptr<int>> queue;
  for (int i = 0; i < 20; ++i) queue.push(std::make_unique<int>(i));
  RingQueue<std::unique_ptr<int>> moved = std::move(queue);
  EXPECT_TRUE(queue.empty()) << "and can be used again";  // NOLINT(bugprone-use-after-move)
  queue.push(std::make_unique<int>(-1));
  EXPECT_EQ(*queue.front(), -1);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(*moved.pop(), i);
  EXPECT_TRUE(moved.empty());
}

}  // namespace
}  // namespace doorbell::core
