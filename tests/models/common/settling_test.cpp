#include "models/common/settling.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

TEST(Settling, IsToldWhereRateAndLatencyDoNotAccountForWhatIsInFlight) {
  EXPECT_EQ(unsettled("the load", 64, 64), "");
  EXPECT_EQ(unsettled("the load", 64, 71), "");
  EXPECT_EQ(unsettled("the load", 64, 57), "");
  EXPECT_EQ(unsettled("the load", 1.6, 16),
            "the load has not settled: its rate and latency account for 1.6 operations in flight, and there were 16: a "
            "longer warm-up would tell");
  EXPECT_NE(unsettled("the load", 64, 50), "") << "old ones have ended";
  EXPECT_EQ(unsettled("calls", 8, 16, 8),
            "calls has not settled: its rate and latency account for 8 operations in flight, and there were 16, 8 of "
            "them of threads to which nothing came back while measuring: they wait for long, or for what never comes");
  EXPECT_EQ(unsettled("calls", 8, 16, 3), unsettled("calls", 8, 16));
  EXPECT_EQ(unsettled("calls", 64, 50, 1), unsettled("calls", 64, 50)) << "there are fewer, and not more";
  EXPECT_EQ(unsettled("the load", 0, 0), "");
}

}  // namespace
}  // namespace doorbell::model
