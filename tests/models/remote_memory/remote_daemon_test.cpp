#include "models/remote_memory/remote_daemon.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RemoteMemoryScenario two_sided(Bytes size, double read_share) {
  RemoteMemoryScenario remote = one_at_a_time(size);
  remote.access.protocol = Protocol::two_sided;
  remote.block->read_share = read_share;
  return remote;
}

bool uses_the_peers_cpu(const RunResult& result) {
  return std::any_of(result.utilisations.begin(), result.utilisations.end(),
                     [](const Utilisation& item) { return item.resource == "peer/CPU" && item.busy > 0; });
}

TEST(RemoteDaemon, AnswersEveryRequest) {
  // Cache lines of what travels: a header of 64 B, and beside it 4 KiB in one of the two directions.
  constexpr double bare = 1;
  constexpr double loaded = 65;
  // Each message is read with its WQE and a share of the receiver's RECV WQEs, and written with a CQE.
  constexpr double wqes = 1 + 0.25;
  constexpr double cqe = 1;
  for (const double read_share : {0.0, 1.0, 0.5}) {
    RemoteMemoryScenario remote = two_sided(4_KiB, read_share);
    remote.duration = 100ms;
    const RunResult result = run_of(remote);
    EXPECT_NEAR(static_cast<double>(result.operations), result.throughput.per_second * 0.1, 1);
    const double reads = per_operation(result, "host/RDMA reads");
    EXPECT_NEAR(reads, read_share, 0.01);
    const double out = reads * bare + (1 - reads) * loaded;
    const double back = reads * loaded + (1 - reads) * bare;
    EXPECT_NEAR(per_operation(result, "host/PCIeRdCur"), out + wqes, 0.02);
    EXPECT_NEAR(per_operation(result, "peer/PCIeItoM"), out + cqe, 0.02);
    EXPECT_NEAR(per_operation(result, "peer/PCIeRdCur"), back + wqes, 0.02);
    EXPECT_NEAR(per_operation(result, "host/PCIeItoM"), back + cqe, 0.02);
    EXPECT_TRUE(uses_the_peers_cpu(result));
  }
  EXPECT_FALSE(uses_the_peers_cpu(run_of(one_at_a_time(4_KiB))));
}

TEST(RemoteDaemon, IsSlowerThanOneSidedAccess) {
  RemoteMemoryScenario one_sided = one_at_a_time(4_KiB);
  one_sided.block->read_share = 1;
  EXPECT_GT(run_of(two_sided(4_KiB, 1)).latency.p50, run_of(one_sided).latency.p50);
}

TEST(RemoteDaemon, CopiesTheDataAsOftenAsItIsTold) {
  for (const double read_share : {0.0, 1.0}) {  // those of a write have come, those of a read are to go
    RemoteMemoryScenario remote = two_sided(64_KiB, read_share);
    const Time none = run_of(remote).latency.p50;
    remote.access.server_copies = 2;
    EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - none), 2 * 65536 / 4.0, 2 * 65536 / 4.0 * 0.02)
        << read_share;
  }
}

TEST(RemoteDaemon, WorksAndWaitsAsLongAsItIsTold) {
  RemoteMemoryScenario remote = two_sided(4_KiB, 1);
  const Time none = run_of(remote).latency.p50;
  remote.software.daemon.work = 10us;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - none), 10'000, 200);
  remote.software.daemon.delay = 50us;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - none), 60'000, 1'000);
}

TEST(RemoteDaemon, AQueuePairHasOneThread) {
  RemoteMemoryScenario remote = on_blocks(4, 32);
  remote.access.protocol = Protocol::two_sided;
  remote.software.daemon.work = 20us;
  remote.software.daemon.threads = 4;
  remote.warmup = 3ms;
  const RunResult one = run_of(remote);
  EXPECT_EQ(one.bottleneck.resource, "peer/daemons");
  EXPECT_EQ(one.bottleneck.limit, Limit::connections);
  remote.software.daemon.threads = 8;
  EXPECT_DOUBLE_EQ(run_of(remote).throughput.per_second, one.throughput.per_second);
  remote.access.queue_pairs = 2;
  EXPECT_GT(run_of(remote).throughput.per_second, 1.8 * one.throughput.per_second);
}

TEST(RemoteDaemon, HasItsOwnThreadsHoweverManyPollTheQueuesOfTheHost) {
  RemoteMemoryScenario remote = on_blocks(4, 32);
  remote.access.protocol = Protocol::two_sided;
  remote.access.completion.mode = CompletionMode::busy;
  remote.software.daemon.work = 20us;
  remote.warmup = 3ms;
  const double one = run_of(remote).throughput.per_second;
  EXPECT_NEAR(one, 1 / 20e-6, 0.05 / 20e-6);
  remote.access.completion.threads_per_queue = 4;
  EXPECT_NEAR(run_of(remote).throughput.per_second, one, 0.02 * one);
}

TEST(RemoteDaemon, WorkLimitsEachOfItsThreadsAndWaitingDoesNot) {
  RemoteMemoryScenario remote = on_blocks(4, 32);
  remote.access.protocol = Protocol::two_sided;
  remote.access.queue_pairs = 4;
  remote.software.daemon.work = 20us;
  remote.warmup = 3ms;
  const RunResult limited = run_of(remote);
  EXPECT_EQ(limited.bottleneck.resource, "peer/daemons");
  EXPECT_EQ(limited.bottleneck.limit, Limit::threads);
  const double one = limited.throughput.per_second;
  EXPECT_LT(one, 1 / 20e-6);
  EXPECT_GT(one, 0.95 / 20e-6);
  remote.software.daemon.delay = 100us;
  EXPECT_NEAR(run_of(remote).throughput.per_second, one, 0.02 * one);
  remote.software.daemon.threads = 4;
  const double four = run_of(remote).throughput.per_second;
  EXPECT_GT(four, 3 * one) << "queue pairs are chosen at random, so not all threads are always busy";
  EXPECT_LE(four, 4.04 * one);
  // More threads than queue pairs have nothing to do.
  remote.software.daemon.threads = 64;
  EXPECT_EQ(run_of(remote).throughput.per_second, four);
}

TEST(RemoteDaemon, PostsAnAnswerAsTheHostPostsARequest) {
  RemoteMemoryScenario remote = two_sided(4_KiB, 1);
  const Time before = run_of(remote).latency.p50;
  remote.software.driver.post += 1us;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - before), 2000, 100);
}

}  // namespace
}  // namespace doorbell::model
