#include "models/remote_daemon.hpp"

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
  for (const double read_share : {0.0, 1.0, 0.5}) {
    const RunResult result = run_of(two_sided(4_KiB, read_share));
    EXPECT_GT(result.operations, 100U);
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
  RemoteMemoryScenario remote = two_sided(64_KiB, 0);
  const Time none = run_of(remote).latency.p50;
  remote.access.server_copies = 2;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - none), 2 * 65536 / 4.0, 2 * 65536 / 4.0 * 0.02);
}

}  // namespace
}  // namespace doorbell::model
