#include "models/storage/disk.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

DiskArrayParameters parameters() {
  DiskArrayParameters array;
  array.disks = 1;
  array.media = 50_MBps;
  array.read_ahead = 512_KiB;
  array.mechanics = {Bytes{250'000'000'000}, 2ms, 8900us, 8333us, 4};
  return array;
}

Disk disk_of(const DiskArrayParameters& array) { return Disk{array, core::RandomStream{1, "disk"}}; }

TEST(Disk, MeanSeekOfRandomPairsIsTheDatasheets) {
  const DiskArrayParameters array = parameters();
  const Disk disk = disk_of(array);
  core::RandomStream random{7, "places"};
  const auto capacity = static_cast<std::uint64_t>(array.mechanics.capacity.count);
  double sum = 0;
  constexpr int pairs = 20000;
  for (int i = 0; i < pairs; ++i) {
    const auto from = static_cast<std::int64_t>(random.below(capacity));
    sum += to_seconds(disk.seek_time(static_cast<std::int64_t>(random.below(capacity)) - from));
  }
  EXPECT_NEAR(sum / pairs, 8.9e-3, 0.1e-3);
  EXPECT_EQ(disk.seek_time(0), Time{0});
  EXPECT_GE(disk.seek_time(1), Time{2ms});
}

TEST(Disk, RandomReadsTakeSeekHalfARevolutionAndTransfer) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  core::RandomStream random{3, "places"};
  Time now{0};
  constexpr int reads = 4000;
  for (int i = 0; i < reads; ++i) {
    const auto place = static_cast<std::int64_t>(random.below(250'000)) * 1'000'000;
    now = disk.read(place, 4_KiB, now);
  }
  const double transfer = 4096 / 50e6;
  EXPECT_NEAR(to_seconds(now) / reads, 8.9e-3 + 8.333e-3 / 2 + transfer, 0.2e-3);
  EXPECT_EQ(disk.seeks(), reads);
}

TEST(Disk, AStreamRunsAtTheRateOfTheMedia) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  Time now{0};
  for (std::int64_t i = 0; i < 1000; ++i) now = disk.read(i * 65536, 64_KiB, now);
  EXPECT_EQ(disk.seeks(), 1);
  EXPECT_NEAR(to_seconds(now), 1000 * 65536 / 50e6, 20e-3);
}

TEST(Disk, ReadsAheadWhileNobodyAsks) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  const Time first = disk.read(0, 64_KiB, Time{0});
  const Time later = first + 100ms;  // enough for all of the segment
  EXPECT_EQ(disk.read(65536, 64_KiB, later), later);
  EXPECT_EQ(disk.read(65536LL * 8, 64_KiB, later), later);
  // What the segment cannot hold has not been read.
  EXPECT_GT(disk.read(65536LL * 18, 64_KiB, later), later);
}

TEST(Disk, WhatIsFoundInTheBufferLetsItReadOn) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  Time now = disk.read(0, 64_KiB, Time{0}) + 100ms;  // up to 576 KiB
  EXPECT_EQ(disk.read(65536LL * 8, 64_KiB, now), now);
  now += 100ms;  // and 512 KiB more
  EXPECT_EQ(disk.read(65536LL * 16, 64_KiB, now), now);
  EXPECT_GT(disk.read(65536LL * 17, 64_KiB, now), now);
}

