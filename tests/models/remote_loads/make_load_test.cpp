#include "models/remote_loads/make_load.hpp"

#include <gtest/gtest.h>

#include "models/remote_loads/block_load.hpp"
#include "models/remote_memory/page_table.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RemoteLoad writers(int threads, int depth) {
  RemoteLoad load;
  load.block = BlockLoad{.threads = threads, .depth = depth};
  return load;
}

/// Two threads that write, and a load beside them.
RemoteMemoryScenario beside_two(const RemoteLoad& other) {
  RemoteMemoryScenario remote = on_blocks(2, 4);
  remote.access.peers = 2;
  remote.beside = {{"other", other}};
  return remote;
}

RemoteMemoryScenario alone(int threads) {
  RemoteMemoryScenario remote = on_blocks(threads, 4);
  remote.access.peers = 2;
  return remote;
}

TEST(MakeLoad, KnowsHowMuchOfTheDeviceItUses) {
  EXPECT_EQ(extent_of(writers(3, 1)), Bytes{3 * part_of_block_thread});
  RemoteLoad files;
  files.files = FileLoad{.file = Bytes{1 << 30}};
  EXPECT_EQ(extent_of(files), Bytes{1 << 30});
  RemoteLoad paging;
  paging.paging.emplace().pages = 1000;
  EXPECT_EQ(extent_of(paging), Bytes{1000 * slots_per_page * 4096});
  EXPECT_EQ(extent_of({}), Bytes{0});
}

TEST(MakeLoad, LoadsOfOneKindAreAsOneOfAllTheirThreads) {
  double measured = 0;
  double other = 0;
  double of_one = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {  // which queue pairs threads find themselves on is chance
    const RunResult together = run_of(beside_two(writers(2, 4)), seed);
    ASSERT_EQ(together.kinds.size(), 1U);
    EXPECT_EQ(together.kinds.front().kind, "other");
    measured += together.throughput.per_second;
    other += together.kinds.front().throughput.per_second;
    of_one += run_of(alone(4), seed).throughput.per_second;
  }
  EXPECT_NEAR((measured + other) / of_one, 1, 0.03);
  EXPECT_NEAR(other / measured, 1, 0.05);
}

TEST(MakeLoad, OneThatDoesHardlyAnythingIsHardlyNoticed) {
  RemoteLoad calm;
  calm.paging = PagingLoad{};
  calm.paging->threads = 1;
  calm.paging->compute = 1ms;
  calm.paging->resident = 0.5;
  calm.paging->pages = 4096;
  const RunResult result = run_of(beside_two(calm));
  EXPECT_NEAR(result.throughput.per_second / run_of(alone(2)).throughput.per_second, 1, 0.03);
  EXPECT_NEAR(result.kinds.front().throughput.per_second, 1000, 500);
}

TEST(MakeLoad, KindsOfOthersHaveTheirNames) {
  RemoteLoad mixed = writers(1, 2);
  mixed.block->read_share = 0.5;
  RemoteMemoryScenario remote = beside_two(mixed);
  remote.block->read_share = 0.5;
  const RunResult result = run_of(remote);
  std::vector<std::string> names;
  for (const KindSummary& kind : result.kinds) names.push_back(kind.kind);
  EXPECT_EQ(names, (std::vector<std::string>{"reads", "writes", "other reads", "other writes"}));
}

TEST(MakeLoad, EachHasAPartOfItsOwn) {
  // Both write blocks in order from the beginning of their parts: only those of one thread adjoin.
  RemoteMemoryScenario remote = beside_two(writers(2, 4));
  remote.access.batching = Batching::merge;
  const RunResult result = run_of(remote);
  const double operations = result.throughput.per_second + result.kinds.front().throughput.per_second;
  double posted = 0;
  for (const CounterReading& reading : result.counters) {
    if (reading.name == "host/RDMA writes") posted = reading.rate.per_second;
  }
  EXPECT_GT(posted, 0.2 * operations);
  EXPECT_LE(posted, 1.01 * operations);
}

TEST(MakeLoad, OthersShareTheWindowAndTheHandlers) {
  // Large blocks beside small ones: the window keeps their queue out of the NIC.
  RemoteLoad large = writers(4, 32);
  large.block->size = 128_KiB;
  RemoteMemoryScenario open = beside_two(large);
  open.access.batching = Batching::hybrid;
  RemoteMemoryScenario limited = open;
  limited.access.window = Bytes{1 << 20};
  EXPECT_GT(run_of(open).levels[1].value, 4 * (1 << 20));
  EXPECT_LT(run_of(limited).levels[1].value, 2 * (1 << 20));
}

}  // namespace
}  // namespace doorbell::model
