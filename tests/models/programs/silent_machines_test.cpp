#include "models/programs/silent_machines.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/remote_server.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

/// A server that writes every request to both of two lenders, or to the one that answers.
Scenario writing_twice(int unreachable) {
  AccessStep step;
  step.size = 4_KiB;
  step.device = AccessedDevice::remote;
  step.operation = AccessKind::write;
  Scenario scenario = remote_server(16, 2, step);
  access_of(scenario).replicas = 2;
  access_of(scenario).unreachable = unreachable;
  return scenario;
}

TEST(SilentMachines, ArePeersThatNoDeviceReaches) {
  EXPECT_EQ(silent_machines(writing_twice(0), "lender"), 0);
  Scenario scenario = writing_twice(1);
  EXPECT_EQ(silent_machines(scenario, "lender"), 1);
  for (const char* other : {"server", "client", "nobody"}) EXPECT_EQ(silent_machines(scenario, other), 0) << other;
  MachineGroup another = named(scenario.machines, "server");
  another.remote_device->access.unreachable = 0;
  scenario.machines.emplace_back("another", another);
  EXPECT_EQ(silent_machines(scenario, "lender"), 0) << "another device reaches both";
}

TEST(SilentMachines, RunNoPrograms) {
  Scenario scenario = writing_twice(1);
  Program idle;
  idle.machine = "lender";
  scenario.programs.emplace_back("idle", idle);
  EXPECT_EQ(silent_machines(scenario, "lender"), 0);
}

TEST(SilentMachines, AreNeverAll) { EXPECT_EQ(silent_machines(writing_twice(2), "lender"), 1); }

/// Whoever answers gets every block, whether the other one does or not.
TEST(SilentMachines, AreNotInTheAverageOfTheirGroup) {
  const auto per_block = [](const RunResult& result, const std::string& resource) {
    return busy(result, resource) / result.throughput.per_second * 1e9;
  };
  const RunResult both = run(writing_twice(0));
  const RunResult one = run(writing_twice(1));
  for (const char* part : {"lender/ports receive", "lender/PCIe upstream", "lender/NIC receive pipeline"}) {
    ASSERT_GT(per_block(both, part), 1) << part;
    EXPECT_NEAR(per_block(one, part) / per_block(both, part), 1, 0.02) << part;
  }
  EXPECT_TRUE(std::ranges::none_of(one.utilisations, [](const Utilisation& row) {
    return row.resource.starts_with("lender/") && !row.remark.empty();
  })) << "no row for the busiest of one";
}

TEST(SilentMachines, ArePeersOfALoadToo) {
  const auto received = [](int unreachable) {
    RemoteMemoryScenario remote = on_blocks(2, 16);
    remote.access.peers = 3;
    remote.access.replicas = 3;
    remote.access.unreachable = unreachable;
    const RunResult result = run_of(remote);
    return busy(result, "peer/ports receive") / result.throughput.per_second * 1e9;
  };
  ASSERT_GT(received(0), 1);
  EXPECT_NEAR(received(2) / received(0), 1, 0.02);
}

}  // namespace
}  // namespace doorbell::model
