#include "models/programs/thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

const QueuePairs datagrams = queue_pairs(Transport::ud);

/// Requests by SEND, answered by SEND.
Scenario rpc(const HardwareProfile& hardware, int window, const std::vector<Step>& serving, int client_threads = 1,
             int server_threads = 1) {
  return scenario_of(hardware, program(datagrams, {post_window(Verb::send, 8, window), await(1)}, client_threads),
                     program(queue_pairs(Transport::ud, 4), serving, server_threads));
}

Time core_per_post(const HardwareProfile& hardware, const PostStep& step) {
  return path_of(step, datagrams, hardware).service(Phase::post, Side::requester, Resource::core, Per::operation);
}

// ---- closed loops --------------------------------------------------------------------------------------------------

TEST(Thread, OneOperationInFlightTakesLatencyAndThinkTime) {
  const HardwareProfile hardware = connect_ib();
  for (const Time think : {0ns, 700ns, 20000ns}) {
    PostStep step = post_window(Verb::read, 64, 1);
    step.region = region(16, 64);
    Scenario scenario =
        scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1), compute(think)}), sink());
    scenario.measure.duration = 2ms;
    const RunResult result = run(scenario);
    const double expected = rate_of(result.latency.mean + think);
    EXPECT_NEAR(result.throughput.per_second, expected, expected * 0.01) << think.count();
  }
}

TEST(Thread, LittlesLawHoldsForFullWindows) {
  for (const int window : {2, 8, 32}) {
    const RunResult result = run(rpc(connect_ib(), window, {collect(Channel::completion_queue, 8), answer(8, 8)}, 3));
    // The window is full but for the time between an answer and the next request's call.
    const double in_flight = result.throughput.per_second * to_seconds(result.latency.mean);
    EXPECT_LE(in_flight, 3 * window * 1.01) << window;
    EXPECT_GE(in_flight, 3 * window * 0.9 - 1) << window;
  }
}

TEST(Thread, NeverMoreOutstandingThanItsWindow) {
  const Scenario scenario = rpc(connect_ib(), 5, {collect(Channel::completion_queue, 8), answer(8, 8)}, 2);
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  std::uint64_t most = 0;
  for (Time now{0}; now < 200us; now += 50ns) {
    simulation.calendar().run_until(now);
    most = std::max(most, client.calls - client.operations);
  }
  EXPECT_EQ(most, 10U);
}

TEST(Thread, AwaitingAllPostsWholeWindows) {
  const auto batch = [](int at_least) {
    Scenario scenario = rpc(connect_ib(), 8, {collect(Channel::completion_queue, 8), answer(8, 8)});
    auto& loop = scenario.programs.back().second.loop;
    loop = {post_window(Verb::send, 8, 8, 8), await(at_least)};
    for (const ProgramSummary& summary : run(scenario).programs) {
      if (summary.program == "client") return summary.mean_batch;
    }
    return 0.0;
  };
  EXPECT_NEAR(batch(0), 8, 0.1);  // counted by what was sent in the time measured
  EXPECT_LT(batch(1), 7);
  EXPECT_GE(batch(1), 1);
}

TEST(Thread, MoreInFlightIsNeverSlower) {
  double last = 0;
  for (const int window : {1, 2, 4, 8, 16, 32}) {
    const double rate =
        run(rpc(connect_ib(), window, {collect(Channel::completion_queue, 16), answer(8, 16)})).throughput.per_second;
    EXPECT_GE(rate, last * 0.98) << window;
    last = rate;
  }
}

TEST(Thread, MoreCoresAreNeverSlower) {
  double last = 0;
  for (const int threads : {1, 2, 4, 8}) {
    const RunResult result =
        run(rpc(connect_ib(), 16, {collect(Channel::completion_queue, 1), compute(500ns), answer(8)}, 8, threads));
    EXPECT_GE(result.throughput.per_second, last * 0.98) << threads;
    EXPECT_LE(result.throughput.per_second, threads * rate_of(500ns)) << threads;
    last = result.throughput.per_second;
  }
}

