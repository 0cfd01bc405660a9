#include "models/storage/cached_device.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "models/memory/page.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Takes a millisecond for everything and remembers it.
class SlowDevice final : public BlockDevice {
 public:
  explicit SlowDevice(core::Calendar& calendar) : calendar_{calendar} {}
  core::Task<> read(int /*process*/, std::int64_t offset, Bytes size) override {
    reads.emplace_back(offset, size.count);
    co_await core::delay(calendar_, 1ms);
  }
  core::Task<> write(int /*process*/, std::int64_t offset, Bytes size) override {
    writes.emplace_back(offset, size.count);
    co_await core::delay(calendar_, 1ms);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> reads;
  std::vector<std::pair<std::int64_t, std::int64_t>> writes;

 private:
  core::Calendar& calendar_;
};

core::Process read_all(CachedDevice& device, CachedDevice::Reader& reader, PageCache::Page end,
                       core::Calendar& calendar, Time& ended) {
  for (PageCache::Page page = 0; page < end;) page += co_await device.present_from(reader, reader.process, page, end);
  ended = calendar.now();
}

TEST(CachedDevice, ReadsEveryPageOnceAndNoneBeyondTheFile) {
  core::Calendar calendar;
  SlowDevice slow{calendar};
  CachedDevice device{calendar, slow, Bytes{1 << 24}, 0.1, 64_KiB};
  CachedDevice::Reader reader{0, ReadAhead{128_KiB}, 100};
  Time ended{0};
  core::start(calendar, read_all(device, reader, 100, calendar, ended));
  calendar.run();
  std::int64_t sum = 0;
  for (const auto& [offset, size] : slow.reads) {
    EXPECT_LE(size, 65536);
    EXPECT_LE(offset + size, 100 * 4096);
    sum += size;
  }
  EXPECT_EQ(sum, 100 * 4096);
  // A second reader finds everything.
  const std::size_t before = slow.reads.size();
  CachedDevice::Reader again{1, ReadAhead{128_KiB}, 100};
  const Time from = calendar.now();
  core::start(calendar, read_all(device, again, 100, calendar, ended));
  calendar.run();
  EXPECT_EQ(slow.reads.size(), before);
  EXPECT_EQ(ended, from);
}

TEST(CachedDevice, ReadersOfOnePageWaitForOneRead) {
  core::Calendar calendar;
  SlowDevice slow{calendar};
  CachedDevice device{calendar, slow, Bytes{1 << 24}, 0.1, 64_KiB};
  CachedDevice::Reader first{0, ReadAhead{32_KiB}, 8};
  CachedDevice::Reader second{1, ReadAhead{32_KiB}, 8};
  Time one{0};
  Time other{0};
  core::start(calendar, read_all(device, first, 8, calendar, one));
  core::start(calendar, read_all(device, second, 8, calendar, other));
  calendar.run();
  EXPECT_EQ(slow.reads.size(), 1U);
  EXPECT_EQ(one, Time{1ms});
  EXPECT_EQ(other, Time{1ms});
}

core::Process read_once(CachedDevice& device, CachedDevice::Reader& reader, PageCache::Page page, PageCache::Page end,
                        std::int64_t& pages) {
  pages = co_await device.present_from(reader, reader.process, page, end);
}

TEST(CachedDevice, WhatIsGivenUpIsNeitherThereNorOnItsWay) {
  core::Calendar calendar;
  SlowDevice slow{calendar};
  CachedDevice device{calendar, slow, Bytes{1 << 24}, 0.1, 64_KiB};
  CachedDevice::Reader reader{0, ReadAhead{128_KiB}, 100};
  Time ended{0};
  core::start(calendar, read_all(device, reader, 1, calendar, ended));
  const auto give_up = [](CachedDevice& from, PageCache::Run run, core::Calendar& clock, Time& when) -> core::Process {
    co_await from.give_up(0, run);
    when = clock.now();
  };
  Time elsewhere = Time::max();
  Time given_up = Time::max();
  // The page that is asked for is there at 1 ms; what is read ahead with it and behind it is on its way until then.
  calendar.run_until(500us);
  core::start(calendar, give_up(device, {50, 10}, calendar, elsewhere));
  core::start(calendar, give_up(device, {0, 50}, calendar, given_up));
  calendar.run();
  EXPECT_EQ(elsewhere, 500us) << "nobody reads there";
  EXPECT_EQ(given_up, 1ms);
  for (PageCache::Page page = 0; page < 50; ++page)
    EXPECT_EQ(device.cache().state(page), PageCache::State::absent) << page;
}

TEST(CachedDevice, HandsOutSixteenPagesAtATimeAndKnowsThatTheyWereUsed) {
  core::Calendar calendar;
  SlowDevice slow{calendar};
  CachedDevice device{calendar, slow, Bytes{40 * 4096}, 0.1, 64_KiB};
  for (PageCache::Page page = 0; page < 40; ++page) device.cache().arrive(page);
  CachedDevice::Reader reader{0, ReadAhead{Bytes{0}}, 100};
  std::int64_t pages = 0;
  core::start(calendar, read_once(device, reader, 0, 40, pages));
  calendar.run();
  EXPECT_EQ(pages, 16);
  device.cache().expect(40);
  EXPECT_EQ(device.cache().state(0), PageCache::State::present);
  EXPECT_EQ(device.cache().state(16), PageCache::State::absent) << "used longest ago";
}

/// Four pages at a time, with a pause before each.
core::Process write_all(CachedDevice& device, PageCache::Page pages, Time pause, core::Calendar& calendar,
                        Time& ended) {
  for (PageCache::Page page = 0; page < pages; page += 4) {
    co_await core::delay(calendar, pause);
    co_await device.write(0, page * page_size, 16_KiB);
  }
  ended = calendar.now();
  co_await device.flush(0, {0, pages});
}

/// Ten pages may be dirty.
class LimitedWrites : public testing::Test {
 protected:
  core::Calendar calendar;
  SlowDevice slow{calendar};
  CachedDevice device{calendar, slow, Bytes{100 * 4096}, 0.1, 16_KiB};
  Time ended{0};
};

core::Process write_once(CachedDevice& device, std::int64_t offset, Bytes size) {
  co_await device.write(0, offset, size);
}

TEST_F(LimitedWrites, AreWrittenBackFromHalfOfTheLimitOn) {
  core::start(calendar, write_once(device, 0, 20_KiB));
  calendar.run();
  EXPECT_EQ(device.cache().dirty(), 5);
  core::start(calendar, write_once(device, 20480, 4_KiB));
  calendar.run();
  EXPECT_EQ(device.cache().dirty(), 0);
  EXPECT_EQ(calendar.now(), Time{1ms});
}

using Requests = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST_F(LimitedWrites, OfPartsOfPagesReadTheRestFirst) {
  core::start(calendar, write_once(device, 6144, 8_KiB));  // half of page 1, page 2, half of page 3
  calendar.run();
  EXPECT_EQ(slow.reads, (Requests{{4096, 4096}, {12288, 4096}}));
  EXPECT_EQ(device.cache().dirty(), 3);
  EXPECT_EQ(calendar.now(), Time{2ms}) << "the last page is looked up when the one before it is written";
  core::start(calendar, write_once(device, 4096, 2_KiB));
  calendar.run();
  EXPECT_EQ(slow.reads.size(), 2U) << "what is there is not read again";
}

TEST_F(LimitedWrites, OfPartsOfOnePageWaitForOneRead) {
  for (const std::int64_t offset : {0, 2048}) core::start(calendar, write_once(device, offset, 2_KiB));
  calendar.run();
  EXPECT_EQ(slow.reads, (Requests{{0, 4096}}));
  EXPECT_EQ(calendar.now(), Time{1ms});
}

TEST_F(LimitedWrites, OfWholePagesReadNothing) {
  core::start(calendar, write_once(device, 4096, 8_KiB));
  calendar.run();
  EXPECT_EQ(slow.reads, Requests{});
  EXPECT_EQ(calendar.now(), Time{0});
}

core::Process flush_once(CachedDevice& device, PageCache::Run run, core::Calendar& calendar, Time& ended) {
  co_await device.flush(0, run);
  ended = calendar.now();
}

TEST_F(LimitedWrites, AreFlushedWhereAskedForAndNowhereElse) {
  for (const std::int64_t page : {0, 1, 8}) core::start(calendar, write_once(device, page * page_size, 4_KiB));
  core::start(calendar, flush_once(device, {0, 4}, calendar, ended));
  calendar.run();
  EXPECT_EQ(slow.writes, (Requests{{0, 8192}}));
  EXPECT_EQ(device.cache().dirty(), 1);
  EXPECT_EQ(ended, Time{1ms});
}

TEST_F(LimitedWrites, ThatAreUnderWayAreWaitedForByWhoFlushesThem) {
  core::start(calendar, write_once(device, 0, 24_KiB));  // beyond half of the limit
  calendar.run_until(300us);
  Time elsewhere{-1};
  core::start(calendar, flush_once(device, {4, 8}, calendar, ended));
  core::start(calendar, flush_once(device, {6, 8}, calendar, elsewhere));
  calendar.run();
  EXPECT_EQ(ended, Time{1ms});
  EXPECT_EQ(elsewhere, Time{300us});
  EXPECT_EQ(slow.writes.size(), 2U) << "nothing twice";
}

TEST_F(LimitedWrites, ThatHaveJustBegunAreWaitedForToo) {
  core::start(calendar, write_once(device, 0, 24_KiB));
  core::start(calendar, flush_once(device, {0, 6}, calendar, ended));
  calendar.run();
  EXPECT_EQ(ended, Time{1ms});
  EXPECT_EQ(device.cache().dirty(), 0);
}

core::Process write_until(CachedDevice& device, std::int64_t offset, core::Calendar& calendar, Time& ended) {
  co_await device.write(0, offset, 44_KiB);
  ended = calendar.now();
}

TEST_F(LimitedWrites, WaitForOneWriteBackWhoeverMakesThem) {
  Time other_ended{0};
  core::start(calendar, write_until(device, 0, calendar, ended));
  core::start(calendar, write_until(device, 20 * page_size, calendar, other_ended));
  calendar.run();
  EXPECT_EQ(ended, Time{1ms});
  EXPECT_EQ(other_ended, Time{1ms});
}

TEST_F(LimitedWrites, MayBeOnTheirWayOrDirtyUpToTheLimitTogether) {
  // Six pages are on their way; four more fit, the fifth waits.
  core::start(calendar, write_once(device, 0, 24_KiB));
  calendar.run_until(200us);
  core::start(calendar, write_once(device, 6 * page_size, 16_KiB));
  Time fits{-1};
  Time waits{-1};
  const auto write_then = [](CachedDevice& to, PageCache::Page page, core::Calendar& clock,
                             Time& when) -> core::Process {
    co_await to.write(0, page * page_size, 4_KiB);
    when = clock.now();
  };
  calendar.run_until(400us);
  EXPECT_EQ(device.cache().unwritten(), 10);
  core::start(calendar, write_then(device, 8, calendar, fits));  // which is dirty already
  core::start(calendar, write_then(device, 20, calendar, waits));
  calendar.run();
  EXPECT_EQ(fits, 400us);
  EXPECT_EQ(waits, 1ms) << "the first six have arrived";
}

TEST_F(LimitedWrites, WaitForWriteBack) {
  core::start(calendar, write_all(device, 40, Time{0}, calendar, ended));
  calendar.run();
  EXPECT_GT(ended, Time{0});
  std::int64_t sum = 0;
  for (const auto& [offset, size] : slow.writes) sum += size;
  EXPECT_EQ(sum, 40 * 4096);
  EXPECT_EQ(device.cache().dirty(), 0);
}

TEST_F(LimitedWrites, ThatReachTheLimitDuringAFlushCauseTheNextOne) {
  core::start(calendar, write_all(device, 400, 100us, calendar, ended));
  calendar.run();
  // At most twelve pages per millisecond of write-back.
  EXPECT_GE(ended, 400 / 12 * 1ms);
  EXPECT_LE(ended, 60ms);
}

}  // namespace
}  // namespace doorbell::model
