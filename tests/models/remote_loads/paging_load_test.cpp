#include "models/remote_loads/paging_load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/desktop_disk.hpp"
#include "models/kinds.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RemoteMemoryScenario paging(double resident) {
  RemoteMemoryScenario remote = remote_memory();
  PagingLoad load;
  load.threads = 4;
  load.compute = 10us;
  load.touches = 2;
  load.pages = 4096;
  load.resident = resident;
  load.skew = 0.9;
  load.dirty = 0.2;
  load.reclaim = 32;
  remote.paging = load;
  return remote;
}

TEST(PagingLoad, DoesNotFaultWhenEverythingFits) {
  const RunResult result = run_of(paging(1));
  EXPECT_EQ(per_operation(result, "host/page faults"), 0);
  EXPECT_EQ(result.operations, 0U);
  EXPECT_NEAR(result.throughput.per_second, 4 / 10e-6, 4 / 10e-6 * 0.1);
}

TEST(PagingLoad, FaultsMoreTheLessFits) {
  double before = 0;
  for (const double resident : {0.75, 0.5, 0.25, 0.1}) {
    const double faults = per_operation(run_of(paging(resident)), "host/page faults");
    EXPECT_GT(faults, before);
    EXPECT_LT(faults, 2);
    before = faults;
  }
}

TEST(PagingLoad, UniformAccessFaultsAsOftenAsAPageIsAway) {
  RemoteMemoryScenario remote = paging(0.5);
  remote.paging->skew = 0;
  remote.paging->pages = 16384;
  remote.duration = 20ms;
  EXPECT_NEAR(per_operation(run_of(remote), "host/page faults"), 2 * 0.5, 0.05);
}

TEST(PagingLoad, ReadsEveryPageThatItFaultsOnAndWritesOnlyDirtyOnes) {
  RemoteMemoryScenario remote = paging(0.25);
  const RunResult dirty = run_of(remote);
  EXPECT_NEAR(per_operation(dirty, "host/RDMA reads"), per_operation(dirty, "host/page faults"), 0.05);
  EXPECT_GT(per_operation(dirty, "host/RDMA writes"), 0);
  remote.paging->dirty = 0;
  EXPECT_EQ(per_operation(run_of(remote), "host/RDMA writes"), 0);
}

TEST(PagingLoad, ReadsPageByPageUnlessTheBlockLayerJoinsThem) {
  RemoteMemoryScenario remote = paging(0.5);
  remote.paging->order = AccessOrder::sequential;
  remote.paging->dirty = 1;
  remote.paging->readahead = 8;
  remote.software.block.submit = 5us;
  const RunResult apart = run_of(remote);
  // Most slots of a window hold pages that left together.
  EXPECT_GT(per_operation(apart, "host/RDMA reads"), 5 * per_operation(apart, "host/page faults"));
  remote.paging->join_reads = true;
  const RunResult joined = run_of(remote);
  EXPECT_LT(per_operation(joined, "host/RDMA reads"), 2 * per_operation(joined, "host/page faults"));
  // A request of its own for each page costs the host more time.
  EXPECT_LT(apart.throughput.per_second, joined.throughput.per_second);
}

TEST(PagingLoad, NeighboursGetNoFrameThatThePageItselfNeeds) {
  RemoteMemoryScenario remote = paging(0.001);
  remote.hardware.cpu.variation = 0.1;  // in step, threads may take the frames from one another for ever
  remote.paging->order = AccessOrder::sequential;
  remote.paging->dirty = 1;
  remote.paging->threads = 16;
  remote.paging->reclaim = 4;  // eight frames
  remote.paging->readahead = 8;
  const RunResult result = run_of(remote);
  EXPECT_GT(result.throughput.per_second, 0);
  EXPECT_GE(per_operation(result, "host/RDMA reads"), per_operation(result, "host/page faults") * 0.9);
}

