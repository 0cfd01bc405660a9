#include "models/pcie/dma_cost.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

DmaReadCost read_of_ten() {
  return {.request = 103ns, .latency = 300ns, .completion = 1007ns, .tags = 10, .cache_lines = 77, .store = 51ns};
}

TEST(DmaCost, PartsOfAReadAddUpToTheWhole) {
  const DmaReadCost whole = read_of_ten();
  DmaReadCost rest = whole;
  DmaReadCost sum;
  for (const int requests : {3, 1, 5}) {
    const DmaReadCost part = take_requests(rest, requests);
    EXPECT_EQ(part.tags, requests);
    sum += part;
  }
  EXPECT_EQ(rest.tags, 1);
  sum += rest;
  EXPECT_EQ(sum.request, whole.request);
  EXPECT_EQ(sum.completion, whole.completion);
  EXPECT_EQ(sum.store, whole.store);
  EXPECT_EQ(sum.tags, whole.tags);
  EXPECT_EQ(sum.cache_lines, whole.cache_lines);
  EXPECT_EQ(sum.latency, whole.latency) << "they wait for memory together";
}

TEST(DmaCost, PartsOfAWriteAddUpToTheWhole) {
  const WriteCost whole{.service = 997ns, .tlps = 7, .cache_lines = 28};
  WriteCost rest = whole;
  const WriteCost first = take_tlps(rest, 2);
  const WriteCost second = take_tlps(rest, 4);
  EXPECT_EQ(first.tlps, 2);
  EXPECT_EQ(second.tlps, 4);
  EXPECT_EQ(rest.tlps, 1);
  EXPECT_EQ(first.service + second.service + rest.service, whole.service);
  EXPECT_EQ(first.cache_lines + second.cache_lines + rest.cache_lines, whole.cache_lines);
}

TEST(DmaCost, SharesAreInProportion) {
  const DmaReadCost half = share_of(read_of_ten(), 2048, 4096);
  EXPECT_EQ(half.tags, 5);
  EXPECT_EQ(half.completion * 2, 1007ns);
  EXPECT_EQ(half.latency, 300ns);
}

TEST(DmaCost, WhatIsCountedIsOneAtLeast) {
  WriteCost rest{.service = 10ns, .tlps = 1, .cache_lines = 2};
  const WriteCost share = share_of(rest, 4096, 4097);
  EXPECT_EQ(share.tlps, 1);
  take_out(rest, share, 1);
  EXPECT_EQ(rest.tlps, 1) << "the byte that is left needs one, too";
}

// 48 B at an offset of 32 B touch two cache lines.
TEST(DmaCost, CacheLinesCountFromTheirBoundaries) {
  const PcieParameters pcie = connect_ib().pcie;
  EXPECT_EQ(dma_write_cost(pcie, 48_B, 0).cache_lines, 1);
  EXPECT_EQ(dma_write_cost(pcie, 48_B, 32).cache_lines, 2);
  EXPECT_EQ(dma_read_cost(pcie, 0ns, 64_B, 1).cache_lines, 2);
}

}  // namespace
}  // namespace doorbell::model