TEST(Disk, GoesOnWhereTheBufferEnds) {
  DiskArrayParameters array = parameters();
  array.mechanics.revolution = Time{0};
  Disk disk = disk_of(array);
  Time now = disk.read(0, 64_KiB, Time{0}) + 100ms;  // up to 576 KiB
  now = disk.read(1'000'000'000, 64_KiB, now);
  const Time ready = disk.read(65536LL * 8, 128_KiB, now);
  EXPECT_EQ(ready, now + disk.seek_time(1'000'000'000 + 65536 - 9 * 65536) + transfer_time(64_KiB, array.media));
}

TEST(Disk, KeepsAsMuchBehindAsItReadsAhead) {
  const DiskArrayParameters array = parameters();
  for (const std::int64_t again : {15, 8, 7, 0}) {
    Disk disk = disk_of(array);
    Time now{0};
    for (std::int64_t i = 0; i < 16; ++i) now = disk.read(i * 65536, 64_KiB, now);
    EXPECT_EQ(disk.read(again * 65536, 64_KiB, now) == now, again >= 8) << again;
  }
}

TEST(Disk, KeepsNoMoreOfAStreamThatIsSlow) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  Time now = disk.read(0, 64_KiB, Time{0});
  for (std::int64_t i = 1; i < 32; ++i) {
    now += 100ms;
    ASSERT_EQ(disk.read(i * 65536, 64_KiB, now), now) << "it has read ahead";
  }
  EXPECT_GT(disk.read(0, 64_KiB, now), now);
}

TEST(Disk, NotReadyBeforeTheHeadsHavePassed) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  const Time first = disk.read(0, 64_KiB, Time{0});
  const Time next = disk.read(65536, 64_KiB, first);
  EXPECT_EQ(next - first, transfer_time(64_KiB, array.media));
}

TEST(Disk, StreamsInTheBufferNeedNoSeekUntilItRunsOut) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  Time now = disk.read(0, 64_KiB, Time{0}) + 50ms;
  now = disk.read(100'000'000, 64_KiB, now) + 50ms;
  const std::uint64_t before = disk.seeks();
  now = disk.read(65536, 64_KiB, now);
  now = disk.read(100'065'536, 64_KiB, now);
  EXPECT_EQ(disk.seeks(), before);
}

TEST(Disk, MoreStreamsThanSegmentsSeekForEveryRequest) {
  for (const int segments : {1, 2, 4}) {
    DiskArrayParameters array = parameters();
    array.mechanics.segments = segments;
    Disk disk = disk_of(array);
    Time now{0};
    constexpr int rounds = 20;
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (std::int64_t stream = 0; stream <= segments; ++stream) {
        now = disk.read(stream * 1'000'000'000 + round * 65536, 64_KiB, now);
      }
    }
    EXPECT_EQ(disk.seeks(), static_cast<std::uint64_t>(rounds * (segments + 1))) << segments;
  }
}

TEST(Disk, AWriteMakesWhatTheBufferHeldStale) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  Time now = disk.read(0, 64_KiB, Time{0}) + 50ms;
  now = disk.write(65536, 4_KiB, now);
  const Time again = disk.read(65536, 4_KiB, now);
  EXPECT_GT(again, now);
}

TEST(Disk, AWriteThatGoesOnAtOnceWaitsForNothing) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  const Time first = disk.write(1'000'000, 64_KiB, Time{0});
  EXPECT_EQ(disk.write(1'000'000 + 65536, 64_KiB, first), first + transfer_time(64_KiB, array.media));
}

TEST(Disk, AWriteThatGoesOnAfterAPauseWaitsForThePlaceToComeRound) {
  const DiskArrayParameters array = parameters();
  const Time revolution = array.mechanics.revolution;
  for (const Time pause : {Time{1}, Time{1ms}, revolution - Time{1}, revolution, revolution + Time{1ms}}) {
    Disk disk = disk_of(array);
    const Time first = disk.write(1'000'000, 64_KiB, Time{0});
    const Time rounds = revolution * ((pause + revolution - Time{1}) / revolution);
    EXPECT_EQ(disk.write(1'000'000 + 65536, 64_KiB, first + pause),
              first + rounds + transfer_time(64_KiB, array.media));
    EXPECT_EQ(disk.seeks(), 1U) << "the heads are there";
  }
}

TEST(Disk, KnowsWhenTheHeadsCameToTheEndOfItsBuffer) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  const Time full = disk.read(0, 64_KiB, Time{0}) + transfer_time(512_KiB, array.media);
  const Time later = full + 100ms;
  const Time written = disk.write(65536LL * 9, 64_KiB, later);
  const Time waited = written - transfer_time(64_KiB, array.media) - full;
  EXPECT_EQ(waited % array.mechanics.revolution, Time{0});
  EXPECT_GE(waited, 100ms);
  EXPECT_LT(waited, 100ms + array.mechanics.revolution);
}

TEST(Disk, TellsBeforehandHowLongItWillTake) {
  const DiskArrayParameters array = parameters();
  for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
    for (const std::int64_t position : {0LL, 65536LL, 65536LL * 9, 70'000'000'000LL}) {
      Disk disk = disk_of(array);
      const Time now = disk.read(0, 64_KiB, Time{0}) + 50ms;
      DiskCommand command{.operation = operation, .position = position, .size = 4_KiB, .asked = now};
      const Time positioning = disk.positioning(command, now);
      EXPECT_EQ(disk.positioning(command, now), positioning) << "it is not drawn anew";
      const Time served = disk.serve(command, now) - now;
      const bool buffered = operation == BlockOperation::read && position < 65536 * 9;
      EXPECT_EQ(served, positioning + (buffered ? Time{0} : transfer_time(4_KiB, array.media))) << position;
    }
  }
}

