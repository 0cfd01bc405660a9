#include "models/pcie/placement.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

PcieParameters cut_at(Bytes boundary, Bytes payload, Bytes request) {
  PcieParameters pcie = connect_ib().pcie;
  pcie.read_completion_boundary = boundary;
  pcie.max_payload = payload;
  pcie.max_read_request = request;
  return pcie;
}

TEST(Placement, ObjectsAreCutAlikeAtTheCoarsestBoundary) {
  EXPECT_EQ(placement_unit(cut_at(64_B, 128_B, 512_B)), 512_B);
  EXPECT_EQ(placement_unit(cut_at(128_B, 4_KiB, 512_B)), 4_KiB);
}

TEST(Placement, EachPlaceComesOnce) {
  const PcieParameters pcie = cut_at(64_B, 128_B, 512_B);
  EXPECT_EQ(distinct_begins(pcie, {}), std::vector<std::int64_t>{0});
  EXPECT_EQ(distinct_begins(pcie, {700_B, 0_B, 1}), std::vector<std::int64_t>{188});
  EXPECT_EQ(distinct_begins(pcie, {8_B, 1_KiB, 1000}), std::vector<std::int64_t>{8});
  EXPECT_EQ(distinct_begins(pcie, {0_B, 192_B, 1000}),
            (std::vector<std::int64_t>{0, 192, 384, 64, 256, 448, 128, 320}));
  EXPECT_EQ(distinct_begins(pcie, {0_B, 192_B, 3}), (std::vector<std::int64_t>{0, 192, 384})) << "there are no more";
  EXPECT_EQ(distinct_begins(pcie, {0_B, 2047_B, 1000}).size(), 512U);
}

TEST(Placement, WhatLiesAlikeIsCutAlike) {
  const PcieParameters pcie = cut_at(128_B, 256_B, 512_B);
  const std::int64_t unit = placement_unit(pcie).count;
  for (std::int64_t begin = 0; begin < unit; begin += 13) {
    for (const Bytes size : {1_B, 64_B, 200_B, 1000_B}) {
      EXPECT_EQ(completion_tlps(pcie, size, begin).tlps, completion_tlps(pcie, size, begin + 5 * unit).tlps);
      EXPECT_EQ(write_tlps(pcie, size, begin).tlps, write_tlps(pcie, size, begin + 5 * unit).tlps);
      EXPECT_EQ(read_request_tlps(pcie, size, begin).tlps, read_request_tlps(pcie, size, begin + 5 * unit).tlps);
    }
  }
}

}  // namespace
}  // namespace doorbell::model
