#include "analytic/remote_request.hpp"

#include <gtest/gtest.h>

#include "analytic/remote_memory_analysis.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using model::RemoteMemoryScenario;

/// One request at a time, by SEND to a daemon that has to wake up.
RemoteMemoryScenario to_daemon(double reads, Time delay) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.protocol = model::Protocol::two_sided;
  remote.software.daemon.delay = delay;
  remote.block->size = 64_KiB;
  remote.block->read_share = reads;
  return remote;
}

TEST(RemoteRequest, WaitsForTheDaemonToWakeUp) {
  for (const double reads : {0.0, 1.0}) {
    const auto latency = [&](Time delay) { return analyze(to_daemon(reads, delay)).unloaded_latency; };
    EXPECT_EQ(latency(7us) - latency(0us), 7us) << reads;
  }
}

TEST(RemoteRequest, CarriesDataOnTheWayThereOrBack) {
  for (const double reads : {0.0, 1.0}) {
    const RemoteMemoryScenario remote = to_daemon(reads, 3us);
    EXPECT_NEAR(to_seconds(run_of(remote).latency.mean) / to_seconds(analyze(remote).unloaded_latency), 1, 0.01)
        << reads;
  }
}

}  // namespace
}  // namespace doorbell::analytic
