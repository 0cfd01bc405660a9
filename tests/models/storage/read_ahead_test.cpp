#include "models/storage/read_ahead.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(ReadAhead, TheFirstWindowGrowsWithTheRequest) {
  // Limit 32 pages: up to 1 page fourfold, up to 8 twofold, else the limit (get_init_ra_size of Linux).
  EXPECT_EQ(ReadAhead{128_KiB}.missed(0, 1).pages.pages, 4);
  EXPECT_EQ(ReadAhead{128_KiB}.missed(0, 4).pages.pages, 8);
  EXPECT_EQ(ReadAhead{128_KiB}.missed(0, 16).pages.pages, 32);
  EXPECT_EQ(ReadAhead{128_KiB}.missed(0, 100).pages.pages, 32);
}

TEST(ReadAhead, TheMarkStandsBehindWhatWasWanted) {
  const ReadAhead::Window window = ReadAhead{128_KiB}.missed(0, 4);
  EXPECT_EQ(window.mark, 4);
}

TEST(ReadAhead, AtTheMarkTheWindowDoublesUpToTheLimit) {
  ReadAhead stream{128_KiB};
  ReadAhead::Window window = stream.missed(0, 4);  // pages 0 to 7, mark at 4
  window = stream.at_mark(window.mark, 4);
  EXPECT_EQ(window.pages.first, 8);
  EXPECT_EQ(window.pages.pages, 16);
  EXPECT_EQ(window.mark, 8);
  window = stream.at_mark(window.mark, 4);
  EXPECT_EQ(window.pages.first, 24);
  EXPECT_EQ(window.pages.pages, 32);
  window = stream.at_mark(window.mark, 4);
  EXPECT_EQ(window.pages.first, 56);
  EXPECT_EQ(window.pages.pages, 32);
}

TEST(ReadAhead, AMarkThatAnotherStreamHasSetIsTakenUpBehindIt) {
  ReadAhead::Window window = ReadAhead{128_KiB}.at_mark(100, 4);
  EXPECT_EQ(window.pages.first, 101);
  EXPECT_EQ(window.pages.pages, 8);
  EXPECT_EQ(window.mark, 101);
  ReadAhead grown{128_KiB};
  (void)grown.missed(0, 16);
  EXPECT_EQ(grown.at_mark(100, 4).pages.pages, 32) << "the window that a stream has reached stays";
}

TEST(ReadAhead, APageAtTheMarkThatIsGoneAgainIsPartOfTheNextWindow) {
  ReadAhead stream{128_KiB};
  (void)stream.missed(0, 4);  // pages 0 to 7, mark at 4
  const ReadAhead::Window window = stream.missed(4, 4);
  EXPECT_EQ(window.pages.first, 4);
  EXPECT_EQ(window.pages.pages, 16);
  EXPECT_EQ(window.mark, 4);
}

TEST(ReadAhead, AJumpReadsOnlyWhatIsWanted) {
  ReadAhead stream{128_KiB};
  (void)stream.missed(0, 4);
  stream.used(3);
  const ReadAhead::Window window = stream.missed(1000, 2);
  EXPECT_EQ(window.pages.first, 1000);
  EXPECT_EQ(window.pages.pages, 2);
  EXPECT_EQ(window.mark, -1);
}

TEST(ReadAhead, OfNothingLeavesThePageThatIsMissing) {
  ReadAhead stream{Bytes{0}};
  const ReadAhead::Window window = stream.missed(7, 3);
  EXPECT_EQ(window.pages.first, 7);
  EXPECT_EQ(window.pages.pages, 1);
  EXPECT_EQ(window.mark, -1);
}

TEST(ReadAhead, ASmallWindowGrowsFourfoldBelowASixteenthOfTheLimit) {
  const auto second = [](std::int64_t wanted) {
    ReadAhead stream{1024_KiB};  // 256 pages
    const ReadAhead::Window first = stream.missed(0, wanted);
    return stream.at_mark(first.mark, wanted).pages.pages / first.pages.pages;
  };
  EXPECT_EQ(second(2), 4);  // 8 pages
  EXPECT_EQ(second(4), 2);  // 16
}

}  // namespace
}  // namespace doorbell::model
