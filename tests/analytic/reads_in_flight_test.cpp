#include "analytic/reads_in_flight.hpp"

#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "analytic/remote_memory_analysis.hpp"
#include "models/remote_server.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using testing::bound_of;

const std::string in_flight_of_device = "READs in flight of the device";

TEST(ReadsInFlight, ARemoteBlockDeviceReadsNoFasterThanItsQueuePairsAllow) {
  for (const int peers : {1, 2}) {
    model::RemoteMemoryScenario remote = model::on_blocks(4, 32);
    remote.block->read_share = 1;
    remote.block->order = model::AccessOrder::random;
    remote.access.peers = peers;
    remote.access.completion.mode = model::CompletionMode::busy;
    remote.hardware.nic.max_outstanding_reads = 1;
    const Bounds bounds = analyze(remote);
    EXPECT_EQ(bounds.bottleneck, "host/" + in_flight_of_device);
    EXPECT_EQ(bound_of(bounds, "host/" + in_flight_of_device).servers, peers);
    const double simulated = model::run_of(remote).throughput.per_second;
    EXPECT_LE(simulated, bounds.throughput.per_second * 1.005) << peers;
    EXPECT_GE(simulated, bounds.throughput.per_second * 0.85) << peers;
  }
}

TEST(ReadsInFlight, WritesAndMessagesHoldNone) {
  model::RemoteMemoryScenario remote = model::on_blocks(4, 32);
  remote.block->read_share = 0;
  EXPECT_THROW((void)bound_of(analyze(remote), "host/" + in_flight_of_device), std::out_of_range);
  remote.block->read_share = 1;
  remote.access.protocol = model::Protocol::two_sided;
  EXPECT_THROW((void)bound_of(analyze(remote), "host/" + in_flight_of_device), std::out_of_range);
}

TEST(ReadsInFlight, OfAProgramsDeviceTheyAreThoseOfAllItsThreads) {
  for (const int threads : {1, 4}) {
    model::Scenario scenario =
        model::remote_server(64, threads, model::AccessStep{.size = 64_KiB, .device = model::AccessedDevice::remote});
    for (auto& [name, group] : scenario.machines) group.hardware.nic.max_outstanding_reads = 1;
    model::access_of(scenario).peers = 1;
    const Analysis analysis = analyze(scenario);
    EXPECT_EQ(bound_of(analysis, "server/" + in_flight_of_device).servers, 1) << threads;
    EXPECT_LE(model::run(scenario).throughput.per_second, analysis.throughput.per_second * 1.01) << threads;
    if (threads > 1) {
      EXPECT_EQ(analysis.bottleneck, "server/" + in_flight_of_device);
    }
  }
}

}  // namespace
}  // namespace doorbell::analytic
