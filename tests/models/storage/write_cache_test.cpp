#include "models/storage/write_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/random.hpp"

namespace doorbell::model {
namespace {

TEST(WriteCache, KnowsEveryByteThatWaits) {
  constexpr std::int64_t places = 64;
  constexpr Bytes capacity{24};
  WriteCache cache{capacity};
  std::array<bool, places> waits{};
  std::int64_t written = 0;
  core::RandomStream random{5, "extents"};
  std::int64_t taken = 0;
  for (int step = 0; step < 20000; ++step) {
    const auto begin = static_cast<std::int64_t>(random.below(places - 8));
    const WriteCache::Extent extent{begin, begin + 1 + static_cast<std::int64_t>(random.below(8))};
    const auto part = std::ranges::subrange(waits.begin() + extent.begin, waits.begin() + extent.end);
    const std::int64_t size = extent.end - extent.begin;
    EXPECT_EQ(cache.holds(extent), std::ranges::count(part, true) == size);
    const std::int64_t held = std::ranges::count(waits, true) + written;
    EXPECT_EQ(cache.held().count, held);
    EXPECT_EQ(cache.empty(), std::ranges::count(waits, true) == 0);
    const bool room = held + std::ranges::count(part, false) <= capacity.count;
    EXPECT_EQ(cache.has_room_for(extent), room);
    switch (random.below(4)) {
      case 0:
        cache.forget(extent);
        std::ranges::fill(part, false);
        break;
      case 1:
        if (cache.empty()) break;
        cache.write_done();
        {
          const WriteCache::Extent next = cache.write_next(extent.begin, Bytes{5});
          EXPECT_LT(next.begin, next.end);
          EXPECT_LE(next.end - next.begin, 5);
          const auto going = std::ranges::subrange(waits.begin() + next.begin, waits.begin() + next.end);
          EXPECT_EQ(std::ranges::count(going, false), 0) << "what waits, once";
          std::ranges::fill(going, false);
          written = next.end - next.begin;
        }
        break;
      default:
        if (!room) break;
        cache.take(extent);
        std::ranges::fill(part, true);
        ++taken;
    }
  }
  EXPECT_GT(taken, 1000);
}

TEST(WriteCache, WritesInAscendingOrderAndRoundAgain) {
  WriteCache cache{Bytes{100}};
  for (const std::int64_t begin : {30, 10, 50, 32}) cache.take({begin, begin + 2});
  const auto next = [&](std::int64_t heads) {
    const WriteCache::Extent extent = cache.write_next(heads, Bytes{100});
    return std::pair{extent.begin, extent.end};
  };
  EXPECT_EQ(next(20), std::pair(30L, 34L)) << "neighbours go together";
  EXPECT_EQ(next(34), std::pair(50L, 52L));
  EXPECT_EQ(next(52), std::pair(10L, 12L));
}

TEST(WriteCache, GoesOnFromTheHeadsWithinAnExtent) {
  WriteCache cache{Bytes{100}};
  cache.take({10, 30});
  EXPECT_EQ(cache.write_next(20, Bytes{4}).begin, 20);
  EXPECT_EQ(cache.write_next(24, Bytes{100}).end, 30);
  EXPECT_EQ(cache.write_next(30, Bytes{100}).end, 20);
  EXPECT_TRUE(cache.empty());
}

TEST(WriteCache, WithoutCapacityItHoldsNothing) {
  const WriteCache cache{Bytes{0}};
  EXPECT_FALSE(cache.can_hold({0, 1}));
  EXPECT_FALSE(cache.has_room_for({0, 1}));
}

}  // namespace
}  // namespace doorbell::model