TEST(Thread, ABarrierWaitsBehindCompletionsAndCountsAsWork) {
  const auto sent = [](Bytes queue) {
    HardwareProfile hardware = connect_ib();
    hardware.root_complex.completion_queue = queue;
    return run(scenario_of(hardware, program(queue_pairs(Transport::ud, 8), {post(Verb::send, 8, 8)}, 2), sink(2)));
  };
  const RunResult free = sent(Bytes{0});
  const RunResult waiting = sent(Bytes{2048});
  EXPECT_LT(waiting.throughput.per_second, free.throughput.per_second);
  EXPECT_LT(busy(waiting, "client/PCIe downstream"), 0.95);
  EXPECT_GT(busy(waiting, "client/cores of client"), 0.98);
}

// ---- order ---------------------------------------------------------------------------------------------------------

class ThreadOrder : public testing::TestWithParam<Channel> {};

TEST_P(ThreadOrder, RequestsOfOneSourceAreServedInOrder) {
  // A server that takes 2 us for each keeps the window queued: in order, every request waits for all before it, and
  // latencies are equal; out of order, some would be shorter and others longer.
  const bool memory = GetParam() == Channel::memory;
  const HardwareProfile hardware = attentive_machine();
  const Scenario scenario = scenario_of(hardware,
                                        program(queue_pairs(memory ? Transport::uc : Transport::ud),
                                                {post_window(memory ? Verb::write : Verb::send, 8, 6), await(1)}),
                                        program(datagrams, {collect(GetParam()), compute(2us), answer(8)}));
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  simulation.measure(Time::max());
  simulation.calendar().run_until(2ms);
  const core::LatencyHistogram& latency = statistics(simulation, "client").latency;
  EXPECT_GT(latency.count(), 500U);
  EXPECT_LE(latency.maximum() - latency.percentile(0), 100ns);
  EXPECT_GT(latency.percentile(0), 10us);
}

INSTANTIATE_TEST_SUITE_P(Channels, ThreadOrder, testing::Values(Channel::memory, Channel::completion_queue));

// ---- collect -------------------------------------------------------------------------------------------------------

TEST(Thread, ServiceTimesOfAllStepsAddUp) {
  const HardwareProfile hardware = connect_ib();
  CollectStep taking = collect(Channel::completion_queue);
  taking.per_item = 100ns;
  taking.per_pass = 50ns;
  const RunResult result = run(rpc(hardware, 32, {taking, replenish(), compute(200ns, 30ns), answer(8)}, 4));
  // One request per pass; every 64th answer is signaled, and its CQE polled.
  const double service = to_seconds(hardware.cpu.poll_cqe + 100ns + 50ns + hardware.cpu.recv_cost + 200ns + 30ns +
                                    core_per_post(hardware, answer(8))) +
                         to_seconds(hardware.cpu.poll_cqe) / 64;
  EXPECT_NEAR(result.throughput.per_second, 1 / service, 0.01 / service);
  EXPECT_GT(busy(result, "server/cores of server"), 0.99);
}

TEST(Thread, EmptySlotsOfTheRequestRegionCostTime) {
  // One source writes all the time; the others wrote once, and their slots are looked at in vain ever after.
  CollectStep sweep = collect(Channel::memory);
  sweep.per_slot = 20ns;
  sweep.per_item = 300ns;
  for (const int idle_sources : {0, 9, 19}) {
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::uc), {post(Verb::write, 8)}),
                                    program(datagrams, {sweep}));
    if (idle_sources > 0) {
      Program idle = program(queue_pairs(Transport::uc), {post(Verb::write, 8), compute(1s)}, idle_sources);
      idle.machine = "client";
      scenario.programs.emplace_back("idle", idle);
    }
    scenario.measure.program = "server";
    const double expected = rate_of(300ns + 20ns * idle_sources);
    EXPECT_NEAR(run(scenario).throughput.per_second, expected, expected * 0.02) << idle_sources;
  }
}

