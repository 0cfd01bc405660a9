#include "models/storage/disk_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/process.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// A disk of 250 GB at 7200 revolutions per minute that does not read ahead.
DiskArrayParameters queueing_disk() {
  DiskArrayParameters array;
  array.disks = 1;
  array.media = 50_MBps;
  array.read_ahead = Bytes{0};
  array.mechanics = {Bytes{250'000'000'000}, 2ms, 8900us, 8333us, 4};
  return array;
}

constexpr Bytes block{4096};

/// Who ask for blocks anywhere, each for the next one when the last one has come.
class ClosedLoop {
 public:
  ClosedLoop(int depth, int number, int asking, const DiskArrayParameters& array = queueing_disk())
      : array_{array}, disk_{array_, core::RandomStream{5, "disk"}}, queue_{calendar_, disk_, depth}, left_{number} {
    for (int i = 0; i < asking; ++i) core::start(calendar_, ask());
    calendar_.run();
  }

  [[nodiscard]] double rate() const { return static_cast<double>(waits_.size()) / to_seconds(calendar_.now()); }
  /// Half of the interval in which the mean service time lies with a probability of 99.9 %, over that mean.
  [[nodiscard]] double uncertainty() const {
    double squares = 0;
    const double mean = 1 / rate();
    for (const Time service : services_) squares += std::pow(to_seconds(service) - mean, 2);
    const auto count = static_cast<double>(services_.size());
    return 3.3 * std::sqrt(squares / count / count) / mean;
  }
  [[nodiscard]] Time longest_wait() const { return *std::ranges::max_element(waits_); }
  [[nodiscard]] std::size_t served() const { return waits_.size(); }
  [[nodiscard]] std::uint64_t seeks() const { return disk_.seeks(); }
  [[nodiscard]] double busy() const { return queue_.in_use().mean(calendar_.now()); }

 private:
  core::Process ask() {
    while (left_ > 0) {
      --left_;
      const auto places = static_cast<std::uint64_t>(array_.mechanics.capacity.count / block.count);
      const Time asked = calendar_.now();
      DiskCommand command{.operation = BlockOperation::read,
                          .position = static_cast<std::int64_t>(places_.below(places)) * block.count,
                          .size = block,
                          .asked = asked};
      co_await queue_.turn(command);
      EXPECT_FALSE(serving_) << "one at a time";
      serving_ = true;
      const Time began = calendar_.now();
      waits_.push_back(began - asked);
      co_await core::until(calendar_, disk_.serve(command, began));
      services_.push_back(calendar_.now() - began);
      serving_ = false;
      queue_.done();
    }
  }

  core::Calendar calendar_;
  DiskArrayParameters array_;
  Disk disk_;
  DiskQueue queue_;
  core::RandomStream places_{11, "places"};
  int left_;
  bool serving_ = false;
  std::vector<Time> waits_;
  std::vector<Time> services_;
};

constexpr int many_commands = 8000;

TEST(DiskQueue, OneAtATimeTakesSeekHalfARevolutionAndTransfer) {
  const DiskArrayParameters array = queueing_disk();
  const double theory = 1 / (8.9e-3 + 8.333e-3 / 2 + to_seconds(transfer_time(block, array.media)));
  for (const int depth : {1, 32}) {
    const ClosedLoop loop{depth, many_commands, 1};
    EXPECT_LT(loop.uncertainty(), 0.02);
    EXPECT_NEAR(loop.rate() / theory, 1, loop.uncertainty()) << depth;
  }
}

TEST(DiskQueue, InOrderWaitingDoesNotChangeTheRate) {
  const ClosedLoop alone{1, many_commands, 1};
  const ClosedLoop many{1, many_commands, 32};
  EXPECT_NEAR(many.rate() / alone.rate(), 1, alone.uncertainty() + many.uncertainty());
  // Each waits for the 31 before it.
  EXPECT_LT(to_seconds(many.longest_wait()), 31 * (16e-3 + 8.333e-3));
}

TEST(DiskQueue, TheRateGrowsWithTheCommandsItChoosesFrom) {
  const DiskArrayParameters array = queueing_disk();
  double before = 0;
  for (const int depth : {1, 2, 4, 8, 16, 32}) {
    const ClosedLoop loop{depth, many_commands, 32};
    EXPECT_GT(loop.rate(), 1.05 * before) << depth;
    before = loop.rate();
  }
  // Drives of 7200 revolutions per minute about double their rate by it.
  EXPECT_GT(before, 1.7 * 76);
  EXPECT_LT(before, 2.6 * 76);
  // No order saves the shortest seek.
  EXPECT_LT(before, 1 / to_seconds(array.mechanics.track_seek + transfer_time(block, array.media)));
}

TEST(DiskQueue, WhatWaitsBeyondItsDepthIsOutOfItsSight) {
  EXPECT_NEAR(ClosedLoop(8, many_commands, 64).rate() / ClosedLoop(8, many_commands, 8).rate(), 1, 0.06);
}

TEST(DiskQueue, AllAreServedOnceAndTheHeadsRestNever) {
  for (const int depth : {1, 32}) {
    const ClosedLoop loop{depth, many_commands, 32};
    EXPECT_EQ(loop.served(), static_cast<std::size_t>(many_commands));
    EXPECT_EQ(loop.seeks(), static_cast<std::uint64_t>(many_commands));
    EXPECT_NEAR(loop.busy(), 1, 1e-9);
  }
}

TEST(DiskQueue, NobodyStarves) {
  const DiskArrayParameters array = queueing_disk();
  const ClosedLoop loop{32, 10 * many_commands, 32};
  // After that, only the 31 that were there before it can be served first.
  const Time most = longest_overtaking(array.mechanics) + Time{25ms} * 31;
  EXPECT_LT(loop.longest_wait(), most);
}

TEST(DiskQueue, ACommandFarAwayGoesBeforeNearOnesThatComeMuchLater) {
  const DiskArrayParameters array = queueing_disk();
  Disk disk{array, core::RandomStream{5, "disk"}};
  const Time now = disk.read(0, block, Time{0}) + longest_overtaking(array.mechanics);
  DiskCommand far{.position = 200'000'000'000, .size = block, .asked = now - longest_overtaking(array.mechanics)};
  DiskCommand near{.position = 1'000'000, .size = block, .asked = now};
  const std::vector<DiskCommand*> held{&near, &far};
  EXPECT_EQ(next_command(held, disk, now), 1U);
  far.asked = now;
  EXPECT_EQ(next_command(held, disk, now), disk.positioning(near, now) <= disk.positioning(far, now) ? 0U : 1U);
}

TEST(DiskQueue, WhatTheBufferHoldsIsServedAtOnce) {
  DiskArrayParameters array = queueing_disk();
  array.read_ahead = 512_KiB;
  Disk disk{array, core::RandomStream{5, "disk"}};
  const Time now = disk.read(0, block, Time{0}) + 50ms;
  DiskCommand elsewhere{.position = 1'000'000'000, .size = block, .asked = now};
  DiskCommand buffered{.position = 65536, .size = block, .asked = now};
  const std::vector<DiskCommand*> held{&elsewhere, &buffered};
  EXPECT_EQ(next_command(held, disk, now), 1U);
}

}  // namespace
}  // namespace doorbell::model
