#include "models/programs/busy_threads.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Clients that post two requests and await both, to the threads of a server in turn: these come in convoys.
Scenario convoys(int threads, int window, Destination destination = Destination::round_robin) {
  PostStep step = post_window(Verb::send, 32, window);
  step.destination = destination;
  Program server = program(queue_pairs(Transport::ud, 8),
                           {collect(Channel::completion_queue, 32), compute(0ns, 1us), answer(32, 16)}, threads);
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::ud), {step, await(0)}, 8), std::move(server), 4);
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 5ms;
  return scenario;
}

TEST(BusyThreads, RequestsInConvoysAreLimitedByTheThreadsThatTheyWaitFor) {
  const RunResult result = run(convoys(6, 2));
  EXPECT_LT(busy(result, "server/cores of server"), 0.85);
  EXPECT_EQ(result.bottleneck.resource, "server/threads of server") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::busy_threads);
  EXPECT_NE(result.bottleneck.sentence.find("client/window of client: held"), std::string::npos)
      << result.bottleneck.sentence;
  // What is named helps, more than what holds it.
  const double now = result.throughput.per_second;
  const double more = run(convoys(12, 2)).throughput.per_second;
  EXPECT_GT(more, 1.2 * now);
  EXPECT_GT(more, run(convoys(6, 4)).throughput.per_second);
  EXPECT_GT(run(convoys(6, 2, Destination::fixed)).throughput.per_second, 1.1 * now);
}

TEST(BusyThreads, ThreadsThatIdleHalfOfTheTimeAreNamedWhereEvenlySpreadRequestsWouldGainMost) {
  const RunResult result = run(convoys(10, 1));
  EXPECT_LT(busy(result, "server/cores of server"), 0.6);
  EXPECT_EQ(result.bottleneck.resource, "server/threads of server") << result.bottleneck.sentence;
  const double even = run(convoys(10, 1, Destination::fixed)).throughput.per_second;
  EXPECT_GT(even, 1.3 * result.throughput.per_second);
  EXPECT_GT(even, run(convoys(10, 2)).throughput.per_second);
}

TEST(BusyThreads, AWindowThatLeavesThreadsIdleLimits) {
  // One client with one request never waits for others.
  Scenario alone = convoys(6, 1);
  for (auto& [name, group] : alone.machines) group.count = 1;
  alone.programs.back().second.threads = 1;
  const RunResult result = run(alone);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.sentence.find("of the time for server/threads"), std::string::npos)
      << result.bottleneck.sentence;
}

/// For how much of the window of `scenario`'s client its requests wait for threads.
std::optional<HeldFor> held_in(const Scenario& scenario) {
  Simulation simulation{scenario};
  simulation.calendar().run_until(scenario.measure.warmup);
  simulation.measure(scenario.measure.warmup + scenario.measure.duration);
  simulation.calendar().run_until(scenario.measure.warmup + scenario.measure.duration);
  return held_for_threads(simulation, simulation.program("client"), scenario.measure.duration);
}

TEST(BusyThreads, WhatAwaitsOthersIsInHandWithoutWork) {
  Scenario tier = convoys(6, 2);
  ASSERT_TRUE(held_in(tier));
  tier.programs.front().second.loop.emplace_back(await(0));
  EXPECT_FALSE(held_in(tier));
}

TEST(BusyThreads, TheWorkOnARequestIsNoWaiting) {
  Scenario alone = convoys(1, 1);
  for (auto& [name, group] : alone.machines) group.count = 1;
  alone.programs.back().second.threads = 1;
  const auto held = held_in(alone);
  EXPECT_LT(held ? held->share : 0, 0.05);
}

TEST(BusyThreads, OfTwoRequestsOneWaitsForTheWorkOnTheOther) {
  // They come together, and both are awaited: for some 2 x 22 us, in which one waits for 10 us.
  Scenario two = convoys(1, 2);
  for (auto& [name, group] : two.machines) group.count = 1;
  two.programs.back().second.threads = 1;
  two.programs.front().second.loop[1] = compute(0ns, 10us);
  const auto held = held_in(two);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->resource, "server/threads of server");
  EXPECT_NEAR(held->share, 10.0 / 44, 0.03);
  EXPECT_GT(held->busy, 0.8);
}

TEST(BusyThreads, RequestsThatAreOnDrivesOrOtherMachinesWaitForNoThread) {
  // One request at a time, which is away for nearly all of its time.
  Scenario away = convoys(1, 1);
  for (auto& [name, group] : away.machines) group.count = 1;
  away.programs.back().second.threads = 1;
  Program& server = away.programs.front().second;
  AccessStep access;
  access.size = Bytes{4096};
  server.loop[1] = access;
  away.machines.front().second.drives = DriveGroup{round_drive(), 1};
  const auto on_drives = held_in(away);
  EXPECT_LT(on_drives ? on_drives->share : 0, 0.05);

  PostStep step = post(Verb::read, 8);
  step.queue_pairs = "relays";
  step.to = "store";
  step.relay = Relay{};
  server.loop[1] = step;
  server.queue_pairs.emplace_back("relays", queue_pairs(Transport::rc));
  Program store = sink();
  store.machine = "store";
  away.machines.emplace_back("store", MachineGroup{"test", connect_ib(), 1});
  away.programs.emplace_back("store", std::move(store));
  const auto relayed = held_in(away);
  EXPECT_LT(relayed ? relayed->share : 0, 0.05);
}

TEST(BusyThreads, WhereNobodyAnswersNothingIsHeld) {
  const Scenario reads =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 4), await(1)}), sink());
  EXPECT_FALSE(held_in(reads));
}

}  // namespace
}  // namespace doorbell::model
