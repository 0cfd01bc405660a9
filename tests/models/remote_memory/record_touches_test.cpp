#include "models/remote_memory/record_touches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/quantity.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

RecordLoad store(Bytes size, Bytes index_entry = Bytes{0}) {
  RecordLoad load;
  load.records = 1000;
  load.size = size;
  load.index_entry = index_entry;
  load.skew = 0.99;
  load.updates = 0.25;
  return load;
}

std::vector<Touch> inserted(const RecordLoad& load, std::int64_t number) {
  std::vector<Touch> touches;
  RecordTouches{load}.insert(number, touches);
  return touches;
}

TEST(RecordTouches, RecordsLieOneBehindTheOther) {
  EXPECT_EQ(RecordTouches{store(1_KiB)}.pages(), 250);
  EXPECT_EQ(inserted(store(1_KiB), 0).front().page, 0);
  EXPECT_EQ(inserted(store(1_KiB), 7).front().page, 1);
  // One of 3 KiB may lie in two pages, one of 8 KiB lies in two.
  EXPECT_EQ(inserted(store(3_KiB), 0).size(), 1U);
  EXPECT_EQ(inserted(store(3_KiB), 1).size(), 2U);
  EXPECT_EQ(inserted(store(8_KiB), 5).size(), 2U);
  EXPECT_EQ(inserted(store(8_KiB), 5).front().page, 10);
}

TEST(RecordTouches, IsFoundByItsEntryInTheIndex) {
  const RecordLoad load = store(1_KiB, 64_B);
  EXPECT_EQ(RecordTouches{load}.pages(), 250 + 16);
  const std::vector<Touch> touches = inserted(load, 100);
  ASSERT_EQ(touches.size(), 2U);
  EXPECT_EQ(touches[0].page, 250 + 1);
  EXPECT_EQ(touches[1].page, 25);
}

TEST(RecordTouches, UpdatesModifyTheRecordAndNotTheIndex) {
  RecordTouches touches{store(1_KiB, 64_B)};
  core::RandomStream random{1, "records"};
  std::vector<Touch> found;
  constexpr int operations = 20'000;
  int updates = 0;
  for (int i = 0; i < operations; ++i) {
    const std::size_t kind = touches.next(0, random, found);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_FALSE(found[0].modify);
    EXPECT_EQ(found[1].modify, kind == 1);
    updates += kind == 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(updates) / operations, 0.25, 0.015);
  EXPECT_EQ(touches.kinds()[1], "updates");
}

TEST(RecordTouches, AreAsOftenAsTheySay) {
  for (const double skew : {0.0, 0.7, 0.99, 1.2}) {
    RecordLoad load = store(1_KiB, 64_B);
    load.skew = skew;
    RecordTouches touches{load};
    const std::vector<double> rates = touches.touches_by_page();
    EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0), 2, 1e-6) << skew;
    std::vector<double> counted(rates.size());
    core::RandomStream random{2, "records"};
    std::vector<Touch> found;
    constexpr int operations = 400'000;
    for (int i = 0; i < operations; ++i) {
      (void)touches.next(0, random, found);
      for (const Touch& touch : found) counted[static_cast<std::size_t>(touch.page)] += 1.0 / operations;
    }
    for (std::size_t page = 0; page < rates.size(); ++page) {
      // The most popular record's share is that of an integral around its rank.
      EXPECT_NEAR(counted[page], rates[page], 0.1 * rates[page] + 5e-4) << skew << ", page " << page;
    }
  }
}

TEST(RecordTouches, TheLeastPopularStandForWhatIsLeftOver) {
  for (const double skew : {0.0, 0.5}) {
    RecordLoad load = store(4_KiB);
    load.skew = skew;
    load.records = 1999;
    load.scale = 100;  // 19, and 99 records left
    RecordTouches touches{load};
    const std::vector<double> rates = touches.touches_by_page();
    EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0), 1, 1e-9) << skew;
    std::vector<double> counted(rates.size());
    core::RandomStream random{3, "records"};
    std::vector<Touch> found;
    constexpr int operations = 100'000;
    for (int i = 0; i < operations; ++i) {
      (void)touches.next(0, random, found);
      counted[static_cast<std::size_t>(found.front().page)] += 1.0 / operations;
    }
    for (std::size_t page = 0; page < rates.size(); ++page)
      EXPECT_NEAR(counted[page], rates[page], 0.05 * rates[page] + 1e-3) << skew << ", page " << page;
  }
}

/// Operations that go to the most popular tenth of the pages.
double of_popular(const RecordLoad& load) {
  std::vector<double> rates = RecordTouches{load}.touches_by_page();
  std::sort(rates.rbegin(), rates.rend());
  return std::accumulate(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 10), 0.0);
}

TEST(RecordTouches, ScaledStoresAreAsSkewed) {
  RecordLoad full = store(4_KiB);
  full.records = 1'000'000;
  RecordLoad scaled = full;
  scaled.scale = 100;
  EXPECT_EQ(RecordTouches{scaled}.pages(), 10'000);
  EXPECT_NEAR(of_popular(scaled), of_popular(full), 0.01);
  // A smaller store is less so.
  RecordLoad small = full;
  small.records = 10'000;
  EXPECT_LT(of_popular(small), of_popular(full) - 0.05);
}

}  // namespace
}  // namespace doorbell::model
