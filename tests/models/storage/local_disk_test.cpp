#include "models/storage/local_disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/desktop_disk.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// What was asked, and when it was done.
struct Served {
  explicit Served(const LocalDiskParameters& parameters = desktop_disk())
      : disk{calendar, parameters, core::RandomStream{3, "disk"}, [this](std::uint64_t tag) {
               tags.push_back(tag);
               times.push_back(calendar.now());
             }} {}

  /// Pages anywhere in 82 % of the disk, all at once or one after the other.
  void read_at_random(int requests, bool together) {
    core::RandomStream random{7, "places"};
    for (int i = 0; i < requests; ++i) {
      const auto page = static_cast<std::int64_t>(random.below(200'000'000));
      disk.submit(page * 4096, 4_KiB, false, static_cast<std::uint64_t>(i));
      if (!together) calendar.run();
    }
    calendar.run();
  }

  core::Calendar calendar;
  std::vector<std::uint64_t> tags;
  std::vector<Time> times;
  LocalDisk disk;
};

/// Seconds from one request of 512 KiB to the next, of many in a row that are asked for at once.
double seconds_in_a_row(Served& served, bool write) {
  constexpr int requests = 64;
  for (int i = 0; i < requests; ++i) served.disk.submit(i * 524288LL, 512_KiB, write, static_cast<std::uint64_t>(i));
  served.calendar.run();
  EXPECT_EQ(served.tags.size(), static_cast<std::size_t>(requests));
  EXPECT_EQ(write ? served.disk.writes() : served.disk.reads(), static_cast<std::uint64_t>(requests));
  EXPECT_EQ(write ? served.disk.reads() : served.disk.writes(), 0U);
  return to_seconds(served.times.back() - served.times.front()) / (requests - 1);
}

TEST(LocalDisk, ASequentialStreamIsReadAtTheRateOfTheMedium) {
  Served served;
  EXPECT_NEAR(seconds_in_a_row(served, false), 524288 / 100e6, 1e-6);
}

TEST(LocalDisk, WritesOneByOneMissARevolutionEach) {
  // The next command takes 0.1 ms to come; by then its place has passed, and comes round in 8 ms.
  Served served;
  EXPECT_NEAR(seconds_in_a_row(served, true), 8e-3 + 524288 / 100e6, 1e-9);
}

TEST(LocalDisk, WritesThatItHoldsFollowOneAnother) {
  LocalDiskParameters parameters = desktop_disk();
  parameters.mechanics.queue_depth = 2;
  Served served{parameters};
  EXPECT_NEAR(seconds_in_a_row(served, true), 524288 / 100e6, 1e-9);
}

TEST(LocalDisk, RequestsOneByOneAtRandomTakeSeekAndHalfARevolution) {
  Served served;
  constexpr int requests = 4000;
  served.read_at_random(requests, false);
  const double mean = to_seconds(served.times.back()) / requests;
  // The square root of the distance is shorter by a tenth.
  EXPECT_NEAR(mean, 100e-6 + 1e-3 + 7e-3 * std::sqrt(0.82) + 4e-3 + 41e-6, 0.2e-3);
  EXPECT_NEAR(served.disk.utilisation(served.calendar.now()), 1, 1e-9);
}

TEST(LocalDisk, ManyAtATimeAreServedUpwardsAndFaster) {
  const auto time_of = [](bool together) {
    Served served;
    constexpr int requests = 256;
    served.read_at_random(requests, together);
    EXPECT_EQ(served.tags.size(), static_cast<std::size_t>(requests));
    return to_seconds(served.times.back());
  };
  EXPECT_LT(time_of(true), 0.75 * time_of(false));
}

TEST(LocalDisk, ItChoosesAmongThoseThatItHolds) {
  const auto time_of = [](int depth) {
    LocalDiskParameters parameters = desktop_disk();
    parameters.mechanics.queue_depth = depth;
    Served served{parameters};
    constexpr int requests = 1024;
    served.read_at_random(requests, true);
    std::vector<std::uint64_t> tags = served.tags;
    std::ranges::sort(tags);
    EXPECT_EQ(tags.size(), static_cast<std::size_t>(requests));
    EXPECT_EQ(std::ranges::adjacent_find(tags), tags.end()) << "each is done once";
    return to_seconds(served.times.back());
  };
  EXPECT_LT(time_of(4), 0.95 * time_of(1));
  EXPECT_LT(time_of(32), 0.95 * time_of(4));
}

// It is told of the next commands while it serves one, and chooses among those that it knows by then.
TEST(LocalDisk, CommandsCostNoTimeWhereOthersAreAtHand) {
  const auto time_of = [](Time command) {
    LocalDiskParameters parameters = desktop_disk();
    parameters.mechanics.queue_depth = 32;
    parameters.command = command;
    Served served{parameters};
    served.read_at_random(1024, true);
    return to_seconds(served.times.back());
  };
  EXPECT_NEAR(time_of(4ms) / time_of(0us), 1, 0.04);
}

TEST(LocalDisk, AdjoiningRequestsThatWaitAreJoinedAndEachIsDoneOnce) {
  Served served;
  for (std::uint64_t i = 0; i < 9; ++i) served.disk.submit(static_cast<std::int64_t>(i) * 4096, 4_KiB, true, i);
  served.calendar.run();
  EXPECT_EQ(served.tags, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(served.disk.writes(), 2U);  // the first, which was under way, and the rest
}

TEST(LocalDisk, PlacesBeyondItsEndBeginAgain) {
  Served served;
  served.disk.submit(1'000'000'000'000 + 4096, 4_KiB, false, 1);
  served.calendar.run();
  Served other;
  other.disk.submit(4096, 4_KiB, false, 1);
  other.calendar.run();
  EXPECT_EQ(served.times, other.times);
}

TEST(LocalDisk, TheWarmUpDoesNotCount) {
  Served served;
  served.disk.submit(0, 4_KiB, false, 1);
  served.calendar.run();
  served.disk.measure(served.calendar.now());
  EXPECT_EQ(served.disk.reads(), 0U);
  EXPECT_EQ(served.disk.utilisation(served.calendar.now() + 1s), 0);
}

TEST(LocalDisk, WithAWriteCacheItIsNeverBusierThanAllTheTime) {
  for (const Bytes size : {4_KiB, 64_KiB}) {
    LocalDiskParameters parameters = desktop_disk();
    parameters.mechanics.write_cache = 8192_KiB;
    Served served{parameters};
    served.disk.measure(Time{0});
    constexpr int writes = 5000;
    for (int i = 0; i < writes; ++i) {
      served.disk.submit(i * size.count, size, true, static_cast<std::uint64_t>(i));
      served.calendar.run();
    }
    const double busy = served.disk.utilisation(served.calendar.now());
    EXPECT_LE(busy, 1 + 1e-9);
    // Each takes its command time at the least.
    EXPECT_GE(busy, 0.99);
    // As fast as the medium when the cache is full, else as commands come.
    const double bytes = static_cast<double>(size.count) * writes;
    const double least = std::max(writes * 100e-6, (bytes - (8 << 20)) / 100e6);
    EXPECT_NEAR(to_seconds(served.calendar.now()) / least, 1, 0.03) << size.count;
  }
}

}  // namespace
}  // namespace doorbell::model
