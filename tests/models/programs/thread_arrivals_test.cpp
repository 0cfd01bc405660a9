// Programs that post what arrives, whether or not earlier operations are done.
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

constexpr Time one_request = 1us;

PostStep arriving(Verb verb, double per_second, ArrivalProcess process = ArrivalProcess::poisson) {
  PostStep step = post(verb, 8);
  step.arrivals = Arrivals{Rate{per_second}, process};
  return step;
}

/// RPCs, one by one, at a server whose only core computes for a microsecond; `load` of what it can do arrives.
Scenario queue_of(double load, ArrivalProcess process = ArrivalProcess::poisson, int clients = 4) {
  Program server = program(queue_pairs(Transport::ud),
                           {collect(Channel::completion_queue), compute(Time{0}, one_request), answer(8)});
  Scenario scenario =
      scenario_of(steady_machine(), program(queue_pairs(Transport::ud), {arriving(Verb::send, 1, process), await(1)}),
                  std::move(server), clients);
  // What one request takes of the core, from a server that is never idle.
  Scenario full = scenario;
  PostStep& closed = std::get<PostStep>(full.programs.back().second.loop.front());
  closed.arrivals.reset();
  closed.window = 8;
  full.measure.duration = 2ms;
  const double capacity = run(full).throughput.per_second;
  std::get<PostStep>(scenario.programs.back().second.loop.front()).arrivals->rate = Rate{load * capacity / clients};
  scenario.measure.duration = 100ms;
  return scenario;
}

double offered_to(const Scenario& scenario) {
  const auto& [name, client] = scenario.programs.back();
  return open_loop(client)->arrivals->rate.per_second * 4;
}

TEST(ThreadArrivals, WhatArrivesIsServed) {
  for (const double load : {0.1, 0.5, 0.9}) {
    const Scenario scenario = queue_of(load);
    const RunResult result = run(scenario);
    const double expected = offered_to(scenario);
    EXPECT_NEAR(result.throughput.per_second / expected, 1, 4 / std::sqrt(expected * 0.1)) << load;
    EXPECT_TRUE(result.warnings.empty()) << load;
  }
}

TEST(ThreadArrivals, WaitAsInAQueueWithOneServer) {
  // M/D/1: the mean wait is rho / (2 (1 - rho)) services (Pollaczek and Khinchine).
  const Time alone = run(queue_of(0.01)).latency.mean;
  for (const double load : {0.3, 0.6, 0.8}) {
    const Scenario scenario = queue_of(load);
    const Time wait = run(scenario).latency.mean - alone;
    const double expected = load * load / (2 * (1 - load)) / (offered_to(scenario));
    EXPECT_NEAR(to_seconds(wait) / expected, 1, 0.08) << load;
  }
}

TEST(ThreadArrivals, WhatIsNotTakenDoesNotCount) {
  // Answers come back faster than an overloaded core takes them.
  PostStep step = arriving(Verb::read, 4e6);
  AwaitStep slow = await(1);
  slow.per_item = 1us;
  Scenario scenario = scenario_of(steady_machine(), program(queue_pairs(Transport::rc), {step, slow}), sink());
  scenario.measure.duration = 300us;
  const RunResult result = run(scenario);
  EXPECT_LE(result.throughput.per_second, rate_of(one_request));
  EXPECT_EQ(result.latency.samples, std::llround(result.throughput.per_second * 300e-6));
}

TEST(ThreadArrivals, AtEqualDistancesWaitLess) {
  EXPECT_LT(run(queue_of(0.7, ArrivalProcess::constant)).latency.mean, run(queue_of(0.7)).latency.mean - 300ns);
}

TEST(ThreadArrivals, LatencyCountsFromTheArrival) {
  // More arrives than is served: what comes later waits longer.
  Scenario scenario = queue_of(1.5);
  scenario.measure.duration = 5ms;
  const RunResult brief = run(scenario);
  scenario.measure.duration = 20ms;
  const RunResult longer = run(scenario);
  ASSERT_EQ(longer.warnings.size(), 1U);
  EXPECT_NE(longer.warnings.front().find("arrive faster than they are served"), std::string::npos);
  EXPECT_NEAR(brief.throughput.per_second / longer.throughput.per_second, 1, 0.02);
  EXPECT_GT(longer.latency.p99, 3 * brief.latency.p99);
}