TEST(Thread, SlotsAreServedInTurn) {
  // Two sources, of which one writes far more than the server takes: the other still gets its share.
  const Program eager = program(queue_pairs(Transport::uc), {post(Verb::write, 8)});
  Scenario scenario =
      scenario_of(connect_ib(), eager, program(datagrams, {collect(Channel::memory), compute(500ns), answer(8)}));
  Program modest = program(queue_pairs(Transport::uc), {post_window(Verb::write, 8, 4), await(1)});
  modest.machine = "client";
  scenario.programs.emplace_back("modest", modest);
  scenario.measure.program = "modest";
  const Time service = 500ns + core_per_post(connect_ib(), answer(8));
  EXPECT_NEAR(run(scenario).throughput.per_second, rate_of(service) / 2, rate_of(service) * 0.02);
}

// ---- opportunistic batches -----------------------------------------------------------------------------------------

double mean_batch(const RunResult& result, const std::string& name) {
  for (const ProgramSummary& batch : result.programs) {
    if (batch.program == name) return batch.mean_batch;
  }
  ADD_FAILURE() << "no batches of " << name;
  return 0;
}

/// A list of answers goes out by one port.
HardwareProfile one_port() {
  HardwareProfile hardware = connect_ib();
  hardware.port.ports = 1;
  return hardware;
}

TEST(Thread, BatchesGrowWithLoadAndNeverExceedWhatMayBeTaken) {
  double last = 0;
  for (const int threads : {1, 2, 4, 14}) {
    Scenario scenario = rpc(one_port(), 16, {collect(Channel::completion_queue, 12), answer(8, 12)}, threads);
    scenario.measure.duration = 400us;
    const double batch = mean_batch(run(scenario), "server");
    EXPECT_LE(batch, 12.1) << threads;
    EXPECT_GE(batch, 0.99) << threads;
    EXPECT_GE(batch, last * 0.95) << threads;
    last = batch;
  }
  EXPECT_GT(last, 11);
}

TEST(Thread, ALongListGoesOutInCallsOfAtMostItsBatch) {
  Scenario scenario = rpc(one_port(), 16, {collect(Channel::completion_queue, 12), answer(8, 5)}, 14);
  scenario.measure.duration = 400us;
  EXPECT_NEAR(mean_batch(run(scenario), "server"), 4, 0.1);  // twelve as five, five and two
}

TEST(Thread, ShortListsAreReadByThemselvesHoweverLongTheyMayBe) {
  HardwareProfile slow = one_port();
  slow.nic.max_fetch = 1;
  slow.pcie.latency = 1us;  // reading two WQEs is what limits
  const auto rate = [&](int batch) {
    Scenario scenario = rpc(slow, 16, {collect(Channel::completion_queue, 2), answer(8, batch)}, 14);
    scenario.measure.duration = 400us;
    return run(scenario).throughput.per_second;
  };
  EXPECT_NEAR(rate(16), rate(2), rate(2) * 0.01);
}

TEST(Thread, AnswersToRequestsOfTwoPortsAreTwoLists) {
  Scenario scenario = rpc(connect_ib(), 16, {collect(Channel::completion_queue, 12), answer(8, 12)}, 14);
  named(scenario.programs, "server").queue_pairs.front().second.ports = PortUse::all;
  scenario.measure.duration = 400us;
  EXPECT_NEAR(mean_batch(run(scenario), "server"), 6, 0.3);
}

