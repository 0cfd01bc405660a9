#include "models/memory/refresh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

constexpr RefreshParameters two_ranks{.ranks = 2, .interval = 8us, .time = 400ns};

TEST(Refresh, IsThereOnceInEachInterval) {
  Refresh refresh{two_ranks, 1};
  constexpr Time step = 1ns;
  for (int interval = 0; interval < 20; ++interval) {
    Time waiting{0};
    int began = 0;
    Time before{0};
    for (Time at = two_ranks.interval * interval; at < two_ranks.interval * (interval + 1); at += step) {
      const Time wait = refresh.wait(0, at);
      EXPECT_LE(wait, two_ranks.time);
      if (wait > Time{0}) waiting += step;
      if (wait > before) ++began;
      before = wait;
    }
    EXPECT_NEAR(to_seconds(waiting), to_seconds(two_ranks.time), to_seconds(step));
    EXPECT_EQ(began, 1) << interval;
  }
}

TEST(Refresh, OfOneRankLeavesTheOtherAlone) {
  Refresh refresh{two_ranks, 1};
  int both = 0;
  int one = 0;
  for (Time at{0}; at < 400us; at += 5ns) {
    const bool even = refresh.wait(0, at) > Time{0};
    const bool odd = refresh.wait(7, at) > Time{0};
    both += static_cast<int>(even && odd);
    one += static_cast<int>(even != odd);
  }
  EXPECT_GT(one, 5 * both);
}

TEST(Refresh, MakesWhatComesAtEqualDistancesWaitForItsMeanTime) {
  // Twenty to an interval: without chance, each refresh would meet one at the same moment, or none.
  Refresh refresh{two_ranks, 1};
  constexpr int accesses = 100'000;
  Time waited{0};
  Time longest{0};
  for (int i = 0; i < accesses; ++i) {
    const Time wait = refresh.wait(0, two_ranks.interval / 20 * i);
    waited += wait;
    longest = std::max(longest, wait);
  }
  EXPECT_NEAR(to_seconds(waited) / accesses, to_seconds(mean_wait(two_ranks)), 0.05 * to_seconds(mean_wait(two_ranks)));
  EXPECT_GT(longest, two_ranks.time * 9 / 10);
  EXPECT_EQ(mean_wait(two_ranks), 10ns) << "one in twenty waits for half a refresh";
}

TEST(Refresh, HoldsUpWhoComesOneAfterTheOtherLessOftenThanByChance) {
  const RefreshParameters long_ones{.ranks = 1, .interval = 8us, .time = 4us};
  for (const Time cycle : {Time{100ns}, Time{1us}}) {
    Refresh refresh{long_ones, 1};
    constexpr int accesses = 20'000;
    Time now{0};
    Time waited{0};
    for (int i = 0; i < accesses; ++i) {
      now += cycle;
      const Time wait = refresh.wait(0, now);
      waited += wait;
      now += wait;
    }
    const double least = to_seconds(least_mean_wait(long_ones, cycle));
    EXPECT_NEAR(to_seconds(waited) / accesses, least, 0.05 * least) << to_nanoseconds(cycle);
    EXPECT_LT(least, to_seconds(mean_wait(long_ones))) << to_nanoseconds(cycle);
  }
  EXPECT_EQ(least_mean_wait(long_ones, 4us), mean_wait(long_ones));
}

TEST(Refresh, IsThereAfterALongPause) {
  Time waited{0};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) waited += Refresh(two_ranks, seed).wait(0, 1s + 4us);
  EXPECT_NEAR(to_seconds(waited) / 1000, to_seconds(mean_wait(two_ranks)), 0.4 * to_seconds(mean_wait(two_ranks)));
}

}  // namespace
}  // namespace doorbell::model
