#include "models/remote_memory/page_table.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "core/random.hpp"

namespace doorbell::model {
namespace {

using State = PageTable::State;

void bring(PageTable& table, PageTable::Page page) {
  table.expect(page);
  table.arrive(page);
}

TEST(PageTable, EvictsWhatCameLongestAgoAndWasNotUsed) {
  PageTable table{10, 4, 1};
  for (int page = 0; page < 4; ++page) bring(table, page);
  table.touch(0, false);
  EXPECT_TRUE(table.evict(2, 32).empty());  // clean pages leave for nothing
  EXPECT_EQ(table.state(0), State::resident);
  EXPECT_EQ(table.state(1), State::absent);
  EXPECT_EQ(table.state(2), State::absent);
  EXPECT_EQ(table.free_frames(), 2);
}

TEST(PageTable, WhatIsUsedWhileInactiveBecomesActive) {
  PageTable table{100, 20, 3};
  for (int page = 0; page < 20; ++page) {
    bring(table, page);
    if (page < 10) table.touch(page, false);
  }
  EXPECT_EQ(table.active_pages(), 0);
  (void)table.evict(2, 32);
  EXPECT_EQ(table.active_pages(), 10);
  EXPECT_EQ(table.state(10), State::absent);
  EXPECT_EQ(table.state(11), State::absent);
  // Neighbours that nobody uses go before what is used, however many come.
  for (int page = 20; page < 90; ++page) {
    while (table.free_frames() == 0) (void)table.evict(1, 32);
    bring(table, page);
    for (int used = 0; used < 10; ++used) table.touch(used, false);
  }
  for (int used = 0; used < 10; ++used) EXPECT_EQ(table.state(used), State::resident) << used;
}

TEST(PageTable, KeepsItsListsInProportion) {
  for (const int ratio : {1, 3, 7}) {
    PageTable table{1000, 400, ratio};
    for (int page = 0; page < 400; ++page) table.appear(page);
    EXPECT_EQ(table.active_pages(), 400);
    (void)table.evict(8, 32);
    const auto inactive = static_cast<double>(table.resident_pages() - table.active_pages());
    EXPECT_NEAR(inactive, 400.0 / (ratio + 1), 9) << ratio;
  }
}

TEST(PageTable, ANewPageIsWrittenWhenItLeaves) {
  PageTable table{10, 2, 1};
  table.appear(7);
  EXPECT_EQ(table.page_in(7), -1) << "nothing of it was in the swap space";
  const auto runs = table.evict(1, 32);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.front().pages.front(), 7);
}

TEST(PageTable, DirtyPagesThatLeaveTogetherLieSideBySide) {
  PageTable table{20, 10, 1};
  for (int page = 0; page < 10; ++page) {
    bring(table, page);
    table.touch(page, true);
  }
  const auto runs = table.evict(5, 3);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].pages.size(), 3U);
  EXPECT_EQ(runs[1].first, runs[0].first + 3);
  EXPECT_EQ(table.free_frames(), 0);
  table.written(runs[0]);
  EXPECT_EQ(table.free_frames(), 3);
  EXPECT_EQ(table.page_in(runs[0].first), 0);
}

TEST(PageTable, APageUsedWhileItIsWrittenStays) {
  for (const bool modify : {false, true}) {
    PageTable table{10, 2, 1};
    bring(table, 0);
    table.touch(0, true);
    const auto runs = table.evict(1, 32);
    table.touch(0, modify);
    table.written(runs.front());
    EXPECT_EQ(table.state(0), State::resident);
    EXPECT_EQ(table.free_frames(), 1);
    // What has been written is good unless the page has been modified since.
    EXPECT_EQ(table.evict(1, 32).size(), modify ? 1U : 0U);
    EXPECT_EQ(table.state(0), modify ? State::leaving : State::absent);
  }
}

TEST(PageTable, WhatIsBeingWrittenIsNotEvictedAgain) {
  PageTable table{10, 2, 1};
  bring(table, 0);
  table.touch(0, true);
  const auto first = table.evict(1, 32);
  table.touch(0, true);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(table.evict(1, 32).empty());
  EXPECT_EQ(table.state(0), State::resident);
  EXPECT_EQ(table.writing_pages(), 1);
  table.written(first.front());
  EXPECT_EQ(table.writing_pages(), 0);
  EXPECT_EQ(table.evict(1, 32).size(), 1U);
  EXPECT_EQ(table.state(0), State::leaving);
}

TEST(PageTable, AHeldPageStaysAsLongAsSomebodyHoldsIt) {
  PageTable table{10, 2, 1};
  for (int i = 0; i < 2; ++i) table.hold(3);
  bring(table, 3);
  bring(table, 4);
  for (int i = 0; i < 2; ++i) {
    (void)table.evict(2, 32);
    EXPECT_EQ(table.state(3), State::resident);
    EXPECT_EQ(table.state(4), State::absent);
    table.release(3);
  }
  (void)table.evict(2, 32);
  EXPECT_EQ(table.state(3), State::absent);
}

TEST(PageTable, SlowWritesDoNotDrainTheActiveList) {
  for (const int ratio : {1, 3, 7}) {
    PageTable table{1000, 400, ratio};
    for (int page = 0; page < 400; ++page) table.appear(page);
    std::size_t runs = 0;
    for (int i = 0; i < 400; ++i) runs += table.evict(8, 1).size();
    EXPECT_NEAR(static_cast<double>(runs), 400.0 / (ratio + 1), 1) << ratio;
    EXPECT_EQ(table.writing_pages(), static_cast<std::int64_t>(runs));
  }
}

TEST(PageTable, RefusesWhatCannotBe) {
  PageTable table{4, 1, 1};
  EXPECT_THROW(table.touch(0, false), std::logic_error);
  bring(table, 0);
  EXPECT_THROW(table.expect(1), std::logic_error);
}

TEST(PageTable, NeverLosesAFrameOrAPage) {
  constexpr std::int64_t pages = 200;
  constexpr std::int64_t frames = 40;
  PageTable table{pages, frames, 2};
  core::RandomStream random{5, "page table"};
  std::deque<PageTable::Run> writing;
  std::int64_t leaving = 0;
  for (int step = 0; step < 50'000; ++step) {
    const auto page = static_cast<PageTable::Page>(random.below(pages));
    if (table.state(page) == State::absent) {
      while (table.free_frames() == 0) {
        if (writing.empty()) {
          for (PageTable::Run& run : table.evict(8, 4)) writing.push_back(std::move(run));
        } else {
          table.written(writing.front());
          writing.pop_front();
        }
      }
      bring(table, page);
    }
    table.touch(page, random.chance(0.3));
    if (step % 97 != 0) continue;
    leaving = 0;
    std::int64_t resident = 0;
    for (PageTable::Page each = 0; each < pages; ++each) {
      resident += table.state(each) == State::resident ? 1 : 0;
      leaving += table.state(each) == State::leaving ? 1 : 0;
      if (table.state(each) == State::absent) {
        EXPECT_EQ(table.page_in(table.slot(each)), each);
      }
    }
    EXPECT_EQ(resident, table.resident_pages());
    EXPECT_EQ(resident + leaving + table.free_frames(), frames);
  }
}

TEST(PageTable, ListsThatAreInProportionStaySo) {
  PageTable table{10, 4, 1};
  for (int page = 0; page < 4; ++page) table.appear(page);
  (void)table.evict(1, 32);
  EXPECT_EQ(table.active_pages(), 2) << "two became inactive, and one of them leaves";
}

}  // namespace
}  // namespace doorbell::model
