#include "models/storage/page_cache.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(PageCache, BytesTouchThePagesOfTheirFirstAndLastAndAllBetween) {
  const auto pages = [](std::int64_t offset, std::int64_t size) {
    const PageCache::Run run = PageCache::pages_of(offset, Bytes{size});
    return std::pair{run.first, run.pages};
  };
  EXPECT_EQ(pages(0, 4096), std::pair(std::int64_t{0}, std::int64_t{1}));
  EXPECT_EQ(pages(0, 4097), std::pair(std::int64_t{0}, std::int64_t{2}));
  EXPECT_EQ(pages(2048, 4096), std::pair(std::int64_t{0}, std::int64_t{2}));
  EXPECT_EQ(pages(8191, 1), std::pair(std::int64_t{1}, std::int64_t{1}));
}

TEST(PageCache, EvictsWhatWasUsedLongestAgo) {
  PageCache cache{Bytes{4096 * 3}};
  for (const PageCache::Page page : {1, 2, 3}) {
    cache.expect(page);
    cache.arrive(page);
  }
  cache.touch(1);
  cache.expect(4);
  EXPECT_EQ(cache.state(1), PageCache::State::present);
  EXPECT_EQ(cache.state(2), PageCache::State::absent);
  EXPECT_EQ(cache.state(4), PageCache::State::arriving);
  EXPECT_EQ(cache.pages(), 3);
}

TEST(PageCache, WhatIsWrittenAgainHasJustBeenUsed) {
  PageCache cache{Bytes{4096 * 3}};
  for (const PageCache::Page page : {1, 2, 3, 1}) cache.modify(page);
  EXPECT_EQ(cache.take_dirty(8).size(), 1U);
  cache.written({1, 3});
  cache.expect(4);
  EXPECT_EQ(cache.state(1), PageCache::State::present);
  EXPECT_EQ(cache.state(2), PageCache::State::absent);
}

TEST(PageCache, KeepsDirtyAndArrivingPages) {
  PageCache cache{Bytes{4096 * 2}};
  cache.modify(1);
  cache.expect(2);
  cache.expect(3);
  EXPECT_EQ(cache.state(1), PageCache::State::present);
  EXPECT_EQ(cache.state(2), PageCache::State::arriving);
  EXPECT_EQ(cache.pages(), 3);  // beyond its capacity
  EXPECT_EQ(cache.take_dirty(8).size(), 1U);
  cache.arrive(2);
  cache.expect(4);
  EXPECT_EQ(cache.state(1), PageCache::State::present) << "it is being written back";
  EXPECT_EQ(cache.state(2), PageCache::State::absent);
  cache.written({1, 1});
  cache.expect(5);
  EXPECT_EQ(cache.state(1), PageCache::State::absent);
}

TEST(PageCache, ShrinksAgainWhenWhatCameAtTheSameTimeIsUsed) {
  PageCache cache{Bytes{4096 * 2}};
  for (const PageCache::Page page : {1, 2, 3, 4}) cache.expect(page);
  for (const PageCache::Page page : {1, 2, 3, 4}) cache.arrive(page);
  EXPECT_EQ(cache.pages(), 4);
  cache.touch(1);
  EXPECT_EQ(cache.pages(), 2);
  EXPECT_EQ(cache.state(1), PageCache::State::present) << "used last";
  EXPECT_EQ(cache.state(4), PageCache::State::present);
}

TEST(PageCache, DirtyPagesLeaveInRuns) {
  PageCache cache{64_KiB};
  for (const PageCache::Page page : {5, 6, 7, 9, 7}) cache.modify(page);
  EXPECT_EQ(cache.dirty(), 4);
  const auto runs = cache.take_dirty(2);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].first, 5);
  EXPECT_EQ(runs[0].pages, 2);
  EXPECT_EQ(runs[1].first, 7);
  EXPECT_EQ(runs[2].first, 9);
  EXPECT_EQ(cache.dirty(), 0);
}

TEST(PageCache, DirtyPagesOfAFileLeaveAlone) {
  PageCache cache{64_KiB};
  for (const PageCache::Page page : {3, 4, 9, 5, 6}) cache.modify(page);
  const auto runs = cache.take_dirty(8, {4, 2});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].first, 4);
  EXPECT_EQ(runs[0].pages, 2);
  EXPECT_EQ(cache.dirty(), 3);
}

TEST(PageCache, AMarkIsTakenOnce) {
  PageCache cache{64_KiB};
  cache.expect(3);
  cache.mark(3);
  EXPECT_TRUE(cache.take_mark(3));
  EXPECT_FALSE(cache.take_mark(3));
  EXPECT_FALSE(cache.take_mark(99));
}

TEST(PageCache, CountsWhatIsNotOnTheDeviceYet) {
  PageCache cache{64_KiB};
  for (const PageCache::Page page : {1, 2, 3}) cache.modify(page);
  EXPECT_EQ(cache.take_dirty(8).size(), 1U);
  EXPECT_EQ(cache.dirty(), 0);
  EXPECT_EQ(cache.unwritten(), 3);
  // Modified again on its way, it has to be written again.
  cache.modify(2);
  EXPECT_EQ(cache.unwritten(), 4);
  cache.written({1, 3});
  EXPECT_EQ(cache.unwritten(), 1);
  cache.drop({1, 3});
  EXPECT_EQ(cache.state(2), PageCache::State::present);
  EXPECT_EQ(cache.state(3), PageCache::State::absent);
}

TEST(PageCache, DropForgetsCleanPagesOnly) {
  PageCache cache{64_KiB};
  cache.arrive(1);
  cache.modify(2);
  cache.expect(3);
  cache.drop({1, 3});
  EXPECT_EQ(cache.state(1), PageCache::State::absent);
  EXPECT_EQ(cache.state(2), PageCache::State::present);
  EXPECT_EQ(cache.state(3), PageCache::State::arriving);
}

}  // namespace
}  // namespace doorbell::model
