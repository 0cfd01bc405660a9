#include "models/nic/read_states.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/nic/state_fetch.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(ReadStates, HoldsTheLatest) {
  ReadStates states{4, 1, 100ns};
  const std::uint64_t first = states.begin();
  for (int i = 0; i < 3; ++i) states.begin();
  EXPECT_TRUE(states.holds(first));
  const std::uint64_t fifth = states.begin();
  EXPECT_FALSE(states.holds(first));
  EXPECT_TRUE(states.holds(fifth));
}

TEST(ReadStates, RestoresSoManyAtATime) {
  ReadStates states{4, 2, 100ns};
  EXPECT_EQ(states.restored(0ns), 100ns);
  EXPECT_EQ(states.restored(0ns), 100ns);
  EXPECT_EQ(states.restored(0ns), 200ns);
}

TEST(ReadStates, WhatIsRestoredDisplacesOthers) {
  ReadStates states{2, 1, 100ns};
  const std::uint64_t ticket = states.begin();
  static_cast<void>(states.restored(0ns));
  EXPECT_TRUE(states.holds(ticket));
  static_cast<void>(states.restored(0ns));
  EXPECT_FALSE(states.holds(ticket));
}

/// Four machines of four threads READ from each other, `window` READs at a time each.
RunResult crossing_reads(int window, int states, int fetches, int contexts = 4096) {
  PostStep step = post_window(Verb::read, 32, window);
  step.to = "client";
  step.destination = Destination::others;
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 8), {step, await(1)}, 4), sink(), 4);
  HardwareProfile& hardware = hardware_of(scenario, "client");
  hardware.nic.read_states = states;
  hardware.nic.qp_contexts = contexts;
  hardware.nic.state_fetches = 64;
  hardware.nic.read_state_fetches = fetches;
  return run(scenario);
}

double lines_read_again(const RunResult& result) {
  return counter(result, "client/PCIeRdCur beyond expected").rate.per_second / result.throughput.per_second;
}

constexpr std::string_view restoring = "client/NIC READ states";

TEST(ReadStates, CostNothingWhereAllFit) {
  // Of 16 READs in flight per thread each counts twice, where it is sent and where it is answered.
  const RunResult fits = crossing_reads(16, 2 * 4 * 16, 1);
  const RunResult huge = crossing_reads(16, 1 << 20, 1);
  EXPECT_EQ(fits.throughput.per_second, huge.throughput.per_second);
  EXPECT_LE(lines_read_again(fits), 0);
}

TEST(ReadStates, EveryDisplacedReadIsReadAgainOnce) {
  const RunResult result = crossing_reads(16, 1, 64);
  EXPECT_NEAR(lines_read_again(result), 1, 0.01);
}

TEST(ReadStates, FetchesLimitANicWhoseReadsAreDisplaced) {
  const double limit = rate_of(state_fetch_time(connect_ib()));
  const RunResult result = crossing_reads(16, 1, 4);
  EXPECT_NEAR(result.throughput.per_second / 4, 4 * limit, 0.03 * limit);
  EXPECT_GT(busy(result, restoring), 0.98);
  EXPECT_EQ(result.bottleneck.resource, restoring);
  EXPECT_EQ(result.bottleneck.limit, Limit::read_states);
}

TEST(ReadStates, NearlyAllMissWhereTwiceAsManyAreNeeded) {
  // What is restored displaces the next.
  EXPECT_LE(lines_read_again(crossing_reads(32, 192, 8)), 0.01);
  EXPECT_GT(lines_read_again(crossing_reads(32, 128, 8)), 0.5);
  EXPECT_GT(lines_read_again(crossing_reads(32, 96, 8)), 0.9);
}

TEST(ReadStates, AreReadAgainWhereContextsAreToo) {
  // A machine has 64 contexts, half of them its own. Forgetting these does not spare it the other reads.
  EXPECT_NEAR(lines_read_again(crossing_reads(16, 1, 64, 64)), 1, 0.01);
  const RunResult both = crossing_reads(16, 1, 64, 8);
  const double contexts = counter(both, "client/QP contexts read").rate.per_second / both.throughput.per_second;
  const double lines_of_context = static_cast<double>(connect_ib().nic.qp_context.count) / 64;
  EXPECT_NEAR(lines_read_again(both) - contexts * lines_of_context, 1, 0.02);
  EXPECT_LE(crossing_reads(16, 1, 1, 8).throughput.per_second,
            1.001 * crossing_reads(16, 1, 1, 64).throughput.per_second);
}

TEST(ReadStates, WritesHaveNone) {
  PostStep step = post_window(Verb::write, 32, 16);
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  const RunResult huge = run(scenario);
  hardware_of(scenario, "client").nic.read_states = 1;
  hardware_of(scenario, "server").nic.read_states = 1;
  EXPECT_EQ(run(scenario).throughput.per_second, huge.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
