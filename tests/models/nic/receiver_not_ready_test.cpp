#include "models/nic/receiver_not_ready.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "models/fixture.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/programs/simulation.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// A server with `recvs` RECVs, which takes `work` for a request and answers it; `loop` of the clients asks it.
Scenario few_recvs(int recvs, Time work, Time rnr_timer, std::vector<Step> loop, int threads = 1) {
  ReplenishStep refill = replenish();
  refill.recvs = recvs;
  refill.rnr_timer = rnr_timer;
  std::vector<Step> serving{collect(Channel::completion_queue), compute(work), refill, answer(8)};
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), std::move(loop), threads),
                                  program(queue_pairs(Transport::rc), serving));
  scenario.measure.warmup = 1ms;
  scenario.measure.duration = 20ms;
  return scenario;
}

std::vector<Step> windowed(int window) {
  PostStep step = post_window(Verb::send, 8, window);
  step.signal_every = 1;
  return {step, await(window)};
}

TEST(ReceiverNotReady, EveryOtherSendOfTwoWaitsForTheTimer) {
  for (const Time timer : {20us, 100us, 640us}) {
    const RunResult result = run(few_recvs(1, 3us, timer, windowed(2)));
    // A pass: the first is served, the second refused, sent again after the timer and served.
    const double passes = result.throughput.per_second / 2;
    EXPECT_LT(passes, rate_of(timer));
    EXPECT_GT(passes, rate_of(timer + 8us)) << to_nanoseconds(timer);
    EXPECT_NEAR(counter(result, "server/RNR NAKs of server").rate.per_second, passes, passes * 0.05);
  }
}

TEST(ReceiverNotReady, AConnectionHasRecvsOfItsOwn) {
  const auto longest = [](int shared_queues) {
    Scenario scenario = few_recvs(1, 20us, 10us, windowed(8));
    Program& server = named(scenario.programs, "server");
    server.queue_pairs.front().second.count = 2;
    server.completion.shared_queues = shared_queues;
    Program calm = named(scenario.programs, "client");
    std::get<PostStep>(calm.loop.front()).window = 1;
    calm.loop.back() = await(1);
    scenario.programs.emplace_back("calm", calm);
    scenario.measure.program = "calm";
    return run(scenario).latency.p99;
  };
  EXPECT_LT(longest(0), 45us) << "no more than one request of the other one is before its own";
  EXPECT_GT(longest(1), 60us) << "RECVs of a shared receive queue are there for who comes first";
}

TEST(ReceiverNotReady, WhatIsAwaitedInBetweenLeavesTheRecvsOfRequests) {
  PostStep own = post_window(Verb::read, 8, 1);
  own.queue_pairs = "own";
  own.to = "client";
  Scenario scenario = few_recvs(16, 1us, 640us, windowed(8), 3);
  Program& server = named(scenario.programs, "server");
  server.queue_pairs.emplace_back("own", queue_pairs(Transport::rc));
  ReplenishStep refill = replenish();
  refill.recvs = 16;
  server.loop = {collect(Channel::completion_queue, 8), answer(8), own, await(1), refill};
  const RunResult result = run(scenario);
  EXPECT_GT(result.throughput.millions(), 0.3);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(ReceiverNotReady, NothingIsLostAndNothingComesTwice) {
  // The longest take the one port of the receiver less time than it serves them.
  for (const std::int64_t payload : {8, 256, 10000}) {
    for (const int batch : {1, 4}) {
      PostStep step = post_window(Verb::send, payload, 12, batch);
      step.signal_every = 1;
      step.inlined = payload < 60;
      if (batch > 1) step.method = PostMethod::doorbell;
      const Scenario scenario = few_recvs(4, 2us, 15us, {step, await(1)}, 3);
      Simulation simulation{scenario};
      for (Time now = 1ms; now <= 5ms; now += 1ms) {
        simulation.calendar().run_until(now);
        const std::uint64_t sent = statistics(simulation, "client").work_requests;
        const ProgramStatistics& server = statistics(simulation, "server");
        EXPECT_GT(server.refused, 10U) << payload;
        EXPECT_EQ(server.dropped, 0U);
        EXPECT_GE(sent, server.operations);
        EXPECT_LE(sent, server.operations + 3 * 12 + 4) << "windows, and what waits in RECVs";
      }
      EXPECT_GT(statistics(simulation, "server").operations, 500U) << payload << "x" << batch;
    }
  }
}

TEST(ReceiverNotReady, WhatFollowsARefusedMessageComesAfterIt) {
  // READs behind SENDs: were they answered at once, a pass would not wait for the timer.
  PostStep read = post_window(Verb::read, 8, 3);
  read.signal_every = 1;
  PostStep send = post_window(Verb::send, 8, 2);
  send.signal_every = 1;
  const RunResult result = run(few_recvs(1, 3us, 100us, {send, read, await(3)}));
  EXPECT_LT(result.throughput.per_second, 3 * rate_of(100us));
  EXPECT_GT(result.throughput.per_second, 3 * rate_of(115us));
}

TEST(ReceiverNotReady, WhatIsStillOnTheWayDoesNotOvertakeTheRefusedMessage) {
  // Eight machines fill one port, so that requests wait for it longer than the timer runs.
  PostStep step = post_window(Verb::send, 32768, 8);
  step.inlined = false;
  step.signal_every = 1;
  Scenario scenario = few_recvs(1, 10us, 10us, {step, await(1)});
  named(scenario.machines, "client").count = 8;
  scenario = connected(scenario);
  Simulation simulation{scenario};
  EXPECT_EQ(overtaken_cqes(simulation, "client", 4ms), 0);
  EXPECT_GT(statistics(simulation, "server").refused, 20U);
  EXPECT_GT(statistics(simulation, "server").operations, 50U);
}

TEST(ReceiverNotReady, MoreRecvsAndShorterTimersAreNeverSlower) {
  double before = 0;
  for (const int recvs : {1, 2, 4, 8}) {  // for each of three clients
    // Clients fall into step in one way or another, as chance will have it.
    double rate = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      Scenario scenario = few_recvs(recvs, 2us, 50us, windowed(8), 3);
      scenario.seed = seed;
      const RunResult result = run(scenario);
      rate += result.throughput.per_second / 3;
      EXPECT_EQ(result.warnings.empty(), recvs == 8) << recvs;
    }
    EXPECT_GT(rate, before * 0.95) << recvs;
    before = rate;
  }
  EXPECT_NEAR(before, rate_of(2us), rate_of(2us) * 0.1) << "the server's own rate";
  double shorter = 1e9;
  for (const Time timer : {10us, 40us, 160us, 640us}) {
    const double rate = run(few_recvs(1, 2us, timer, windowed(8), 3)).throughput.per_second;
    EXPECT_LT(rate, shorter * 1.02);
    shorter = rate;
  }
}