TEST(ThreadArrivals, WhatIsLostDoesNotWait) {
  Scenario scenario = queue_of(1.5);
  ReplenishStep recvs = replenish();
  recvs.recvs = 16;
  scenario.programs.front().second.loop.emplace_back(recvs);
  scenario.measure.duration = 5ms;
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("datagrams for which no RECV was posted"), std::string::npos);
}

TEST(ThreadArrivals, AWindowLimitsWhatIsOutstandingAndTheRestWaits) {
  Scenario scenario = queue_of(1.5);
  std::get<PostStep>(scenario.programs.back().second.loop.front()).window = 2;
  scenario.measure.duration = 5ms;
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("arrive faster than they are served"), std::string::npos);
  EXPECT_GT(result.latency.p99, 1ms);
}

TEST(ThreadArrivals, NoMoreAreUnderWayThanTheWindowEvenWhereManyArePostedTogether) {
  PostStep step = arriving(Verb::read, 20e6);
  step.window = 6;
  step.batch = 4;
  step.region = region(16, 64);
  const Scenario scenario =
      scenario_of(steady_machine(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  Simulation simulation{scenario};
  const ProgramPlan& client = simulation.program("client");
  std::uint64_t most = 0;
  for (Time now{0}; now < 100us; now += 20ns) {
    simulation.calendar().run_until(now);
    const std::uint64_t posted = client.threads.front()->queue_pairs()[0][0]->posted;
    most = std::max(most, posted - client.statistics.operations);
  }
  EXPECT_EQ(most, 6U);
}

TEST(ThreadArrivals, AreNamedAsWhatLimits) {
  const RunResult result = run(queue_of(0.5));
  EXPECT_EQ(result.bottleneck.resource, "client/arrivals of client");
  EXPECT_EQ(result.bottleneck.limit, Limit::arrivals);
  EXPECT_EQ(run(queue_of(0.97)).bottleneck.resource, "client/arrivals of client") << "all of them are served";
  EXPECT_EQ(run(queue_of(1.05)).bottleneck.resource, "server/cores of server");
}

TEST(ThreadArrivals, OneSidedOperationsArriveToo) {
  for (const int signal_every : {1, 64}) {
    PostStep step = arriving(Verb::read, 200e3);
    step.signal_every = signal_every;
    step.region = region(16, 64);
    QueuePairs pairs = queue_pairs(Transport::rc);
    pairs.depth = 64;
    Scenario scenario = scenario_of(steady_machine(), program(pairs, {step, await(1)}, 2), sink());
    scenario.measure.duration = 50ms;
    const RunResult result = run(scenario);
    EXPECT_NEAR(result.throughput.per_second / 400e3, 1, 0.03) << signal_every;
    EXPECT_LT(result.latency.p50, 3us) << signal_every;
  }
}

TEST(ThreadArrivals, SendQueuesAreWaitedFor) {
  PostStep step = arriving(Verb::read, 20e6);  // far more than one queue pair reads
  step.signal_every = 1;
  step.region = region(16, 64);
  QueuePairs pairs = queue_pairs(Transport::rc);
  pairs.depth = 16;
  const Scenario scenario = scenario_of(steady_machine(), program(pairs, {step, await(1)}), sink());
  Scenario closed = scenario;
  PostStep& windowed = std::get<PostStep>(closed.programs.back().second.loop.front());
  windowed.arrivals.reset();
  windowed.window = 16;
  const double open = run(scenario).throughput.per_second;
  EXPECT_NEAR(open / run(closed).throughput.per_second, 1, 0.1);
}

TEST(ThreadArrivals, WhatArrivesMeanwhileIsPostedTogether) {
  const auto mean_batch = [](double rate) {
    PostStep step = arriving(Verb::write, rate);
    step.batch = 16;
    const RunResult result =
        run(scenario_of(steady_machine(), program(queue_pairs(Transport::rc, 4), {step, await(1)}), sink()));
    return result.programs.front().mean_batch;
  };
  EXPECT_NEAR(mean_batch(1e6), 1, 0.1);
  EXPECT_GT(mean_batch(25e6), 2);
}

}  // namespace
}  // namespace doorbell::model
