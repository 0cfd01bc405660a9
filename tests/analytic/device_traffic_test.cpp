#include "analytic/device_traffic.hpp"

#include <gtest/gtest.h>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using model::AccessOrder;
using model::Batching;
using model::RemoteMemoryScenario;

TEST(DeviceTraffic, SingleRequestsAreWorkRequestsOfTheirOwn) {
  RemoteMemoryScenario remote = model::on_blocks(4, 16);
  remote.block->read_share = 0.25;
  const DeviceTraffic traffic = device_traffic(remote);
  EXPECT_DOUBLE_EQ(traffic.reads.wqes(), 0.25);
  EXPECT_DOUBLE_EQ(traffic.writes.wqes(), 0.75);
  EXPECT_DOUBLE_EQ(traffic.calls(), 1);
  EXPECT_EQ(traffic.writes.wqe_size(), 4_KiB);
}

TEST(DeviceTraffic, EveryReplicaIsWrittenAndOneIsRead) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.block->read_share = 0.5;
  remote.access.peers = 3;
  remote.access.replicas = 2;
  EXPECT_DOUBLE_EQ(device_traffic(remote).wqes(), 0.5 + 2 * 0.5);
  remote.access.peers = 1;
  EXPECT_DOUBLE_EQ(device_traffic(remote).wqes(), 1);
}

TEST(DeviceTraffic, WhatNoMachineHoldsGoesToTheDisk) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.block->read_share = 0.5;
  remote.access.peers = 3;
  remote.access.replicas = 2;
  const auto with = [&remote](int unreachable) {
    remote.access.unreachable = unreachable;
    return device_traffic(remote);
  };
  EXPECT_DOUBLE_EQ(with(0).writes.to_disk, 0);
  EXPECT_DOUBLE_EQ(with(1).wqes(), 0.5 + 0.5 * 4 / 3);
  EXPECT_DOUBLE_EQ(with(1).reads.to_disk, 0);
  EXPECT_DOUBLE_EQ(with(2).wqes(), 0.5 * 2 / 3 + 0.5 * 2 / 3);
  EXPECT_DOUBLE_EQ(with(2).reads.to_disk, 1.0 / 3);
  EXPECT_DOUBLE_EQ(with(2).writes.remote, 2.0 / 3);
  EXPECT_DOUBLE_EQ(with(3).wqes(), 0);
  remote.access.copy_on_disk = true;
  EXPECT_DOUBLE_EQ(with(0).writes.to_disk, 1);
  EXPECT_DOUBLE_EQ(with(0).reads.to_disk, 0);
}

TEST(DeviceTraffic, WhatWaitsForAWindowIsMergedWhereItLiesSideBySide) {
  RemoteMemoryScenario remote = model::on_blocks(4, 256);
  remote.access.batching = Batching::hybrid;
  EXPECT_DOUBLE_EQ(device_traffic(remote).writes.merged, 1);
  remote.access.window = 64_KiB;
  const DeviceTraffic merged = device_traffic(remote);
  EXPECT_DOUBLE_EQ(merged.writes.merged, 32);  // 128 KiB
  EXPECT_EQ(merged.writes.wqe_size(), 128_KiB);
  EXPECT_DOUBLE_EQ(merged.wqes(), 1.0 / 32);
  EXPECT_DOUBLE_EQ(merged.calls(), 1.0 / 32 / 32);
  remote.block->order = AccessOrder::random;
  EXPECT_DOUBLE_EQ(device_traffic(remote).writes.merged, 1);
}

TEST(DeviceTraffic, NoMoreIsChainedThanThereIs) {
  RemoteMemoryScenario remote = model::on_blocks(3, 1);
  remote.access.batching = Batching::doorbell;
  EXPECT_DOUBLE_EQ(device_traffic(remote).writes.posted_by_one, 3);
}

TEST(DeviceTraffic, HandlersThatPostAreAsManyAsTheirQueues) {
  RemoteMemoryScenario remote = model::on_blocks(8, 16);
  remote.access.batching = Batching::doorbell;
  remote.block->in_handler = true;
  remote.access.peers = 3;
  EXPECT_DOUBLE_EQ(device_traffic(remote).writes.posted_by_one, 3);
}

TEST(DeviceTraffic, RecordsAreCutWhereAMachinesShareEnds) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.files = model::FileLoad{.record = 1_KiB * 1024, .largest_request = 128_KiB};
  EXPECT_DOUBLE_EQ(device_traffic(remote).writes.requests, 8);
  EXPECT_EQ(device_traffic(remote).writes.size, 128_KiB);
  remote.access.stripe = 96_KiB;  // three requests cross three ends within them, and one between them
  const DeviceTraffic cut = device_traffic(remote);
  EXPECT_NEAR(cut.writes.requests, 16, 0.1);
  EXPECT_NEAR(static_cast<double>(cut.writes.size.count) * cut.writes.requests, 1 << 20, 16);
}

TEST(DeviceTraffic, PagesThatLeaveTogetherAreWrittenInOneRun) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.paging =
      model::PagingLoad{{{.resident = 0.5, .reclaim = 32}, 1, {}}, {.touches = 2, .pages = 4096, .dirty = 1}};
  const DeviceTraffic traffic = device_traffic(remote);
  EXPECT_DOUBLE_EQ(traffic.reads.requests, traffic.faults);
  EXPECT_NEAR(traffic.writes.requests, traffic.reads.requests / 32, 1e-9);
  EXPECT_EQ(traffic.writes.size, 128_KiB);
}

}  // namespace
}  // namespace doorbell::analytic
