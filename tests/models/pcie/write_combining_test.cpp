#include "models/pcie/write_combining.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(WriteCombining, ABufferIsFreeAgainWhenItsTlpHasLeft) {
  WriteCombiningBuffers buffers{2};
  EXPECT_EQ(buffers.available(5ns), 5ns);
  buffers.hold_until(100ns);
  EXPECT_EQ(buffers.available(5ns), 5ns);
  buffers.hold_until(200ns);
  EXPECT_EQ(buffers.available(5ns), 100ns);
  EXPECT_EQ(buffers.available(150ns), 150ns);
  buffers.hold_until(300ns);
  EXPECT_EQ(buffers.available(150ns), 200ns);
}

/// A link of one lane, so that a line of 64 B takes about 100 ns and the buffers fill.
HardwareProfile slow_link(int buffers) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.lanes = 1;
  hardware.mmio.buffers = buffers;
  return hardware;
}

const QueuePairs four_pairs = queue_pairs(Transport::ud, 4);

RunResult post_lines(const HardwareProfile& hardware, int threads) {
  return run(scenario_of(hardware, program(four_pairs, {post(Verb::send, 60)}, threads), sink()));
}

TEST(WriteCombining, MmioNeverExceedsTheLinkAndReachesIt) {
  const HardwareProfile hardware = slow_link(10);
  const Time on_link =
      path_of(post(Verb::send, 60), four_pairs, hardware).demand(Side::requester, Resource::pcie_downstream);
  for (const int threads : {1, 4, 8}) {
    const RunResult result = post_lines(hardware, threads);
    EXPECT_LE(result.throughput.per_second, rate_of(on_link) * 1.02) << threads;
    EXPECT_GE(result.throughput.per_second, rate_of(on_link) * 0.98) << threads;
    EXPECT_GT(busy(result, "client/PCIe downstream"), 0.99);
    EXPECT_EQ(result.bottleneck.limit, Limit::mmio_bandwidth);
  }
}

TEST(WriteCombining, ACoreWithOneBufferWaitsForEveryLine) {
  // Two lines per WQE, and between WQEs the core prepares the next: with one buffer it fills a line while none leaves.
  const HardwareProfile hardware = slow_link(1);
  const PostStep step = post(Verb::send, 60);
  const VerbPath path = path_of(step, four_pairs, hardware);
  const Time on_link = path.demand(Side::requester, Resource::pcie_downstream);
  const Time core = path.service(Phase::post, Side::requester, Resource::core, Per::operation);
  // The core goes on as soon as the last line has its buffer; it then waits for that buffer, after its own work.
  const Time last_line = on_link / 2;
  const Time pass = on_link / 2 + std::max(core, last_line);
  const RunResult result = post_lines(hardware, 1);
  EXPECT_NEAR(result.throughput.per_second, rate_of(pass), rate_of(pass) * 0.02);
}

TEST(WriteCombining, MoreBuffersAreNeverSlower) {
  double last = 0;
  for (const int buffers : {1, 2, 4, 10}) {
    const RunResult result = post_lines(slow_link(buffers), 1);
    EXPECT_GE(result.throughput.per_second, last * 0.98) << buffers;
    last = result.throughput.per_second;
  }
}

}  // namespace
}  // namespace doorbell::model
