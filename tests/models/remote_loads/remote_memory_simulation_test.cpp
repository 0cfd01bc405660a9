#include "models/remote_loads/remote_memory_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "models/fixture.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(RemoteMemorySimulation, NeedsALoad) { EXPECT_THROW((void)run_of(remote_memory()), std::invalid_argument); }

TEST(RemoteMemorySimulation, ThePortIsTheLimitOfLargeRequests) {
  RemoteMemoryScenario remote = on_blocks(4, 8);
  remote.block->size = 256_KiB;
  remote.access.queue_pairs = 4;
  const RunResult result = run_of(remote);
  const HardwareProfile& hardware = remote.hardware;
  const double ports = hardware.port.bandwidth.bytes_per_second * hardware.port.ports;
  EXPECT_LT(result.bandwidth.bytes_per_second, ports);
  EXPECT_GT(result.bandwidth.bytes_per_second, 0.8 * std::min(ports, dma_read_limit(hardware.pcie).bytes_per_second));
  EXPECT_FALSE(result.bottleneck.sentence.empty());
}

TEST(RemoteMemorySimulation, TellsWhetherTheLoadWorksOrWaits) {
  const RunResult works = run_of(on_blocks(2, 256));
  EXPECT_EQ(works.bottleneck.resource, "host/threads of the load");
  EXPECT_EQ(works.bottleneck.limit, Limit::threads);
  EXPECT_GT(busy(works, "host/threads of the load"), 0.95);

  // Its one request takes the thread 1.2 us before and 1.5 us after the device.
  const RunResult waits = run_of(on_blocks(1, 1));
  const double cycle = 1 / waits.throughput.per_second;
  EXPECT_NEAR(busy(waits, "host/threads of the load") * cycle, 2.7e-6, 0.1e-6);
  EXPECT_EQ(waits.bottleneck.resource, "host/operations of the load");
}

TEST(RemoteMemorySimulation, AWindowThatHoldsRequestsBackIsNamed) {
  RemoteMemoryScenario remote = on_blocks(4, 64);
  remote.access.batching = Batching::doorbell;
  remote.access.window = 4_KiB;
  remote.access.largest_merge = 4_KiB;
  EXPECT_EQ(run_of(remote).bottleneck.resource, "host/window");
}

TEST(RemoteMemorySimulation, AWindowOfWhatIsDoneAndNotYetFinishedIsToldApart) {
  RemoteMemoryScenario remote = on_blocks(8, 64);
  remote.access.batching = Batching::merge;
  remote.access.window = 64_KiB;
  remote.access.largest_merge = 64_KiB;
  remote.access.queue_pairs = 4;
  const auto limit_with = [&](Time finish, Bandwidth port) {
    remote.software.block.finish = finish;
    remote.hardware.port.bandwidth = port;
    return run_of(remote).bottleneck.limit;
  };
  EXPECT_EQ(limit_with(std::chrono::microseconds{2}, connect_ib().port.bandwidth), Limit::taken_in_batches);
  EXPECT_NE(limit_with(std::chrono::nanoseconds{10}, 1000_MBps), Limit::taken_in_batches);
}

TEST(RemoteMemorySimulation, TagsThatReadsWaitForAreNamed) {
  RemoteMemoryScenario remote = on_blocks(12, 64);
  remote.hardware.pcie.read_tags = 1;
  remote.hardware.pcie.latency = std::chrono::microseconds{3};
  const RunResult result = run_of(remote);
  EXPECT_EQ(result.bottleneck.resource, "host/PCIe read tags");
  EXPECT_EQ(result.bottleneck.limit, Limit::read_tags);
}

TEST(RemoteMemorySimulation, ACompletionHandlerThatEndsAllRequestsIsNamed) {
  const RunResult result = run_of(on_blocks(12, 64));
  EXPECT_EQ(result.bottleneck.resource, "host/busiest completion handler");
  EXPECT_EQ(result.bottleneck.limit, Limit::completion_handler);
  EXPECT_LT(busy(result, "host/threads of the load"), 0.9);
}

TEST(RemoteMemorySimulation, APagingApplicationWaitsForItsFaultsOnly) {
  RemoteMemoryScenario remote = remote_memory();
  remote.paging = PagingLoad{{{}, 2, std::chrono::microseconds{5}}, {.pages = 4096}};
  EXPECT_GT(busy(run_of(remote), "host/threads of the load"), 0.999);
  remote.paging->resident = 0.1;
  EXPECT_LT(busy(run_of(remote), "host/threads of the load"), 0.8);
}

TEST(RemoteMemorySimulation, AHandlerThatIsMostlyBusyLimitsBeforeTheWindowThatWaitsForIt) {
  const auto with = [](int queue_pairs, Bytes window) {
    RemoteMemoryScenario remote = on_blocks(8, 32);
    remote.block->order = AccessOrder::random;
    remote.access.batching = Batching::doorbell;
    remote.access.completion.mode = CompletionMode::event;
    remote.access.queue_pairs = queue_pairs;
    remote.access.window = window;
    remote.software.block.finish = std::chrono::microseconds{1};
    return run_of(remote);
  };
  const RunResult result = with(4, 32_KiB);
  EXPECT_GT(level(result, "host/bytes in flight"), 0.95 * 32 * 1024);
  EXPECT_LT(busy(result, "host/busiest completion handler"), 0.85);
  EXPECT_EQ(result.bottleneck.resource, "host/busiest completion handler") << result.bottleneck.sentence;
  // Twice as many handlers help more than twice the window.
  const double with_handlers = with(8, 32_KiB).throughput.per_second;
  EXPECT_GT(with_handlers, 1.15 * result.throughput.per_second);
  EXPECT_GT(with_handlers, with(4, 64_KiB).throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
