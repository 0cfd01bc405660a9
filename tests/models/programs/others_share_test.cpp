#include "models/programs/others_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

struct LoadBeside {
  Verb verb = Verb::read;
  std::int64_t payload = 8;
  int window = 32;
  int threads = 8;
};

constexpr LoadBeside reads_beside{};
constexpr LoadBeside writes_beside{Verb::write, 4096, 16, 4};

PostStep beside_step(const std::string& program, Verb verb, std::int64_t payload, int window) {
  PostStep step = post_window(verb, payload, window);
  step.to = program;
  if (verb == Verb::write && payload > 64) step.inlined = false;
  return step;
}

Program flood_of(const LoadBeside& load) {
  return program(queue_pairs(Transport::rc, 4), {beside_step("store", load.verb, load.payload, load.window), await(1)},
                 load.threads);
}

/// Machines "others", and a program "flood" on one side that asks the program "store" on the other one.
Scenario with_flood(Scenario scenario, int others, const std::string& flood, const std::string& store,
                    const LoadBeside& load) {
  scenario.machines.emplace_back("others", MachineGroup{"test", connect_ib(), others});
  scenario.programs.emplace_back("store", on(store, sink()));
  scenario.programs.emplace_back("flood", on(flood, flood_of(load)));
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 500us;
  return connected(scenario);
}

/// Four threads of a server work for `work` on each request; machines beside them flood its NIC.
Scenario flooded_server(Time work, int window, const LoadBeside& load, int threads = 4) {
  const Program server = program(queue_pairs(Transport::rc, 4),
                                 {collect(Channel::completion_queue, 32), compute(0ns, work), answer(16, 16)}, threads);
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::send, 32, window), await(1)}, 4);
  return with_flood(scenario_of(connect_ib(), client, server, 2), 4, "others", "server", load);
}

/// The two threads that are measured compute for `work` on each answer; beside them others flood the NIC of their
/// machine.
Scenario flooded_client(Time work, int window, const LoadBeside& load) {
  const Program server = program(queue_pairs(Transport::rc, 4),
                                 {collect(Channel::completion_queue, 32), compute(0ns, 50ns), answer(16, 16)}, 4);
  const Program client =
      program(queue_pairs(Transport::rc), {post_window(Verb::send, 32, window), await(1), compute(0ns, work)}, 2);
  return with_flood(scenario_of(connect_ib(), client, server), 2, "client", "others", load);
}

double rate_in_run(const Scenario& scenario) { return run(scenario).throughput.per_second; }

/// With a receive pipeline that is twice as fast.
Scenario receiving_faster(Scenario scenario, const std::string& machine) {
  NicParameters& nic = hardware_of(scenario, machine).nic;
  for (Time* time : {&nic.rx_message, &nic.rx_dma, &nic.rx_lookup}) *time /= 2;
  return scenario;
}

TEST(OthersShare, CoresLimitTheirProgramThoughOthersFillTheNic) {
  const Scenario scenario = flooded_server(1us, 16, reads_beside);
  const RunResult result = run(scenario);
  EXPECT_GT(busy(result, "server/NIC receive pipeline"), 0.99);
  EXPECT_EQ(result.bottleneck.resource, "server/cores of server") << result.bottleneck.sentence;
  EXPECT_THAT(result.bottleneck.sentence, HasSubstr("of the requests through it are for flood"));
  EXPECT_THAT(result.bottleneck.sentence, Not(HasSubstr("may help")));
  const double now = result.throughput.per_second;
  EXPECT_GT(rate_in_run(flooded_server(500ns, 16, reads_beside)), 1.5 * now);
  EXPECT_GT(rate_in_run(flooded_server(1us, 16, reads_beside, 8)), 1.5 * now);
  EXPECT_LT(rate_in_run(receiving_faster(scenario, "server")), 1.1 * now);
}

TEST(OthersShare, AWindowLimitsWhereMoreWouldFindRoomBetweenTheWorkOfOthers) {
  const Scenario scenario = flooded_server(10ns, 1, reads_beside);
  const RunResult result = run(scenario);
  EXPECT_GT(busy(result, "server/NIC receive pipeline"), 0.99);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
  EXPECT_THAT(result.bottleneck.sentence, HasSubstr("server/NIC receive pipeline is full as well"));
  EXPECT_THAT(result.bottleneck.sentence, HasSubstr("more of it may help as much or more"));
  const double now = result.throughput.per_second;
  EXPECT_GT(rate_in_run(flooded_server(10ns, 2, reads_beside)), 1.8 * now);
  EXPECT_GT(rate_in_run(receiving_faster(scenario, "server")), 1.1 * now);
}

TEST(OthersShare, PortsThatTakeTurnsLimitThoughTheyAreFullOfWhatOthersSend) {
  const auto with = [](int window) {
    Scenario scenario = flooded_server(10ns, window, writes_beside);
    scenario.measure.duration = 4ms;
    return scenario;
  };
  const RunResult result = run(with(16));
  EXPECT_EQ(result.bottleneck.resource, "server/ports receive") << result.bottleneck.sentence;
  EXPECT_THAT(result.bottleneck.sentence, HasSubstr("of the data through it are for flood"));
  // More requests under way would only wait for the same turns.
  EXPECT_LT(rate_in_run(with(32)), 1.05 * result.throughput.per_second);
}

TEST(OthersShare, ComputingThreadsLimitThoughTheLinkOfTheirMachineIsFull) {
  const Scenario scenario = flooded_client(8us, 16, writes_beside);
  const RunResult result = run(scenario);
  EXPECT_GT(busy(result, "client/PCIe downstream"), 0.99);
  EXPECT_EQ(result.bottleneck.resource, "client/cores of client") << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  EXPECT_GT(rate_in_run(flooded_client(4us, 16, writes_beside)), 1.4 * now);
  Scenario faster = scenario;
  hardware_of(faster, "client").port.bandwidth.bytes_per_second *= 2;
  hardware_of(faster, "client").pcie.lane_bandwidth.bytes_per_second *= 2;
  EXPECT_LT(rate_in_run(faster), 1.1 * now);
}

TEST(OthersShare, OwnWorkThatFillsTheNicLimitsBesideOthers) {
  Scenario scenario = flooded_server(10ns, 1, reads_beside);
  scenario.measure.program = "flood";
  const Bottleneck bottleneck = run(scenario).bottleneck;
  EXPECT_EQ(bottleneck.resource, "server/NIC receive pipeline") << bottleneck.sentence;
  EXPECT_THAT(bottleneck.sentence, Not(HasSubstr("through it")));
}

}  // namespace
}  // namespace doorbell::model
