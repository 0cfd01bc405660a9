#include "analytic/array_spread.hpp"

#include <gtest/gtest.h>

#include "models/shared_files_machine.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace doorbell::model;

constexpr double kibibyte = 1024;

SharedFilesScenario calls_of(Bytes record) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->record = record;
  return shared;
}

ArraySpread spread_of(const SharedFilesScenario& shared) {
  const FileTraffic traffic = file_traffic(shared, {});
  return {shared, traffic, traffic.request};
}

TEST(ArraySpread, SmallCallsLieOnOneDisk) {
  for (const Bytes record : {4_KiB, 8_KiB, 64_KiB}) {
    const ArraySpread spread = spread_of(calls_of(record));
    EXPECT_EQ(spread.disks(), 1);
    EXPECT_EQ(spread.largest(), static_cast<double>(record.count));
  }
}

TEST(ArraySpread, OfOddCallsSomeMeetTwoDisks) {
  // Of 16 calls in three chunks of 64 KiB two cross from one to the next: 4 and 8 KiB, then 8 and 4.
  const ArraySpread spread = spread_of(calls_of(12_KiB));
  EXPECT_DOUBLE_EQ(spread.disks(), 18.0 / 16);
  EXPECT_DOUBLE_EQ(spread.largest(), (14 * 12 + 2 * 8) * kibibyte / 16);
  EXPECT_DOUBLE_EQ(spread.largest(8_KiB), 14 * 12 * kibibyte / 16);
}

TEST(ArraySpread, FilesBeginWhereTheOneBeforeEnds) {
  SharedFilesScenario shared = calls_of(48_KiB);
  shared.files = {.count = 1, .size = 48_KiB};
  EXPECT_EQ(spread_of(shared).disks(), 1);
  shared.files.count = 4;
  EXPECT_EQ(spread_of(shared).disks(), 6.0 / 4) << "the second and the third begin in one chunk and end in the next";
}

TEST(ArraySpread, DisksWithMoreDataGoOnAlone) {
  SharedFilesScenario shared = calls_of(256_KiB);
  shared.mount.largest_request = 256_KiB;
  const SharedFilesRoutes routes = shared_files_routes(shared);
  const SharedFilesRoutes::Route& route = routes.from_disk(shared.disks.path);
  const double together = spread_of(shared).moving(routes, route).count();
  // One of the four disks has 128 KiB.
  shared.stream->record = 320_KiB;
  shared.mount.largest_request = 320_KiB;
  EXPECT_EQ(spread_of(shared).largest(), 128 * kibibyte);
  const double alone = spread_of(shared).moving(routes, route).count() - together;
  shared.stream->record = 64_KiB;
  EXPECT_NEAR(alone, spread_of(shared).moving(routes, route).count(), 1e-12);
  EXPECT_LT(alone, together);
}

}  // namespace
}  // namespace doorbell::analytic