TEST(PagingLoad, SaysWhenCopiesPileUpAtTheDisk) {
  RemoteMemoryScenario remote = paging(0.5);
  remote.access.copy_on_disk = true;
  remote.hardware.disk = desktop_disk();
  remote.warmup = 10ms;
  remote.duration = 20ms;
  const auto warns = [&remote] {
    return std::ranges::any_of(run_of(remote).warnings, [](const std::string& warning) {
      return warning.starts_with("host/disk was asked for more than it served: of ");
    });
  };
  EXPECT_TRUE(warns());
  remote.access.copy_on_disk = false;
  EXPECT_FALSE(warns());
}

TEST(PagingLoad, OnlyWhoWaitsForAPageIsWoken) {
  RemoteMemoryScenario remote = paging(0.5);
  remote.paging->threads = 1;
  remote.paging->order = AccessOrder::sequential;
  remote.paging->dirty = 0;
  remote.paging->readahead = 8;
  remote.paging->join_reads = true;
  remote.duration = 20ms;
  const RunResult before = run_of(remote);
  const double faults = per_operation(before, "host/page faults");
  EXPECT_LT(faults, 0.4) << "most of what is touched came with others";
  remote.software.driver.wakeup += 4us;
  const double more = 1 / run_of(remote).throughput.per_second - 1 / before.throughput.per_second;
  EXPECT_NEAR(more, faults * 4e-6, faults * 0.4e-6);
}

TEST(PagingLoad, WalkingThroughMoreThanFitsFaultsAtEveryPage) {
  RemoteMemoryScenario remote = paging(0.5);
  remote.paging->order = AccessOrder::sequential;
  remote.paging->dirty = 1;
  EXPECT_NEAR(per_operation(run_of(remote), "host/page faults"), 2, 0.05);
  // Pages that left together come back together.
  remote.paging->readahead = 8;
  EXPECT_LT(per_operation(run_of(remote), "host/page faults"), 0.6);
}

RemoteMemoryScenario store(double resident, double updates) {
  RemoteMemoryScenario remote = remote_memory();
  RecordLoad load;
  load.threads = 4;
  load.compute = 10us;
  load.resident = resident;
  load.records = 8192;
  load.size = 1_KiB;
  load.index_entry = Bytes{64};
  load.skew = 0.99;
  load.updates = updates;
  remote.records = load;
  remote.duration = 50ms;
  return remote;
}

TEST(PagingLoad, OperationsOfAStoreAreReadsAndUpdates) {
  for (const double updates : {0.05, 0.5}) {
    for (const double resident : {1.0, 0.25}) {
      const RunResult result = run_of(store(resident, updates));
      expect_kinds(result, {"reads", "updates"});
      expect_share(result, result.kinds.at(1), updates);
    }
  }
}

TEST(PagingLoad, WhereAllOperationsAreAlikeThereAreNoKinds) {
  EXPECT_TRUE(run_of(paging(0.5)).kinds.empty());
  for (const double updates : {0.0, 1.0}) {
    const RunResult result = run_of(store(0.5, updates));
    EXPECT_TRUE(result.kinds.empty());
    EXPECT_GT(result.latency.samples, 0U);
  }
}

TEST(PagingLoad, WhatIsResidentIsReadAndUpdatedInItsComputeTime) {
  const RunResult result = run_of(store(1, 0.5));
  ASSERT_EQ(result.kinds.size(), 2U);
  for (const KindSummary& kind : result.kinds) {
    // Exponential: its deviation is its mean.
    const double chance = 4 / std::sqrt(static_cast<double>(kind.latency.samples));
    EXPECT_NEAR(to_seconds(kind.latency.mean), 10e-6, 10e-6 * chance) << kind.kind;
    EXPECT_NEAR(to_seconds(kind.latency.p50), 10e-6 * std::log(2), 10e-6 * chance) << kind.kind;
  }
}

TEST(PagingLoad, UpdatesFaultAsReadsDo) {
  // A page is written when it leaves, by whoever needs its frame: not by who has modified it.
  const RunResult result = run_of(store(0.25, 0.5));
  ASSERT_EQ(result.kinds.size(), 2U);
  const double reads = to_seconds(result.kinds[0].latency.mean);
  const double updates = to_seconds(result.kinds[1].latency.mean);
  EXPECT_GT(reads, 11e-6) << "they fault";
  EXPECT_NEAR(updates, reads, reads * 0.05);
}

}  // namespace
}  // namespace doorbell::model
