#include "models/programs/busy_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/remote_server.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

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

/// Each of these clients asks two servers at once and awaits the answers of both; the second takes `work` for each.
Scenario fanned_out(Time work, int threads, int clients = 3) {
  const auto server = [](Time each, int count) {
    return program(queue_pairs(Transport::rc, 4),
                   {collect(Channel::completion_queue, 32), compute(0ns, each), answer(16, 16)}, count);
  };
  PostStep first = post(Verb::send, 32, 4);
  first.destination = Destination::random;
  PostStep second = first;
  second.to = "second";
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {first, second, await(0)}, 4),
                                  server(10ns, 4), clients);
  scenario.machines.emplace_back("second", named(scenario.machines, "server"));
  scenario.programs.emplace_back("second", on("second", server(work, threads)));
  scenario.measure.warmup = 200us;
  scenario.measure.duration = 8ms;
  return connected(scenario);
}

TEST(BusyThreads, OfSeveralProgramsWhoseAnswersAreAwaitedTogetherTheLastIsNamed) {
  const RunResult result = run(fanned_out(2us, 4));
  EXPECT_LT(busy(result, "second/cores of second"), 0.85);
  EXPECT_EQ(result.bottleneck.resource, "second/threads of second") << result.bottleneck.sentence;
  // Half of what is in the windows has been answered, and only waits for the rest.
  const double now = result.throughput.per_second;
  // Each of twelve threads has one list there. Were their times exponential and nothing else to do, these would keep
  // 12 / (12 + m - 1) of m threads busy: 3.2 of 4, 5.1 of 8 (1.58 times as many), 3.6 of 4 with twice as many lists.
  EXPECT_GT(run(fanned_out(2us, 8)).throughput.per_second, 1.4 * now);
  EXPECT_GT(run(fanned_out(1us, 4)).throughput.per_second, 1.5 * now);
  EXPECT_LT(run(fanned_out(2us, 4, 6)).throughput.per_second, 1.3 * now);
}

/// So many machines with a thread each ask three threads of a server.
Scenario few_askers(int clients, Destination destination = Destination::fixed) {
  Scenario scenario = convoys(3, 32, destination);
  named(scenario.machines, "client").count = clients;
  Program& client = named(scenario.programs, "client");
  client.threads = 1;
  client.loop.back() = await(1);
  return scenario;
}

TEST(BusyThreads, FixedOnesThatNobodyAsksWouldShareTheWork) {
  const RunResult result = run(few_askers(2));
  EXPECT_EQ(result.bottleneck.resource, "server/threads of server") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::unevenly_busy_threads) << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.sentence.find("\"destination\": \"fixed\""), std::string::npos);
  EXPECT_GT(run(few_askers(2, Destination::round_robin)).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(BusyThreads, FixedOnesThatAllHaveAskersAreNotCalledUneven) {
  for (const int clients : {3, 6}) EXPECT_EQ(run(few_askers(clients)).bottleneck.limit, Limit::cpu);
  // A queue that all three share divides what comes to it.
  Scenario shared = few_askers(2);
  named(shared.programs, "server").completion.shared_queues = 1;
  EXPECT_NE(run(shared).bottleneck.limit, Limit::unevenly_busy_threads);
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
  run_through(simulation);
  return held_for_threads(simulation, simulation.program("client"), scenario.measure.duration);
}

TEST(BusyThreads, ASingleThreadCannotBeSpreadOver) {
  // Four requests come together, and are away for a while together.
  Scenario scenario = convoys(1, 4);
  for (auto& [name, group] : scenario.machines) group.count = 1;
  scenario.programs.back().second.threads = 1;
  scenario.programs.front().second.loop[1] = compute(0ns, 10us);
  scenario.fabric.switch_latency = 3us;
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "server/threads of server") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::one_busy_thread);
  EXPECT_EQ(result.bottleneck.sentence.find("evenly"), std::string::npos) << result.bottleneck.sentence;
  // What is named helps.
  Scenario two = scenario;
  two.programs.front().second.threads = 2;
  two.programs.front().second.queue_pairs.front().second.count = 4;
  const double now = result.throughput.per_second;
  EXPECT_GT(run(two).throughput.per_second, 1.5 * now);
  scenario.programs.front().second.loop[1] = compute(0ns, 5us);
  EXPECT_GT(run(scenario).throughput.per_second, 1.5 * now);
}

TEST(BusyThreads, WhatAwaitsOthersIsInHandWithoutWork) {
  Scenario tier = convoys(6, 2);
  ASSERT_TRUE(held_in(tier));
  tier.programs.front().second.loop.emplace_back(await(0));
  EXPECT_FALSE(held_in(tier));
}

