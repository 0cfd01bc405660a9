#include "models/memory/last_level_cache.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

constexpr LastLevelCacheParameters sixteen_lines{.size = 1_KiB, .device_share = 256_B};

int held(const LastLevelCache& cache, int lines) {
  int count = 0;
  for (int i = 0; i < lines; ++i) count += cache.holds(i) ? 1 : 0;
  return count;
}

TEST(LastLevelCache, HoldsNothingThatNobodyWrote) {
  EXPECT_EQ(held({sixteen_lines, 4_KiB, Warmth::cold, false}, 64), 0);
}

TEST(LastLevelCache, HoldsAllThatFits) {
  EXPECT_EQ(held({sixteen_lines, 1_KiB, Warmth::host, false}, 16), 16);
  EXPECT_EQ(held({sixteen_lines, 256_B, Warmth::device, false}, 4), 4);
}

TEST(LastLevelCache, HoldsTheEndOfWhatDoesNotFit) {
  const LastLevelCache host{sixteen_lines, 4_KiB, Warmth::host, false};
  EXPECT_EQ(held(host, 64), 16);
  EXPECT_FALSE(host.holds(47));
  EXPECT_TRUE(host.holds(48));
  const LastLevelCache device{sixteen_lines, 4_KiB, Warmth::device, false};
  EXPECT_EQ(held(device, 64), 4);
  EXPECT_FALSE(device.holds(59));
  EXPECT_TRUE(device.holds(60));
}

TEST(LastLevelCache, AWriteTakesThePlaceOfTheOldestLineOfTheDevice) {
  LastLevelCache cache{sixteen_lines, 4_KiB, Warmth::device, true};
  EXPECT_EQ(cache.write(0), 60);
  EXPECT_TRUE(cache.holds(0));
  EXPECT_FALSE(cache.holds(60));
  EXPECT_TRUE(cache.holds(61));
  EXPECT_EQ(cache.write(61), std::nullopt) << "in place";
  EXPECT_EQ(cache.write(1), 61);
  EXPECT_FALSE(cache.holds(61)) << "a write in place does not make a line younger";
}

TEST(LastLevelCache, AWriteLeavesWhatTheHostHasThere) {
  LastLevelCache cache{sixteen_lines, 4_KiB, Warmth::host, true};
  EXPECT_EQ(held(cache, 64), 20) << "the host's 16 lines, and 4 of the others";
  for (int i = 0; i < 40; ++i) cache.write(i);
  for (int i = 48; i < 64; ++i) EXPECT_TRUE(cache.holds(i));
  EXPECT_EQ(held(cache, 64), 20);
}

TEST(LastLevelCache, RandomWritesHitAsOftenAsTheShareIsLarge) {
  LastLevelCache cache{sixteen_lines, 1_KiB, Warmth::cold, true};
  core::RandomStream random{1, "lines"};
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += cache.write(static_cast<std::int64_t>(random.below(16))) ? 0 : 1;
  EXPECT_NEAR(hits / 1e5, 0.25, 0.01);
  EXPECT_EQ(held(cache, 16), 4);
}

TEST(LastLevelCache, WithoutAShareTheDeviceWritesToMemory) {
  LastLevelCache cache{{.size = 1_KiB, .device_share = 0_B}, 4_KiB, Warmth::host, true};
  EXPECT_EQ(held(cache, 64), 16);
  EXPECT_EQ(cache.write(50), 50);
  EXPECT_FALSE(cache.holds(50)) << "what the cache had is no longer right";
  EXPECT_EQ(cache.write(3), 3);
  EXPECT_EQ(held(cache, 64), 15);
}

}  // namespace
}  // namespace doorbell::model
