#include "analytic/page_faults.hpp"

#include <gtest/gtest.h>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using model::AccessOrder;
using model::PagingLoad;
using model::RecordLoad;

PagingLoad load(double resident) {
  PagingLoad load;
  load.threads = 4;
  load.pages = 8192;
  load.resident = resident;
  load.active_ratio = 3;
  load.skew = 1;
  load.dirty = 0.2;
  load.reclaim = 1;  // so that every page is written by itself
  return load;
}

/// What a run of the same load counts, per operation.
PageTraffic counted(model::RemoteMemoryScenario remote) {
  remote.duration = std::chrono::milliseconds{60};
  const model::RunResult result = run_of(remote);
  return {.faults = per_operation(result, "host/page faults"),
          .pages_read = per_operation(result, "host/RDMA reads"),
          .pages_written = per_operation(result, "host/RDMA writes")};
}

PageTraffic counted(const PagingLoad& load) {
  model::RemoteMemoryScenario remote = model::remote_memory();
  remote.paging = load;
  return counted(remote);
}

TEST(PageFaults, AreThoseOfARun) {
  for (const double resident : {0.1, 0.25, 0.5}) {
    const PageTraffic expected = page_traffic(load(resident));
    const PageTraffic found = counted(load(resident));
    EXPECT_NEAR(found.faults / expected.faults, 1, 0.03) << resident;
    EXPECT_NEAR(found.pages_read / expected.pages_read, 1, 0.03) << resident;
    EXPECT_NEAR(found.pages_written / expected.pages_written, 1, 0.05) << resident;
  }
}

RecordLoad store(Bytes size) {
  RecordLoad load;
  load.threads = 4;
  load.records = 1'000'000;
  load.scale = 40;
  load.size = size;
  load.index_entry = Bytes{64};
  load.skew = 0.99;
  load.updates = 0.2;
  load.resident = 0.25;
  load.active_ratio = 3;
  load.reclaim = 1;
  return load;
}

TEST(PageFaults, OfAStoreAreThoseOfARun) {
  for (const Bytes size : {Bytes{1024}, Bytes{3000}, Bytes{4096}}) {
    model::RemoteMemoryScenario remote = model::remote_memory();
    remote.records = store(size);
    remote.warmup = std::chrono::milliseconds{200};  // after the inserts
    const PageTraffic expected = page_traffic(*remote.records);
    const PageTraffic found = counted(remote);
    EXPECT_NEAR(found.faults / expected.faults, 1, 0.05) << size.count;
    EXPECT_NEAR(found.pages_written / expected.pages_written, 1, 0.1) << size.count;
  }
}

TEST(PageFaults, ThatReadAheadBringMoreOfAStore) {
  RecordLoad records = store(Bytes{1024});
  const PageTraffic alone = page_traffic(records);
  records.readahead = 9;
  const PageTraffic traffic = page_traffic(records);
  EXPECT_DOUBLE_EQ(traffic.faults, alone.faults);
  EXPECT_NEAR(traffic.pages_read / alone.pages_read, 1 + 8 * 0.75 / 4, 0.01);
}

TEST(PageFaults, MayBringAllPagesOfARecord) {
  for (const Bytes size : {Bytes{4096}, Bytes{10000}, Bytes{65536}}) {
    for (const int readahead : {1, 4, 16}) {
      model::RemoteMemoryScenario remote = model::remote_memory();
      RecordLoad records = store(size);
      records.records = 20'000;
      records.scale = 1;
      records.skew = 0;
      records.readahead = readahead;
      remote.records = records;
      remote.warmup = std::chrono::milliseconds{50};
      const PageTraffic least = page_traffic(records);
      const PageTraffic found = counted(remote);
      EXPECT_GE(found.faults, 0.98 * least.faults) << size.count << ' ' << readahead;
      EXPECT_GE(found.pages_read, 0.98 * least.pages_read) << size.count << ' ' << readahead;
    }
  }
}

TEST(PageFaults, WithoutPreferenceAreTheShareThatIsNotThere) {
  PagingLoad uniform = load(0.3);
  uniform.skew = 0;
  EXPECT_NEAR(page_traffic(uniform).faults, 0.7, 0.001);
}

