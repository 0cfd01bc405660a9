#include "models/remote_memory/merge_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "core/random.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

constexpr Bytes no_limit{std::numeric_limits<std::int64_t>::max()};

BlockRequest page(int number, int peer = 0) {
  BlockRequest request;
  request.offset = number * 4096;
  request.size = Bytes{4096};
  request.peer = peer;
  return request;
}

std::vector<WorkRequest> take(MergeQueue& queue, int wqes, Bytes bytes, bool merge, Bytes largest) {
  std::vector<WorkRequest> batch;
  while (queue.take(batch, {.wqes = wqes, .bytes = bytes, .merge = merge, .largest = largest})) {}
  return batch;
}

TEST(MergeQueue, JoinsAdjacentRequestsAndChainsOthers) {
  std::array<BlockRequest, 5> pages{page(1), page(2), page(3), page(7), page(8)};
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  const auto work = take(queue, 32, no_limit, true, 128_KiB);
  ASSERT_EQ(work.size(), 2U);
  EXPECT_EQ(work[0].offset, 4096);
  EXPECT_EQ(work[0].size, Bytes{3 * 4096});
  EXPECT_EQ(work[1].requests.size(), 2U);
  EXPECT_TRUE(queue.empty());
}

TEST(MergeQueue, FindsWhatOtherThreadsPutBetween) {
  std::array<BlockRequest, 4> pages{page(1), page(9), page(2), page(10)};
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  const auto work = take(queue, 32, no_limit, true, 128_KiB);
  ASSERT_EQ(work.size(), 2U);
  EXPECT_EQ(work[0].size, Bytes{2 * 4096});
  EXPECT_EQ(work[1].size, Bytes{2 * 4096});
}

TEST(MergeQueue, JoinsNothingWhereItMustNot) {
  std::array<BlockRequest, 3> pages{page(1), page(2), page(3)};
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  EXPECT_EQ(take(queue, 1, no_limit, false, 128_KiB).size(), 1U);
  EXPECT_EQ(take(queue, 32, no_limit, false, 128_KiB).size(), 2U);
}

TEST(MergeQueue, KeepsToItsLimits) {
  std::array<BlockRequest, 4> pages{page(1), page(2), page(3), page(4)};
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  EXPECT_EQ(take(queue, 32, no_limit, true, 8_KiB).size(), 2U);  // no WQE above 8 KiB
  for (BlockRequest& request : pages) queue.push(request);
  EXPECT_EQ(take(queue, 32, 8_KiB, true, 128_KiB).front().requests.size(), 2U);  // no more than the window has room for
  // Never nothing, or a request larger than the window would wait for ever.
  EXPECT_EQ(take(queue, 32, 1_KiB, true, 128_KiB).size(), 1U);
}

TEST(MergeQueue, GoesToOnePeerAtATime) {
  std::array<BlockRequest, 3> pages{page(1, 0), page(2, 1), page(3, 1)};
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  EXPECT_EQ(take(queue, 32, no_limit, true, 128_KiB).size(), 1U);
  EXPECT_EQ(take(queue, 32, no_limit, true, 128_KiB).front().requests.size(), 2U);
}

TEST(MergeQueue, ABatchGrowsWhileItIsTaken) {
  std::array<BlockRequest, 2> pages{page(1), page(2)};
  MergeQueue queue;
  std::vector<WorkRequest> batch;
  const BatchLimits limits{.wqes = 32, .bytes = no_limit, .merge = true, .largest = 128_KiB};
  queue.push(pages[0]);
  EXPECT_TRUE(queue.take(batch, limits));
  EXPECT_FALSE(queue.take(batch, limits));
  queue.push(pages[1]);
  EXPECT_TRUE(queue.take(batch, limits));
  ASSERT_EQ(batch.size(), 1U);
  EXPECT_EQ(batch[0].size, 8_KiB);
}

TEST(MergeQueue, LosesNothing) {
  core::RandomStream random{3, "merge queue"};
  std::vector<BlockRequest> pages;
  for (int i = 0; i < 1000; ++i)
    pages.push_back(page(static_cast<int>(random.below(50)), static_cast<int>(random.below(3))));
  MergeQueue queue;
  for (BlockRequest& request : pages) queue.push(request);
  std::size_t taken = 0;
  while (!queue.empty()) {
    for (const WorkRequest& work : take(queue, 1 + static_cast<int>(random.below(8)), Bytes{16384}, true, 8_KiB)) {
      Bytes size{0};
      for (const BlockRequest* request : work.requests) {
        ++taken;
        EXPECT_EQ(request->offset, work.offset + size.count);
        size = size + request->size;
      }
      EXPECT_EQ(size, work.size);
    }
  }
  EXPECT_EQ(taken, pages.size());
}

}  // namespace
}  // namespace doorbell::model