/// Clients ask a front, whose threads ask a store for each request before they answer.
Scenario tiers(int clients, int fronts, int stores) {
  Scenario scenario = convoys(stores, 1);
  for (auto& [name, group] : scenario.machines) group.count = 1;
  Program& store = scenario.programs.front().second;
  store.loop[0] = collect(Channel::completion_queue);
  store.loop[1] = compute(0ns, 2500ns);
  PostStep ask = post(Verb::send, 32);
  ask.destination = Destination::random;
  Program front =
      program(queue_pairs(Transport::ud, 8), {collect(Channel::completion_queue), ask, await(0), answer(32)}, fronts);
  front.machine = "front";
  scenario.machines.emplace_back("front", scenario.machines.front().second);
  Program& client = scenario.programs.back().second;
  client.threads = clients;
  std::get<PostStep>(client.loop.front()).to = "front";
  scenario.programs.emplace_back("front", std::move(front));
  return scenario;
}

TEST(BusyThreads, WaitingAtAProgramToWhichRequestsArePassedOnIsTold) {
  const RunResult result = run(tiers(14, 14, 4));
  EXPECT_LT(busy(result, "server/cores of server"), 0.85);
  EXPECT_EQ(result.bottleneck.resource, "server/threads of server") << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.sentence.find("client/window of client: held"), std::string::npos)
      << result.bottleneck.sentence;
  // What is named helps, more than what holds it.
  const double more = run(tiers(14, 14, 8)).throughput.per_second;
  EXPECT_GT(more, 1.2 * result.throughput.per_second);
  Scenario wider = tiers(14, 14, 4);
  std::get<PostStep>(named(wider.programs, "client").loop.front()).window = 2;
  EXPECT_GT(more, run(wider).throughput.per_second);
}

TEST(BusyThreads, OnlyWhatIsAwaitedBeforeTheAnswerIsWaitedFor) {
  ASSERT_TRUE(held_in(tiers(14, 14, 4)));
  Scenario answered_first = tiers(14, 14, 4);
  std::vector<Step>& loop = named(answered_first.programs, "front").loop;
  std::swap(loop[2], loop[3]);
  EXPECT_FALSE(held_in(answered_first));
  // What is awaited before it asks is not what it has asked.
  Scenario awaited_first = tiers(14, 14, 4);
  std::vector<Step>& early = named(awaited_first.programs, "front").loop;
  std::swap(early[1], early[2]);
  EXPECT_FALSE(held_in(awaited_first));
  // Several are waited for together.
  Scenario together = tiers(14, 14, 4);
  std::get<PostStep>(named(together.programs, "front").loop[1]).batch = 2;
  EXPECT_FALSE(held_in(together));
}

TEST(BusyThreads, ThreadsThatAwaitWhatTheyPassOnLimitBeforeTheWindowsBehindThem) {
  Scenario scenario = tiers(12, 4, 4);
  std::get<PostStep>(named(scenario.programs, "front").loop[1]).destination = Destination::fixed;
  for (int turned = 0; turned < 2; ++turned) {
    const RunResult result = run(scenario);
    EXPECT_EQ(result.bottleneck.resource, "front/window of front") << result.bottleneck.sentence;
    EXPECT_NE(result.bottleneck.sentence.find("; its threads take no other request while they await an answer"),
              std::string::npos)
        << result.bottleneck.sentence;
    std::ranges::reverse(scenario.programs);
  }
  // More threads help, and a larger window does not.
  const double now = run(scenario).throughput.per_second;
  Scenario wider = scenario;
  std::get<PostStep>(named(wider.programs, "client").loop.front()).window = 2;
  EXPECT_LT(run(wider).throughput.per_second, 1.05 * now);
  named(scenario.programs, "front").threads = 8;
  EXPECT_GT(run(scenario).throughput.per_second, 1.2 * now);
}

TEST(BusyThreads, ThoseThatAreAskedComeFirst) {
  const auto names = [](const Scenario& scenario) {
    Simulation simulation{scenario};
    std::vector<std::string> found;
    for (const ProgramPlan* plan : asked_first(simulation)) found.push_back(plan->name);
    return found;
  };
  Scenario scenario = tiers(1, 1, 1);
  const std::vector<std::string> expected{"server", "front", "client"};
  EXPECT_EQ(names(scenario), expected);
  std::ranges::reverse(scenario.programs);
  EXPECT_EQ(names(scenario), expected);
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
  EXPECT_EQ(held->limit, Limit::one_busy_thread);
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
