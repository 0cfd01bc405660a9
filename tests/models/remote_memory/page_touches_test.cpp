#include "models/remote_memory/page_touches.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace doorbell::model {
namespace {

PageChoice load(AccessOrder order, double skew) {
  PageChoice load;
  load.pages = 100;
  load.touches = 3;
  load.order = order;
  load.skew = skew;
  load.dirty = 0.5;
  return load;
}

TEST(PageTouches, OfThreadsThatWalkGoThroughTheirPart) {
  PageTouches touches{load(AccessOrder::sequential, 0), 2};
  core::RandomStream random{1, "pages"};
  std::vector<Touch> found;
  std::vector<int> visits(100);
  for (int i = 0; i < 50; ++i) {
    for (const int thread : {0, 1}) {
      (void)touches.next(thread, random, found);
      ASSERT_EQ(found.size(), 3U);
      for (const Touch& touch : found) {
        EXPECT_EQ(touch.page >= 50, thread == 1);
        ++visits[static_cast<std::size_t>(touch.page)];
      }
    }
  }
  for (const int number : visits) EXPECT_EQ(number, 3);  // of 150 steps of each thread through 50 pages
}

TEST(PageTouches, ReachAllPagesAndSomeMoreOften) {
  for (const double skew : {0.0, 1.0}) {
    PageTouches touches{load(AccessOrder::random, skew), 2};
    core::RandomStream random{1, "pages"};
    std::vector<Touch> found;
    std::vector<int> visits(100);
    int modified = 0;
    constexpr int operations = 20'000;
    for (int i = 0; i < operations; ++i) {
      (void)touches.next(0, random, found);
      for (const Touch& touch : found) {
        ++visits[static_cast<std::size_t>(touch.page)];
        modified += touch.modify ? 1 : 0;
      }
    }
    EXPECT_GT(*std::min_element(visits.begin(), visits.end()), 0);
    const double most = static_cast<double>(*std::max_element(visits.begin(), visits.end())) / (3 * operations);
    EXPECT_NEAR(most, skew > 0 ? 1 / 5.187 : 0.01, 0.02);  // the sum of 1/k up to 100
    EXPECT_NEAR(static_cast<double>(modified) / (3 * operations), 0.5, 0.02);
  }
}

}  // namespace
}  // namespace doorbell::model