TEST(Disk, ASectorStaysWhereItIsAroundTheDisk) {
  const DiskArrayParameters array = parameters();
  Disk disk = disk_of(array);
  const Time now = disk.write(0, 64_KiB, Time{0});
  DiskCommand command{.operation = BlockOperation::write, .position = 70'000'000'000, .size = 4_KiB, .asked = now};
  const Time first = now + disk.positioning(command, now);
  for (const Time pause : {Time{1us}, Time{3ms}, Time{20ms}}) {
    const Time later = now + pause + disk.positioning(command, now + pause);
    EXPECT_EQ((later - first) % array.mechanics.revolution, Time{0});
  }
}

DiskArrayParameters with_write_cache(Bytes capacity) {
  DiskArrayParameters array = parameters();
  array.mechanics.write_cache = capacity;
  return array;
}

TEST(Disk, WhatTheWriteCacheTakesIsDoneAtOnceAndCanBeReadAtOnce) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  Disk disk = disk_of(array);
  EXPECT_EQ(disk.write(1'000'000, 64_KiB, Time{1ms}), Time{1ms});
  EXPECT_EQ(disk.write(90'000'000'000, 64_KiB, Time{1ms}), Time{1ms});
  EXPECT_EQ(disk.read(1'000'000 + 4096, 4_KiB, Time{1ms}), Time{1ms});
  EXPECT_EQ(disk.seeks(), 0U) << "the heads have had no time yet";
  EXPECT_GT(disk.read(0, 4_KiB, Time{1ms}), Time{1ms});
}

TEST(Disk, AFullWriteCacheTakesWhatTheHeadsWrite) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  Disk disk = disk_of(array);
  constexpr int writes = 4000;
  Time now{0};
  for (std::int64_t i = 0; i < writes; ++i) {
    now = disk.write(i * 65536, 64_KiB, now);
    // No more than the heads can have written, and the cache holds.
    EXPECT_LE((i + 1) * 65536, static_cast<std::int64_t>(to_seconds(now) * 50e6) + (8 << 20)) << i;
  }
  const double written = writes * 65536.0 - (8 << 20);
  EXPECT_NEAR(to_seconds(now) * 50e6 / written, 1, 0.01) << "no revolution is missed";
}

TEST(Disk, PausesBetweenCachedWritesMissNoRevolution) {
  const Time pause{1ms};
  const auto time_of = [pause](const DiskArrayParameters& array) {
    Disk disk = disk_of(array);
    Time now{0};
    for (std::int64_t i = 0; i < 2000; ++i) now = disk.write(i * 65536, 64_KiB, now + pause);
    return to_seconds(now);
  };
  const double transfer = 65536 / 50e6;
  EXPECT_NEAR(time_of(parameters()), 2000 * (8.333e-3 + transfer), 0.02) << "one for each";
  // What fills the pauses is written in them.
  EXPECT_NEAR(time_of(with_write_cache(8192_KiB)), 2000 * std::max(1e-3, transfer) - (8 << 20) / 50e6, 0.02);
}

/// Writes of 4 KiB anywhere per second, one by one.
double scattered_writes(const DiskArrayParameters& array) {
  Disk disk = disk_of(array);
  core::RandomStream random{3, "places"};
  constexpr int writes = 8000;
  Time now{0};
  for (int i = 0; i < writes; ++i) {
    now = disk.write(static_cast<std::int64_t>(random.below(60'000'000)) * 4096, 4_KiB, now);
  }
  const double cached = static_cast<double>(array.mechanics.write_cache.count) / 4096;
  return (writes - cached) / to_seconds(now);
}

TEST(Disk, TheMoreWritesItHoldsTheShorterTheWays) {
  const DiskArrayParameters uncached = parameters();
  const double transfer = 4096 / 50e6;
  double before = scattered_writes(uncached);
  EXPECT_NEAR(before * (8.9e-3 + 8.333e-3 / 2 + transfer), 1, 0.03);
  for (const Bytes capacity : {64_KiB, 1024_KiB, 8192_KiB}) {
    const double rate = scattered_writes(with_write_cache(capacity));
    EXPECT_GT(rate, 1.05 * before) << capacity.count;
    before = rate;
  }
  // In ascending order the shortest seek and half a revolution remain.
  EXPECT_LT(before, 1 / (2e-3 + 8.333e-3 / 2 + transfer));
}

TEST(Disk, AReadWaitsForWhatTheHeadsHaveBegunToWriteOnly) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  const Time positioning = Time{8900us} * 15 / 8 + array.mechanics.revolution;
  Disk disk = disk_of(array);
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(disk.write(i * 1'000'000'000, 64_KiB, Time{0}), Time{0});
  const Time asked{5ms};
  const Time ready = disk.read(200'000'000'000, 4_KiB, asked);
  EXPECT_LE(ready - asked, positioning * 2 + transfer_time(68_KiB, array.media));
  // They had begun at once, and a place that they have not begun with waits.
  Disk idle = disk_of(array);
  EXPECT_EQ(idle.write(0, 64_KiB, Time{0}), Time{0});
  DiskCommand next{.operation = BlockOperation::read, .position = 131'072, .size = 4_KiB, .asked = Time{1}};
  EXPECT_GT(idle.positioning(next, Time{1}), transfer_time(64_KiB, array.media));
}

TEST(Disk, WritesBehindWhileNobodyAsksAndIsBusyMeanwhile) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  Disk disk = disk_of(array);
  disk.measure(Time{0});
  EXPECT_EQ(disk.write(0, 1024_KiB, Time{0}), Time{0});
  EXPECT_EQ(disk.write(1 << 20, 4096_KiB, Time{0}), Time{0});
  EXPECT_GT(disk.write(5 << 20, 4096_KiB, Time{1ms}), Time{1ms}) << "there is no room yet";
  const Time later{2s};
  EXPECT_EQ(disk.write(9 << 20, 8192_KiB, later), later) << "all has been written";
  // While the third one waited for room, it had the heads.
  const double written = (9 << 20) / 50e6;
  const double waited = to_seconds(later) * (written / to_seconds(later) - disk.behind_commands(later));
  EXPECT_GT(waited, 0.01);
  EXPECT_LT(waited, 0.1);
}

TEST(Disk, DoesNotCountAsItsOwnTimeWhatACommandHasItFor) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  for (const bool waits : {false, true}) {
    Disk disk = disk_of(array);
    disk.measure(Time{0});
    EXPECT_EQ(disk.write(0, 4096_KiB, Time{0}), Time{0});
    if (waits) disk.take(Time{1ms});
    DiskCommand command{.operation = BlockOperation::write, .position = 8 << 20, .size = 4_KiB, .asked = Time{1ms}};
    EXPECT_EQ(disk.serve(command, Time{50ms}), Time{50ms});
    EXPECT_NEAR(disk.behind_commands(Time{50ms}), waits ? 0.02 : 1, 1e-3);
    disk.release(Time{60ms});
    EXPECT_EQ(disk.write(9 << 20, 4_KiB, Time{100ms}), Time{100ms});
    EXPECT_LE(disk.behind_commands(Time{100ms}), waits ? 0.41 : 0.91);
  }
}

TEST(Disk, WhatTheBufferHoldsNeedsNoHeadsWhileTheyWriteBehind) {
  const DiskArrayParameters array = with_write_cache(8192_KiB);
  Disk disk = disk_of(array);
  const Time now = disk.read(0, 64_KiB, Time{0}) + 100ms;
  EXPECT_EQ(disk.write(90'000'000'000, 4096_KiB, now), now);
  DiskCommand buffered{.operation = BlockOperation::read, .position = 65536, .size = 4_KiB, .asked = now + 1ms};
  EXPECT_EQ(disk.positioning(buffered, now + 1ms), Time{0});
  EXPECT_EQ(disk.serve(buffered, now + 1ms), now + 1ms);
}

TEST(Disk, WhatTheWriteCacheCannotHoldIsWrittenAtOnce) {
  const DiskArrayParameters array = with_write_cache(64_KiB);
  Disk disk = disk_of(array);
  const Time first = disk.write(0, 128_KiB, Time{0});
  EXPECT_GE(first, transfer_time(128_KiB, array.media));
  EXPECT_EQ(disk.write(131072, 128_KiB, first), first + transfer_time(128_KiB, array.media));
}

}  // namespace
}  // namespace doorbell::model
