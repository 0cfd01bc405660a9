#include "models/remote_memory/block_load.hpp"

#include <gtest/gtest.h>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(BlockLoad, AThreadIsBoundByItsOwnTimePerRequest) {
  RemoteMemoryScenario remote = on_blocks(1, 256);
  remote.access.completion.mode = CompletionMode::busy;
  // submit + post + WQE + lock, then reap: the rest happens elsewhere.
  const double rate = run_of(remote).throughput.per_second;
  EXPECT_LT(rate, 1 / (1.5e-6 + 0.1e-6));
  EXPECT_GT(rate, 1 / (1.5e-6 + 0.5e-6));
}

TEST(BlockLoad, ASleepingThreadMustBeWoken) {
  // With one request at a time the thread sleeps every time.
  const RunResult alone = run_of(on_blocks(1, 1));
  EXPECT_NEAR(per_operation(alone, "host/context switches"), 1, 0.02);
  RemoteMemoryScenario busy = on_blocks(1, 256);
  busy.access.completion.mode = CompletionMode::busy;
  EXPECT_LT(per_operation(run_of(busy), "host/context switches"), 0.3);
}

TEST(BlockLoad, RateGrowsWithDepthAndThreads) {
  double before = 0;
  for (const int depth : {1, 4, 16}) {
    const double rate = run_of(on_blocks(1, depth)).throughput.per_second;
    EXPECT_GT(rate, before);
    before = rate;
  }
  EXPECT_GT(run_of(on_blocks(2, 16)).throughput.per_second, before);
}

TEST(BlockLoad, MixesReadsAndWritesAsAsked) {
  RemoteMemoryScenario remote = on_blocks(2, 16);
  remote.block->read_share = 0.3;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA reads"), 0.3, 0.03);
}

}  // namespace
}  // namespace doorbell::model
