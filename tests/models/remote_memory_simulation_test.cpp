#include "models/remote_memory_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

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

}  // namespace
}  // namespace doorbell::model
