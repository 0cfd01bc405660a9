#include "models/remote_loads/block_load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/kinds.hpp"
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

TEST(BlockLoad, TellsThatItHasNotSettled) {
  RemoteMemoryScenario remote = on_blocks(16, 256);
  remote.warmup = 1ms;
  remote.duration = 4ms;  // of what 4,096 requests in flight take
  EXPECT_THAT(run_of(remote).warnings,
              testing::Contains(testing::StartsWith("the load has not settled: its rate and latency account for")));
  EXPECT_THAT(run_of(on_blocks(1, 16)).warnings, testing::IsEmpty());
}

TEST(BlockLoad, MixesReadsAndWritesAsAsked) {
  RemoteMemoryScenario remote = on_blocks(2, 16);
  remote.block->read_share = 0.3;
  const RunResult result = run_of(remote);
  EXPECT_NEAR(per_operation(result, "host/RDMA reads"), 0.3, 0.03);
  expect_kinds(result, {"reads", "writes"});
  expect_share(result, result.kinds.at(0), 0.3);
}

TEST(BlockLoad, ReadsAloneOrWritesAloneAreNoKinds) {
  for (const double read_share : {0.0, 1.0}) {
    RemoteMemoryScenario remote = on_blocks(2, 16);
    remote.block->read_share = read_share;
    const RunResult result = run_of(remote);
    EXPECT_TRUE(result.kinds.empty());
    EXPECT_GT(result.latency.samples, 0U);
  }
}

TEST(BlockLoad, OneAtATimeEachKindTakesAsLongAsAlone) {
  const auto mixed = [](double read_share) {
    RemoteMemoryScenario remote = one_at_a_time(64_KiB);
    remote.block->read_share = read_share;
    return run_of(remote);
  };
  const RunResult both = mixed(0.5);
  expect_kinds(both, {"reads", "writes"});
  for (const std::size_t kind : {0U, 1U}) {
    const double alone = to_seconds(mixed(kind == 0 ? 1 : 0).latency.mean);
    EXPECT_NEAR(to_seconds(both.kinds.at(kind).latency.mean), alone, alone * 0.02) << both.kinds.at(kind).kind;
  }
}

}  // namespace
}  // namespace doorbell::model
