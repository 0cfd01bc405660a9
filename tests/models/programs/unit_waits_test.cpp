#include "models/programs/unit_waits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/common/resource_name.hpp"
#include "models/fixture.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Threads that send datagrams as fast as they can, to machines so far away that their buffers hold them up.
Scenario far_away(int pairs, Bytes buffer, int receivers = 1, Time latency = 50us) {
  PostStep step = post(Verb::send, 32);
  step.to = "client";
  Scenario scenario = scenario_of(connect_ib(), sink(1, PortUse::all),
                                  program(queue_pairs(Transport::ud, pairs), {step}, 3), receivers);
  scenario.measure.program = "server";
  hardware_of(scenario, "client").port.receive_buffer = buffer;
  scenario.fabric.switch_latency = latency;
  scenario.measure.warmup = 1ms;
  scenario.measure.duration = 4ms;
  return scenario;
}

double sends_per_second(const Scenario& scenario) { return run(scenario).throughput.per_second; }

TEST(UnitWaits, UnitsThatWaitForRoomAtTheReceiverDoNotLimit) {
  const RunResult result = run(far_away(1, 64_KiB));
  EXPECT_EQ(result.bottleneck.resource, "client/receive buffers") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::receive_buffer);
  const double now = result.throughput.per_second;
  EXPECT_GT(sends_per_second(far_away(1, 1024_KiB)), 1.4 * now);
  EXPECT_LT(sends_per_second(far_away(8, 64_KiB)), 1.02 * now) << "more queue pairs";
}

/// What waits for room at one of them keeps back what others have room for, so that none of the buffers is always full.
TEST(UnitWaits, BuffersOfSeveralReceiversLimitThoughNoneIsFullAllTheTime) {
  const Scenario scenario = far_away(1, 64_KiB, 2, 100us);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "client/receive buffers") << result.bottleneck.sentence;
  EXPECT_LT(result.bottleneck.busy, 0.85);
  EXPECT_NE(result.bottleneck.sentence.find("server/NIC processing units, waits included: held"), std::string::npos)
      << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  EXPECT_GT(sends_per_second(far_away(1, 1024_KiB, 2, 100us)), 1.4 * now);
  EXPECT_LT(sends_per_second(far_away(8, 64_KiB, 2, 100us)), 1.02 * now) << "more queue pairs";
}

TEST(UnitWaits, UnitsLimitWhereBuffersHaveRoom) {
  const RunResult result = run(far_away(1, 64_KiB, 1, 1us));
  EXPECT_EQ(result.bottleneck.sentence.find("receive buffers"), std::string::npos) << result.bottleneck.sentence;
  EXPECT_LT(sends_per_second(far_away(1, 1024_KiB, 1, 1us)), 1.02 * result.throughput.per_second) << "a larger one";
}

/// What `sender` sends goes to `receiver`, and now and then to "hub", whose buffers always have room.
Program sending(const std::string& receiver) {
  PostStep step = post(Verb::send, 32, 16);
  step.to = receiver;
  PostStep rare = post(Verb::send, 32);
  rare.to = "hub";
  return program(queue_pairs(Transport::ud), {step, rare}, 3);
}

/// Two senders that share nothing but a hub, each with receivers of its own.
Scenario two_pairs() {
  Scenario scenario = far_away(1, 64_KiB, 2, 100us);
  named(scenario.programs, "server") = on("server", sending("client"));
  const MachineGroup like_client = named(scenario.machines, "client");
  for (const char* machine : {"other sender", "other receiver", "hub"}) {
    scenario.machines.emplace_back(machine, like_client);
    named(scenario.machines, machine).count = 1;
  }
  hardware_of(scenario, "hub").port.receive_buffer = 16384_KiB;
  scenario.programs.emplace_back("other", on("other sender", sending("other sink")));
  scenario.programs.emplace_back("other sink", on("other receiver", sink(1, PortUse::all)));
  scenario.programs.emplace_back("hub", on("hub", sink(1, PortUse::all)));
  return scenario;
}

TEST(UnitWaits, OnlyBuffersOfThoseToWhomAGroupSendsAreItsReason) {
  const Scenario scenario = two_pairs();
  Simulation simulation{scenario};
  run_through(simulation);
  const Time measured = scenario.measure.duration;
  std::vector<Utilisation> holders;
  for (MachineSet& set : simulation.machines()) report_nic_holders(simulation, set, measured, holders);
  const auto busy_of = [&](const std::string& name) {
    return std::ranges::find(holders, name, &Utilisation::resource)->busy;
  };
  EXPECT_GT(busy_of("other receiver/receive buffers"), busy_of("client/receive buffers"));
  for (MachineSet& set : simulation.machines()) explain_unit_waits(set, simulation, measured, holders);
  const auto reason_of = [&](const std::string& machine) -> std::string {
    const auto units = std::ranges::find(holders, processing_units_with_waits(machine), &Utilisation::resource);
    return units->held_for ? units->held_for->resource : "";
  };
  EXPECT_EQ(reason_of("server"), "client/receive buffers");
  EXPECT_EQ(reason_of("other sender"), "other receiver/receive buffers");
  EXPECT_EQ(reason_of("client"), "") << "it sends nothing";
}

TEST(UnitWaits, FullerBuffersElsewhereAreNotNamed) {
  const RunResult result = run(two_pairs());
  EXPECT_EQ(result.bottleneck.resource, "client/receive buffers") << result.bottleneck.sentence;
  Scenario larger = two_pairs();
  hardware_of(larger, "other receiver").port.receive_buffer = 1024_KiB;
  EXPECT_LT(sends_per_second(larger), 1.02 * result.throughput.per_second) << "larger ones there";
  larger = two_pairs();
  hardware_of(larger, "client").port.receive_buffer = 1024_KiB;
  EXPECT_GT(sends_per_second(larger), 1.4 * result.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