TEST(Thread, ALoneAnswerGoesByMmioAndABatchByDoorbell) {
  const auto wqe_lines_read = [](int threads, int batch) {
    const Scenario scenario = scenario_of(
        connect_ib(), program(queue_pairs(Transport::uc), {post_window(Verb::write, 8, 16), await(1)}, threads),
        program(datagrams, {collect(Channel::memory, batch), compute(1us), answer(8, batch)}));
    return counter(run(scenario), "server/PCIeRdCur").count;
  };
  EXPECT_EQ(wqe_lines_read(1, 1), 0U);
  EXPECT_GT(wqe_lines_read(4, 16), 500U);
}

TEST(Thread, AnswersAreOnePerRequest) {
  Scenario scenario =
      rpc(connect_ib(), 16, {collect(Channel::completion_queue, 12), increment(true), answer(8, 5)}, 4, 3);
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const ProgramStatistics& server = statistics(simulation, "server");
  const ProgramStatistics& client = statistics(simulation, "client");
  EXPECT_GT(client.operations, 5000U);
  EXPECT_LE(client.operations, server.operations);
  EXPECT_LE(server.operations, client.work_requests);
  EXPECT_LE(client.work_requests - client.operations, 64U);  // windows of all threads
  const std::uint64_t increments = simulation.machines().front().instances.front()->line("counter").server().jobs();
  EXPECT_NEAR(static_cast<double>(increments), static_cast<double>(server.operations), 36);
}

TEST(Thread, ALineIsIncrementedOncePerPassOrForEachRequestAtHand) {
  for (const bool per_item : {false, true}) {
    const Scenario scenario = rpc(
        connect_ib(), 8,
        {increment(false), collect(Channel::completion_queue, 8), increment(per_item), compute(20us), answer(8, 8)});
    Simulation simulation{scenario};
    simulation.calendar().run_until(2ms);
    const ProgramStatistics& server = statistics(simulation, "server");
    const auto expected = static_cast<double>(per_item ? server.operations : server.calls);
    const std::uint64_t increments = simulation.machines().front().instances.front()->line("counter").server().jobs();
    EXPECT_GT(server.operations, 3 * server.calls);
    EXPECT_NEAR(static_cast<double>(increments), expected, 8) << "nothing is at hand before it is collected";
  }
}

// ---- RECVs ---------------------------------------------------------------------------------------------------------

/// A server that takes 5 us for each datagram and has `depth` RECVs; `window` requests may be under way.
Scenario slow_server(int depth, int window, bool replenishes) {
  QueuePairs recvs = datagrams;
  recvs.depth = depth;
  std::vector<Step> serving{collect(Channel::completion_queue), compute(5us)};
  if (replenishes) serving.emplace_back(replenish());
  PostStep answering = answer(8);
  answering.signal_every = 1;
  serving.emplace_back(answering);
  return scenario_of(connect_ib(), program(datagrams, {post_window(Verb::send, 8, window), await(1)}),
                     program(recvs, serving));
}

TEST(Thread, DatagramsWithoutRecvAreLostAndWarnedOf) {
  Scenario scenario = scenario_of(connect_ib(), program(datagrams, {post(Verb::send, 8)}),
                                  program(datagrams, {collect(Channel::completion_queue), compute(5us), replenish()}));
  scenario.measure.program = "server";
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("server lost"), std::string::npos);
  EXPECT_NE(result.warnings.front().find("RECV"), std::string::npos);
}

TEST(Thread, DatagramsAreCollectedLostOrWaitingInARecv) {
  const int depth = 32;
  QueuePairs recvs = datagrams;
  recvs.depth = depth;
  const Scenario scenario =
      scenario_of(connect_ib(), program(datagrams, {post(Verb::send, 8, 4), compute(3us)}),
                  program(recvs, {collect(Channel::completion_queue), compute(5us), replenish()}));
  Simulation simulation{scenario};
  for (Time now = 100us; now <= 1ms; now += 100us) {
    simulation.calendar().run_until(now);
    const std::uint64_t sent = statistics(simulation, "client").work_requests;
    const ProgramStatistics& server = statistics(simulation, "server");
    const std::uint64_t waiting = sent - server.operations - server.dropped;
    EXPECT_GT(server.dropped, 0U);
    EXPECT_LE(waiting, static_cast<std::uint64_t>(depth) + 4) << "RECVs, and one batch on its way";
    EXPECT_GE(waiting, static_cast<std::uint64_t>(depth) - 2);
  }
}