TEST(ReceiverNotReady, IsNamedWhereItLimits) {
  const RunResult result = run(few_recvs(1, 1us, 640us, windowed(8)));
  EXPECT_EQ(result.bottleneck.limit, Limit::recvs);
  EXPECT_EQ(result.bottleneck.resource, "client/queue pairs refused of client");
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("server had no RECV for"), std::string::npos);
}

TEST(ReceiverNotReady, WqesAreReadAgain) {
  PostStep step = post_window(Verb::send, 8, 2);
  step.signal_every = 1;
  const RunResult result = run(few_recvs(1, 3us, 50us, {step, await(2)}));
  const double again = counter(result, "client/PCIeRdCur beyond expected").rate.per_second;
  EXPECT_GT(again, counter(result, "server/RNR NAKs of server").rate.per_second * 0.9) << "written by MMIO at first";
}

TEST(ReceiverNotReady, AUnitThatStillHasTheQueuePairInHandSendsAgainAfterwards) {
  // A list takes a unit longer than the timer runs.
  PostStep list = post_window(Verb::send, 8, 8, 8);
  list.method = PostMethod::doorbell;
  list.signal_every = 1;
  Scenario scenario = few_recvs(2, 3us, 10us, {list, await(8)}, 4);
  for (auto& [name, group] : scenario.machines) {
    group.hardware.nic.pu_wqe = 4us;
  }
  Simulation simulation{scenario};
  simulation.calendar().run_until(2ms);
  const std::uint64_t before = statistics(simulation, "server").operations;
  simulation.calendar().run_until(4ms);
  EXPECT_GT(statistics(simulation, "server").refused, 100U);
  EXPECT_GT(statistics(simulation, "server").operations, before + before / 2) << "no queue pair is left behind";
}

TEST(ReceiverNotReady, TheRestOfAListThatTheNicHasReadWaitsAsWell) {
  const auto sent_per_request = [](int batch) {
    PostStep list = post_window(Verb::send, 8, 16, batch);
    list.method = PostMethod::doorbell;
    list.signal_every = 1;
    Scenario scenario = few_recvs(2, 3us, 10us, {list, await(16)});
    for (auto& [name, group] : scenario.machines) {
      group.hardware.nic.max_fetch = batch;
      group.hardware.nic.pu_wqe = 4us;
    }
    const RunResult result = run(scenario);
    return busy(result, "client/NIC transmit pipeline") / result.throughput.per_second;
  };
  EXPECT_NEAR(sent_per_request(16) / sent_per_request(1), 1, 0.15);
}

TEST(ReceiverNotReady, GoesBackToTheRefusedMessageBeforeLaterOnes) {
  OperationPlan plan;
  plan.by_doorbell = true;
  std::array<Message, 5> messages;
  QueuePair pair;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    messages[i].plan = &plan;
  }
  pair.append(&messages[3]);
  pair.append(&messages[4]);
  pair.work.push({.arrival = 0ns, .plan = &plan, .wqes = 2});
  for (std::size_t i = 0; i < 3; ++i) pair.refused.requests.push(&messages[i]);
  pair.refused.waits = true;
  EXPECT_TRUE(pair.is_aside());
  send_again(pair, 5us, 2);
  EXPECT_FALSE(pair.is_aside());
  std::vector<int> announced;
  for (std::size_t i = 0; i < pair.work.size(); ++i) announced.push_back(pair.work[i].wqes);
  EXPECT_EQ(announced, (std::vector{1, 2, 2})) << "as many together as the NIC reads in one DMA";
  for (const Message& message : messages) EXPECT_EQ(pair.take(), &message);
}

}  // namespace
}  // namespace doorbell::model