TEST(PageFaults, AreFewerWithMoreMemoryAndNoneWithAll) {
  double before = 1;
  for (const double resident : {0.05, 0.2, 0.4, 0.8, 1.0}) {
    const double faults = page_traffic(load(resident)).faults;
    EXPECT_LT(faults, before);
    before = faults;
  }
  EXPECT_EQ(before, 0);
}

TEST(PageFaults, AreNoneWhereReclaimNeedsMoreMemoryThanThereArePages) {
  PagingLoad small = load(0.25);
  small.compute = std::chrono::microseconds{1};
  small.pages = 128;
  small.reclaim = 64;
  EXPECT_EQ(page_traffic(small).faults, 0);
  EXPECT_EQ(counted(small).faults, 0);
  small.reclaim = 32;
  // 64 frames, not 32, half of which are free after each reclaim.
  EXPECT_GT(counted(small).faults, page_traffic(small).faults);
}

TEST(PageFaults, ThatModifyNothingWriteNothing) {
  PagingLoad reads = load(0.25);
  reads.dirty = 0;
  EXPECT_NEAR(page_traffic(reads).pages_written, 0, 1e-12);
  reads.dirty = 1;
  EXPECT_DOUBLE_EQ(page_traffic(reads).pages_written, page_traffic(reads).pages_read);
}

TEST(PageFaults, OfAWalkAreSharedByWhatIsReadAhead) {
  PagingLoad walk = load(0.5);
  walk.order = AccessOrder::sequential;
  walk.readahead = 8;
  const PageTraffic traffic = page_traffic(walk);
  EXPECT_DOUBLE_EQ(traffic.faults, 0.125);
  EXPECT_DOUBLE_EQ(traffic.pages_read, 1);
  EXPECT_DOUBLE_EQ(traffic.pages_written, 0.2);
}

TEST(PageFaults, OfWalksAreNoneForThreadsWhosePartsFit) {
  PagingLoad walk = load(0.95);
  const auto fit = [&walk] { return walkers_that_fit(walk, walk, walk.threads); };
  EXPECT_EQ(fit(), 0) << "at random";
  walk.order = AccessOrder::sequential;
  EXPECT_NEAR(fit(), 0.95 * 4, 0.001);
  walk.resident = 0.25;
  EXPECT_EQ(fit(), 1);
  walk.resident = 0.24;
  EXPECT_EQ(fit(), 0);
  walk.resident = 0.95;
  walk.threads = 1;
  EXPECT_EQ(fit(), 0);
  // Two parts of 25 pages, and two of 26.
  walk.threads = 4;
  walk.pages = 102;
  walk.resident = 63.0 / 102;
  EXPECT_DOUBLE_EQ(fit(), 2 + 13.0 / 26) << "two clusters of 32 are always there";
}

TEST(PageFaults, AtRandomBringTheirNeighboursThatAreNotThere) {
  PagingLoad random = load(0.25);
  random.dirty = 0;
  const PageTraffic alone = page_traffic(random);
  random.readahead = 9;
  const PageTraffic traffic = page_traffic(random);
  EXPECT_DOUBLE_EQ(traffic.faults, alone.faults);
  EXPECT_NEAR(traffic.pages_read, traffic.faults * (1 + 8 * 0.75), 0.01 * traffic.pages_read);
  // Modified pages get other places, of which there are four for each page.
  random.dirty = 0.2;
  const PageTraffic scattered = page_traffic(random);
  EXPECT_NEAR(scattered.pages_read, scattered.faults * (1 + 8 * 0.75 / 4), 0.01 * scattered.pages_read);
}

TEST(PageFaults, OfManyPagesAreFoundAsFast) {
  PagingLoad large = load(0.25);
  large.pages = 1 << 26;
  const double faults = page_traffic(large).faults;
  EXPECT_GT(faults, 0.05);
  EXPECT_LT(faults, page_traffic(load(0.25)).faults);
}

}  // namespace
}  // namespace doorbell::analytic