TEST(Thread, WhatIsLostIsNotWritten) {
  const Scenario scenario =
      scenario_of(connect_ib(), program(datagrams, {post(Verb::send, 0)}),
                  program(datagrams, {collect(Channel::completion_queue), compute(5us), replenish()}));
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const ProgramStatistics& server = statistics(simulation, "server");
  EXPECT_GT(server.dropped, 1000U);
  // A line for the completion of each header-only datagram that found a RECV; some of them wait to be collected.
  const std::uint64_t lines = simulation.machines().front().instances.front()->nic().dma().lines_written();
  EXPECT_GE(lines, server.operations);
  EXPECT_LE(lines, server.operations + 512);
}

TEST(Thread, NothingIsLostWhileRecvsCoverAllThatIsUnderWay) {
  Scenario scenario = slow_server(16, 15, true);
  scenario.measure.warmup = 200us;
  const RunResult result = run(scenario);
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_NEAR(result.throughput.per_second, rate_of(5us), rate_of(5us) * 0.1);
}

TEST(Thread, ReplenishingKeepsUpForEver) {
  Scenario scenario = slow_server(16, 15, true);
  Simulation simulation{scenario};
  simulation.calendar().run_until(20ms);
  EXPECT_EQ(statistics(simulation, "server").dropped, 0U);
  EXPECT_GT(statistics(simulation, "server").operations, 3000U);
}

TEST(Thread, UnreliableConnectionsLoseNothingWithRecvsPosted) {
  Scenario scenario = slow_server(16, 15, true);
  for (auto& [name, side] : scenario.programs) side.queue_pairs.front().second.transport = Transport::uc;
  scenario.measure.warmup = 200us;
  EXPECT_TRUE(run(scenario).warnings.empty());
}

TEST(Thread, OnlyReliableConnectionsSendAgainWhatHasFoundNoRecv) {
  for (const Transport transport : {Transport::rc, Transport::uc, Transport::ud}) {
    const Scenario scenario =
        scenario_of(connect_ib(), program(queue_pairs(transport), {post(Verb::send, 8), compute(1us)}),
                    program(queue_pairs(transport), {collect(Channel::completion_queue), compute(50us), replenish()}));
    Simulation simulation{scenario};
    simulation.calendar().run_until(1ms);
    EXPECT_EQ(statistics(simulation, "server").dropped == 0, transport == Transport::rc);
  }
}

TEST(Thread, AProgramMayWriteIntoTheRegionsOfTwoOthers) {
  // Each of them has slots for its own requesters, numbered from zero.
  PostStep to_first = post_window(Verb::write, 8, 2);
  to_first.to = "first";
  PostStep to_server = post_window(Verb::write, 8, 4);
  const QueuePairs connected = queue_pairs(Transport::uc);
  const std::vector<Step> serving = {collect(Channel::memory, 4), answer(8, 4)};
  Scenario scenario =
      scenario_of(connect_ib(), program(connected, {to_first, to_server, await(0)}, 2), program(datagrams, serving));
  Program neighbour = program(connected, {post_window(Verb::write, 8, 4), await(1)}, 3);
  neighbour.machine = "client";
  Program first = program(datagrams, serving);
  first.machine = "server";
  scenario.programs.insert(scenario.programs.begin(), {"neighbour", neighbour});
  scenario.programs.insert(scenario.programs.begin(), {"first", first});
  const RunResult result = run(scenario);
  EXPECT_GT(result.throughput.millions(), 1);
  EXPECT_GT(result.latency.mean, 1us);
}

}  // namespace
}  // namespace doorbell::model
