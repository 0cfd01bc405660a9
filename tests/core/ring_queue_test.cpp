#include "core/ring_queue.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <utility>

namespace doorbell::core {
namespace {

TEST(RingQueue, IsADequeWhateverItsSizes) {
  RandomStream random(7, "ring queue");
  RingQueue<int> queue;
  std::deque<int> reference;
  for (int i = 0; i < 20000; ++i) {
    // Grows to about a hundred, and shrinks again, so that it wraps round at several sizes.
    const bool grows = random.chance(i / 1000 % 2 == 0 ? 0.55 : 0.45);
    if (grows || reference.empty()) {
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

TEST(RingQueue, HoldsWhatCanOnlyBeMoved) {
  RingQueue<std::unique_ptr<int>> queue;
  for (int i = 0; i < 20; ++i) queue.push(std::make_unique<int>(i));
  RingQueue<std::unique_ptr<int>> moved = std::move(queue);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(*moved.pop(), i);
  EXPECT_TRUE(moved.empty());
}

}  // namespace
}  // namespace doorbell::core
