// Programs whose requests go to memory of other machines before they are answered.
#include "models/remote_memory/program_requests.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/programs/active_threads.hpp"
#include "models/remote_loads/machines_beside.hpp"
#include "models/remote_server.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

AccessStep remote_access(AccessKind operation = AccessKind::read) {
  AccessStep step;
  step.size = 4_KiB;
  step.device = AccessedDevice::remote;
  step.operation = operation;
  return step;
}

TEST(ProgramRequests, EachIsOneWorkRequestWhereNothingIsMerged) {
  for (const AccessKind kind : {AccessKind::read, AccessKind::write}) {
    const RunResult result = run(remote_server(16, 4, remote_access(kind)));
    const bool reads = kind == AccessKind::read;
    EXPECT_NEAR(per_operation(result, "server/RDMA reads"), reads ? 1 : 0, 0.01);
    EXPECT_NEAR(per_operation(result, "server/RDMA writes"), reads ? 0 : 1, 0.01);
  }
}

TEST(ProgramRequests, AThreadSpendsWhatBlockLayerAndPostingCost) {
  Scenario scenario = remote_server(1, 1, remote_access());
  for (auto& [name, program] : scenario.programs) program.threads = 1;
  const RunResult with = run(scenario);
  std::vector<Step>& loop = named(scenario.programs, "server").loop;
  loop.erase(loop.begin() + 1);
  const RunResult without = run(scenario);
  // submit, reap, the lock, the driver's call and the WQE; what waits for the NIC is no work.
  const auto worked = [](const RunResult& result) {
    return busy(result, "server/cores of server") / result.throughput.per_second * 1e9;
  };
  const double posted = to_nanoseconds(remote_memory().hardware.cpu.wqe_cost);
  const double software = 1000 + 500 + 20 + 100;
  EXPECT_GT(worked(with) - worked(without), software + posted);
  EXPECT_LT(worked(with) - worked(without), software + posted + 200);  // the doorbell
  // The thread of a request's answer finds it as soon as the handler has ended it.
  const double more = to_nanoseconds(with.latency.mean - without.latency.mean);
  const double request = level(with, "server/request of a program (us)") * 1e3;
  EXPECT_NEAR(more, request + 500, 60);
}

TEST(ProgramRequests, OfOneThreadInOrderAreMerged) {
  AccessStep step = remote_access(AccessKind::write);
  const auto writes = [&](AccessOrder order, Batching batching) {
    step.order = order;
    Scenario scenario = remote_server(64, 1, step);
    access_of(scenario).batching = batching;
    return per_operation(run(scenario), "server/RDMA writes");
  };
  EXPECT_NEAR(writes(AccessOrder::sequential, Batching::single), 1, 0.02);
  EXPECT_NEAR(writes(AccessOrder::random, Batching::merge), 1, 0.02);
  const double merged = writes(AccessOrder::sequential, Batching::merge);
  EXPECT_LT(merged, 0.2);
  // Not beyond 128 KiB, nor beyond what one pass collects.
  EXPECT_GE(merged, 1.0 / 32);
}

TEST(ProgramRequests, TheWindowBoundsWhatAllThreadsHaveInFlight) {
  Scenario scenario = remote_server(64, 4, remote_access(AccessKind::write));
  const RunResult open = run(scenario);
  access_of(scenario).window = 16_KiB;
  const RunResult bounded = run(scenario);
  EXPECT_LE(level(bounded, "server/bytes in flight"), 16384 + 4096);
  EXPECT_GT(level(open, "server/bytes in flight"), 2 * level(bounded, "server/bytes in flight"));
  EXPECT_LT(bounded.throughput.per_second, open.throughput.per_second);
  EXPECT_EQ(bounded.bottleneck.resource, "server/window");
}

TEST(ProgramRequests, EveryMachineHasADeviceOfItsOwn) {
  Scenario scenario = remote_server(16, 2, remote_access());
  named(scenario.machines, "server").count = 2;
  const RunResult result = run(connected(scenario));
  EXPECT_NEAR(per_operation(result, "server/RDMA reads"), 1, 0.01);
  // Both read from both lenders, which send what they read once.
  const double bytes = result.throughput.per_second * 4096;
  const PortParameters& port = remote_memory().hardware.port;
  EXPECT_LE(bytes, 2 * port.bandwidth.bytes_per_second * port.ports);
  EXPECT_GT(result.throughput.per_second, 1.5 * run(remote_server(16, 2, remote_access())).throughput.per_second);
}

TEST(ProgramRequests, HandlersThatPollSlowThePrograms) {
  Scenario scenario = remote_server(1, 1, remote_access());
  const auto beside = [&] { return threads_beside(scenario.programs, "server", named(scenario.machines, "server")); };
  EXPECT_EQ(beside(), 0);
  access_of(scenario).completion.mode = CompletionMode::busy;  // a queue pair to each of two peers
  EXPECT_EQ(beside(), 2);
  access_of(scenario).queue_pairs = 1000;
  EXPECT_EQ(beside(), hardware_threads(remote_memory().hardware.cpu) - 1);
}

TEST(ProgramRequests, UnreachablePeersLeaveTheirBlocksToTheOthers) {
  Scenario scenario = remote_server(16, 2, remote_access(AccessKind::write));
  access_of(scenario).replicas = 2;
  EXPECT_NEAR(per_operation(run(scenario), "server/RDMA writes"), 2, 0.02);
  access_of(scenario).unreachable = 1;
  EXPECT_NEAR(per_operation(run(scenario), "server/RDMA writes"), 1, 0.01);
}

/// Programs on the host of a load use the load's device, behind its blocks.
TEST(ProgramRequests, ShareTheDeviceOfALoad) {
  RemoteMemoryScenario remote = on_blocks(2, 16);
  remote.access.window = 64_KiB;
  const RunResult alone = run_of(remote);
  Scenario scenario = remote_server(32, 2, remote_access(AccessKind::write));
  scenario.instead = remote;
  const MachineGroup client_group = named(scenario.machines, "client");
  scenario.machines = {{"client", client_group}};
  named(scenario.programs, "server").machine = "host";
  const RunResult beside = run(scenario);
  EXPECT_LT(beside.throughput.per_second, 0.9 * alone.throughput.per_second);
  EXPECT_LE(level(beside, "host/bytes in flight"), 65536 + 4096);
  const auto client = std::ranges::find(beside.kinds, "client", &KindSummary::kind);
  ASSERT_NE(client, beside.kinds.end());
  const double both = beside.throughput.per_second + client->throughput.per_second;
  EXPECT_NEAR(per_operation(beside, "host/RDMA writes") * beside.throughput.per_second / both, 1, 0.01);
}

TEST(ProgramRequests, TheSameSeedGivesTheSameRun) {
  const RunResult one = run(remote_server(16, 4, remote_access()));
  const RunResult other = run(remote_server(16, 4, remote_access()));
  EXPECT_EQ(one.throughput.per_second, other.throughput.per_second);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(one.latency.p99, other.latency.p99);
}

}  // namespace
}  // namespace doorbell::model
