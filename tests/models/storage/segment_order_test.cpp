#include "models/storage/segment_order.hpp"

#include <gmock/gmock.h>

namespace doorbell::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SegmentOrder, OnlyTheAnticipatorySchedulerGoesBackwards) {
  for (const IoScheduler scheduler : {IoScheduler::noop, IoScheduler::deadline, IoScheduler::cfq}) {
    EXPECT_THAT(segment_order(scheduler, 3), ElementsAre(0, 1, 2));
  }
  EXPECT_THAT(segment_order(IoScheduler::anticipatory, 3), ElementsAre(2, 1, 0));
}

TEST(SegmentOrder, OneSegmentOrNoneHasNoOrder) {
  EXPECT_THAT(segment_order(IoScheduler::anticipatory, 1), ElementsAre(0));
  EXPECT_THAT(segment_order(IoScheduler::anticipatory, 0), IsEmpty());
}

}  // namespace
}  // namespace doorbell::model
