#include "models/storage/nvme_drive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "models/nvme_host.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

class NvmeDriveTest : public testing::Test {
 protected:
  NvmeDrive& drive() {
    if (!drive_) drive_.emplace(calendar_, parameters_, round_root_complex(), core::Priority{0});
    return *drive_;
  }
  void add(Bytes size, std::uint64_t place, bool write = false) {
    tags_.push_back(tags_.size());
    const DriveCommandCost& cost = costs_.emplace_back(command_cost(parameters_, round_root_complex(), size, write));
    drive().add({.client = &host_,
                 .tag = &tags_.back(),
                 .cost = &cost,
                 .size = size,
                 .place = place,
                 .programmed = write ? size : Bytes{0}});
  }

  NvmeDriveParameters parameters_ = round_drive();
  core::Calendar calendar_;
  std::optional<NvmeDrive> drive_;
  NvmeHost host_;
  std::deque<std::uint64_t> tags_;
  std::deque<DriveCommandCost> costs_;
};

// At 8 GB/s of the link: a doorbell of 28 B 3.5 ns, a read request of 24 B 3 ns, a command in one completion of 84 B
// 10.5 ns, 4 KiB in 16 writes of 280 B 560 ns, the same in 64 completions of 84 B 672 ns, a completion of 40 B 5 ns.

TEST_F(NvmeDriveTest, AReadAloneTakesTheSumOfItsParts) {
  add(4_KiB, 0);
  drive().ring();
  calendar_.run_until(1ms);
  ASSERT_EQ(host_.done.size(), 1U);
  const Time fetched = Time{3500} + 100ns + 3ns + 100ns + 200ns + Time{10500} + 100ns;
  const Time sensed = fetched + 1us + 3us + 50us;
  const Time moved = sensed + 1us + 560ns + 5ns;  // channels: 4 KiB at 4.096 GB/s
  EXPECT_EQ(host_.done[0].visible, moved + 100ns + 150ns);
  EXPECT_EQ(drive().reads(), 1U);
  EXPECT_EQ(drive().latency().mean(), host_.done[0].visible);
}

TEST_F(NvmeDriveTest, AWriteAloneNeedNotWaitForFlash) {
  add(4_KiB, 0, true);
  drive().ring();
  calendar_.run_until(1ms);
  ASSERT_EQ(host_.done.size(), 1U);
  const Time fetched = Time{3500} + 100ns + 3ns + 100ns + 200ns + Time{10500} + 100ns;
  // Its data are asked for in eight requests of 512 B; those of the first come while the others are sent.
  const Time arrived = fetched + 1us + 3us + 3ns + 100ns + 200ns + 672ns + 100ns;
  EXPECT_EQ(host_.done[0].visible, arrived + 5ns + 100ns + 150ns);
  EXPECT_EQ(drive().writes(), 1U);
}

TEST_F(NvmeDriveTest, WithoutDoorbellNothingHappens) {
  add(4_KiB, 0);
  calendar_.run_until(1ms);
  EXPECT_EQ(host_.done.size(), 0U);
  drive().ring();
  drive().ring();  // for nothing
  calendar_.run_until(2ms);
  EXPECT_EQ(host_.done.size(), 1U);
  EXPECT_EQ(drive().link().lines_read(), 1U);
}

TEST_F(NvmeDriveTest, CommandsOfOneCallAreReadTogetherAndTakenOneAfterTheOther) {
  for (std::uint64_t i = 0; i < 8; ++i) add(4_KiB, i);
  drive().ring();
  calendar_.run_until(1ms);
  ASSERT_EQ(host_.done.size(), 8U);
  EXPECT_EQ(drive().link().lines_read(), 8U);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(host_.done[i].visible - host_.done[i - 1].visible, 1us) << i;
}

TEST_F(NvmeDriveTest, MeasuringForgetsWhatWasBefore) {
  for (std::uint64_t i = 0; i < 8; ++i) add(4_KiB, i);
  drive().ring();
  calendar_.run_until(1ms);
  drive().measure(1ms, 2ms);
  add(4_KiB, 0);
  drive().ring();
  calendar_.run_until(2ms);
  EXPECT_EQ(drive().reads(), 1U);
  EXPECT_EQ(drive().latency().count(), 1U);
  EXPECT_DOUBLE_EQ(drive().controller().utilisation(2ms), 1e-3);
  EXPECT_DOUBLE_EQ(drive().flash().units_busy(2ms), 50e-3 / 64);
}

/// Commands at random places, more of them than ever limit, all at once: what is left is the slowest part.
class NvmeDriveRate : public NvmeDriveTest {
 protected:
  double rate_of_reads(Bytes size, bool write = false) {
    constexpr int commands = 20'000;
    for (std::uint64_t i = 0; i < commands; ++i) {
      add(size, i * 0x9e3779b97f4a7c15U >> 20U, write);
      if (i % 32 == 31) drive().ring();
    }
    calendar_.run_until(10s);
    EXPECT_EQ(host_.done.size(), static_cast<std::size_t>(commands));
    const auto last = std::max_element(host_.done.begin(), host_.done.end(),
                                       [](const auto& a, const auto& b) { return a.visible < b.visible; });
    return commands / to_seconds(last->visible);
  }
};

TEST_F(NvmeDriveRate, OfTheController) { EXPECT_NEAR(rate_of_reads(4_KiB) / 1e6, 1, 0.01); }

TEST_F(NvmeDriveRate, OfFlash) {
  parameters_.flash.units = 16;
  EXPECT_NEAR(rate_of_reads(4_KiB) / (16 / 50e-6), 1, 0.03);  // some units have more to do than others
}

TEST_F(NvmeDriveRate, OfTheChannels) {
  parameters_.flash.channels = {2.048e9};
  EXPECT_NEAR(rate_of_reads(4_KiB) / 0.5e6, 1, 0.01);
}

TEST_F(NvmeDriveRate, OfTheLink) {
  parameters_.pcie.lanes = 2;
  EXPECT_NEAR(rate_of_reads(4_KiB) * 2.28e-6, 1, 0.02);  // 4 x (560 + 5 + 3/32) ns
}

TEST_F(NvmeDriveRate, OfPrograms) {
  // 20,000 x 4 KiB are 5,000 pages, of which 64 fit the buffer.
  EXPECT_NEAR(rate_of_reads(4_KiB, true) / (4 * 64 / 500e-6), 1, 0.02);
}

}  // namespace
}  // namespace doorbell::model
