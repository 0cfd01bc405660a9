#include "models/storage/flash.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Four units of 16 KiB pages, 50 us to read, 400 us to program, channels of 16 KiB in 4 us, a buffer of two pages.
FlashParameters four_units() {
  return {
      .units = 4, .page = 16_KiB, .read = 50us, .program = 400us, .channels = {16384 / 4e-6}, .write_buffer = 32_KiB};
}

class FlashTest : public testing::Test {
 protected:
  /// Writes now, and notes when it is safe.
  void write(Flash& flash, Bytes bytes) {
    flash.write(bytes, {[](void* self, std::uint64_t) {
                          auto& test = *static_cast<FlashTest*>(self);
                          test.safe_.push_back(test.calendar_.now());
                        },
                        this, 0});
  }

  core::Calendar calendar_;
  Flash flash_{calendar_, four_units(), core::Priority{0}};
  std::vector<Time> safe_;
};

TEST_F(FlashTest, TellsWhatItsBufferHasGathered) {
  write(flash_, 16_KiB);
  calendar_.run_until(100us);
  EXPECT_EQ(flash_.gathered(), 16_KiB);
  flash_.measure(calendar_.now(), Time::max());
  EXPECT_EQ(flash_.taken(), 0_KiB);
  write(flash_, 4_KiB);
  EXPECT_EQ(flash_.gathered(), 4_KiB);
  EXPECT_EQ(flash_.taken(), 4_KiB);
  calendar_.run_until(1ms);  // the page is programmed
  EXPECT_EQ(flash_.gathered().count, -12 * 1024);
  EXPECT_EQ(flash_.taken(), 4_KiB);
}

TEST_F(FlashTest, ReadsOfOneUnitWaitForEachOtherThoseOfOthersDoNot) {
  EXPECT_EQ(flash_.read(0, 4_KiB), 50us);
  EXPECT_EQ(flash_.read(4, 4_KiB), 100us);  // the same unit
  EXPECT_EQ(flash_.read(1, 4_KiB), 50us);
}

TEST_F(FlashTest, PagesOfALongReadAreReadSideBySide) {
  EXPECT_EQ(flash_.read(2, 64_KiB), 50us);
  EXPECT_EQ(flash_.read(2, 80_KiB), 150us);  // five pages, the fifth behind the first
}

TEST_F(FlashTest, ChannelsTransferOneAfterTheOther) {
  EXPECT_EQ(flash_.transfer(16_KiB), 4us);
  EXPECT_EQ(flash_.transfer(4_KiB), 5us);
}

TEST_F(FlashTest, AWriteIsSafeAtOnceWhereThereIsRoom) {
  write(flash_, 16_KiB);
  write(flash_, 16_KiB);
  EXPECT_EQ(safe_, (std::vector<Time>{0us, 0us}));
}

TEST_F(FlashTest, AWriteThatFindsNoRoomWaitsForAProgram) {
  for (int i = 0; i < 4; ++i) write(flash_, 16_KiB);
  calendar_.run_until(403us);
  EXPECT_EQ(safe_.size(), 2U);
  // Loaded one after the other, programmed side by side.
  calendar_.run_until(408us);
  EXPECT_EQ(safe_, (std::vector<Time>{0us, 0us, 404us, 408us}));
  calendar_.run_until(1632us);
  EXPECT_NEAR(flash_.full(1632us), 0.25, 1e-12);
}

TEST_F(FlashTest, LessThanAPageIsProgrammedWithWhatFollows) {
  for (int i = 0; i < 3; ++i) write(flash_, 4_KiB);
  calendar_.run_until(1ms);
  EXPECT_EQ(flash_.units_busy(1ms), 0);
  write(flash_, 4_KiB);
  calendar_.run_until(2ms);
  EXPECT_NEAR(flash_.units_busy(2ms), 400e-6 / 2e-3 / 4, 1e-12) << "one program, of one of four units";
}

TEST_F(FlashTest, AWriteLargerThanTheBufferPassesAlone) {
  write(flash_, 64_KiB);
  write(flash_, 4_KiB);
  EXPECT_EQ(safe_.size(), 1U);
  calendar_.run_until(1ms);
  EXPECT_EQ(safe_, (std::vector<Time>{0us, 412us})) << "when the third of its pages has been programmed";
}

TEST_F(FlashTest, ProgramsMakeReadsWait) {
  write(flash_, 16_KiB);  // unit 0
  calendar_.run_until(4us);
  EXPECT_EQ(flash_.read(0, 4_KiB), 454us);
  EXPECT_EQ(flash_.read(1, 4_KiB), 54us);
}

TEST_F(FlashTest, ManyWritesAreAsFastAsAllUnitsProgram) {
  FlashParameters parameters = four_units();
  parameters.write_buffer = 1024_KiB;
  Flash flash{calendar_, parameters, core::Priority{0}};
  flash.measure(0us, 40ms);
  for (int i = 0; i < 400; ++i) write(flash, 16_KiB);
  calendar_.run_until(40ms);
  // 64 pages at once, the rest as four pages are programmed every 400 us, which takes 100 programs of each unit.
  ASSERT_EQ(safe_.size(), 400U);
  EXPECT_EQ(safe_[63], 0us);
  EXPECT_EQ(safe_.back(), 16us + 400us * 84);
  EXPECT_NEAR(flash.units_busy(40ms), 1, 1e-3);
  EXPECT_NEAR(flash.channels_busy(40ms), 400 * 4e-6 / 40e-3, 1e-9);
}

TEST_F(FlashTest, WritesAreNoFasterThanTheChannels) {
  FlashParameters parameters = four_units();
  parameters.channels = {16384 / 1e-3};  // a page in a millisecond
  Flash flash{calendar_, parameters, core::Priority{0}};
  flash.measure(0us, 100ms);
  for (int i = 0; i < 100; ++i) write(flash, 16_KiB);
  calendar_.run_until(100ms);
  EXPECT_EQ(safe_.back(), 98ms + 400us) << "when the buffer of two pages has room for the last";
  EXPECT_NEAR(flash.channels_busy(100ms), 1, 1e-9);
}

}  // namespace
}  // namespace doorbell::model
