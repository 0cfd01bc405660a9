#include "models/storage/disk_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

DiskArrayParameters four_disks() {
  DiskArrayParameters parameters;
  parameters.disks = 4;
  parameters.chunk = 64_KiB;
  parameters.media = {64.0 * 1024 * 1000};  // a chunk per millisecond
  parameters.read_ahead = 128_KiB;
  return parameters;
}

TEST(DiskArray, SpreadsAStripeOverAllDisks) {
  const DiskArrayParameters parameters = four_disks();
  DiskArray array{parameters};
  const std::vector<Stripe> stripes = array.next(256_KiB);
  ASSERT_EQ(stripes.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(stripes[i].disk, static_cast<int>(i));
    ASSERT_EQ(stripes[i].pieces.size(), 1U);
    EXPECT_EQ(stripes[i].pieces[0].offset, 64_KiB * static_cast<std::int64_t>(i));
    EXPECT_EQ(stripes[i].size(), 64_KiB);
  }
}

TEST(DiskArray, LosesNoByteWhateverTheSizes) {
  const DiskArrayParameters parameters = four_disks();
  DiskArray array{parameters};
  for (const std::int64_t size : {1, 511, 65536, 65537, 300000, 1048576}) {
    Bytes total;
    Bytes expected_offset;
    std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
    for (const Stripe& stripe : array.next(Bytes{size})) {
      total += stripe.size();
      for (const auto& piece : stripe.pieces) pieces.emplace_back(piece.offset.count, piece.size.count);
    }
    EXPECT_EQ(total, Bytes{size});
    std::sort(pieces.begin(), pieces.end());
    for (const auto& [offset, length] : pieces) {
      EXPECT_EQ(offset, expected_offset.count);
      expected_offset += Bytes{length};
    }
  }
}

TEST(DiskArray, ContinuesWhereTheLastRequestEnded) {
  const DiskArrayParameters parameters = four_disks();
  DiskArray array{parameters};
  static_cast<void>(array.next(32_KiB));
  EXPECT_EQ(array.next(32_KiB).front().disk, 0);
  EXPECT_EQ(array.next(1_B).front().disk, 1);
}

TEST(DiskArray, SustainsTheMediaRateAndReadsAheadWhileIdle) {
  const DiskArrayParameters parameters = four_disks();
  DiskArray array{parameters};
  EXPECT_EQ(array.media_ready(0, 64_KiB, 0ms), 1ms);
  EXPECT_EQ(array.media_ready(0, 64_KiB, 1ms), 2ms);
  // After a long pause two chunks lie in the buffer; the third has to be read.
  EXPECT_EQ(array.media_ready(0, 128_KiB, 100ms), 100ms);
  EXPECT_EQ(array.media_ready(0, 64_KiB, 100ms), 101ms);
}

}  // namespace
}  // namespace doorbell::model
