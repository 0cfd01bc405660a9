// Windows of operations that complete by themselves: which a thread takes, when, and in which order.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "models/counter.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Small READs from two servers in turn, one of which also serves large READs of others: completions overtake.
RunResult small_reads(AwaitOrder order, int window) {
  PostStep step = post_window(Verb::read, 8, window);
  step.signal_every = 1;
  step.destination = Destination::round_robin;
  AwaitStep wait = await(1);
  wait.order = order;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 8), {step, wait}), sink());
  scenario.machines.front().second.count = 2;
  PostStep large = post_window(Verb::read, 1 << 16, 4);
  large.destination = Destination::fixed;
  Program others = program(queue_pairs(Transport::rc), {large, await(1)});
  others.machine = "others";
  scenario.machines.emplace_back("others", MachineGroup{"test", connect_ib(), 1});
  scenario.programs.emplace_back("others", others);
  scenario.measure.duration = 4ms;
  return run(scenario);
}

TEST(Thread, InTheOrderOfPostingQuickOnesWaitForTheSlowOneBeforeThem) {
  const RunResult any = small_reads(AwaitOrder::completion, 8);
  const RunResult oldest = small_reads(AwaitOrder::posting, 8);
  EXPECT_LT(oldest.throughput.per_second, any.throughput.per_second * 0.9);
  EXPECT_GT(oldest.latency.p50, any.latency.p50);
  // The window is as full, by Little's law.
  for (const RunResult& result : {any, oldest}) {
    const double in_flight = result.throughput.per_second * to_seconds(result.latency.mean);
    EXPECT_NEAR(in_flight, 8, 0.8);
  }
}

TEST(Thread, OneAtATimeTheOrderIsAllTheSame) {
  const RunResult any = small_reads(AwaitOrder::completion, 1);
  const RunResult oldest = small_reads(AwaitOrder::posting, 1);
  EXPECT_EQ(oldest.throughput.per_second, any.throughput.per_second);
  EXPECT_EQ(oldest.latency.p99, any.latency.p99);
}

TEST(Thread, InOrderItAwaitsAsManyOfTheOldestAsItSays) {
  // All 8 of a window are taken before the first of the next is posted, whichever way the program asks for them.
  AwaitStep all = await(8);
  all.order = AwaitOrder::posting;
  AwaitStep every = await(0);
  for (const AwaitStep& step : {all, every}) {
    PostStep reads = post_window(Verb::read, 8, 8);
    reads.signal_every = 1;
    const Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {reads, step}), sink());
    Simulation simulation{scenario};
    const ProgramStatistics& client = statistics(simulation, "client");
    for (int i = 0; i < 20; ++i) {
      run_to_change(simulation, [&] { return client.calls; });
      if (client.calls % 8 == 1) {
        EXPECT_EQ(client.latency.count(), client.calls - 1);
      }
    }
  }
}

TEST(Thread, WhoWaitsForRoomGoesOnWhenItsOperationsAreDone) {
  // The first step's CQEs are polled with its answers, and leave nothing for the second, which waits for room.
  PostStep often = post_window(Verb::read, 8, 4, 4);
  often.signal_every = 1;
  PostStep seldom = post_window(Verb::read, 8, 32, 16);
  seldom.signal_every = 16;
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {often, seldom, await(1)}), sink());
  EXPECT_GT(run(scenario).throughput.per_second, 1e6);
}

/// READs of which the first of every four is signaled, and that the test completes in the NIC's place: the way to the
/// server takes longer than the test.
class ReadsUnderWay {
 public:
  ReadsUnderWay() {
    while (posted_.size() < 8) run_on();
  }
  /// How many operations the thread knows to be done when these are, one after the other.
  std::uint64_t known_after(std::initializer_list<std::size_t> done) {
    for (const std::size_t number : done) {
      Message& message = *posted_.at(number);
      message.visible = simulation_.calendar().now();
      if (message.signaled) pair().completions.push({message.wqe, message.visible});
      message.queue_pair->owner->completed(message);
      run_on();
    }
    return statistics(simulation_, "client").latency.count();
  }

 private:
  static Scenario far_away() {
    PostStep step = post_window(Verb::read, 8, 8);
    step.signal_every = 4;
    step.poll = PollCqes::when_awaited;
    Scenario scenario = scenario_of(steady_machine(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    scenario.fabric.switch_latency = 1s;
    return scenario;
  }
  QueuePair& pair() { return *simulation_.program("client").threads.front()->queue_pairs()[0][0]; }
  void run_on() {
    const Time end = simulation_.calendar().now() + 1us;
    for (Time now = simulation_.calendar().now(); now < end; now += 1ns) {
      simulation_.calendar().run_until(now);
      if (pair().posted > posted_.size()) posted_.push_back(pair().last);
    }
  }

  Scenario scenario_ = far_away();
  Simulation simulation_{scenario_};
  std::vector<Message*> posted_;
};

TEST(Thread, ACqeTellsOfWhatWasPostedBeforeItsOwnAndOfNothingElse) {
  ReadsUnderWay reads;
  EXPECT_EQ(reads.known_after({0}), 1U);
  EXPECT_EQ(reads.known_after({1, 2, 3, 5}), 1U) << "not signaled";
  EXPECT_EQ(reads.known_after({4}), 5U);
  EXPECT_EQ(reads.known_after({6, 7}), 5U);
  EXPECT_EQ(reads.known_after({8}), 9U);
}

TEST(Thread, ACqeTellsOfAllBeforeItsOwnInWhicheverOrderTheyWereDone) {
  ReadsUnderWay reads;
  EXPECT_EQ(reads.known_after({0}), 1U);
  EXPECT_EQ(reads.known_after({5, 1, 2, 3}), 1U) << "not signaled, and the sixth has overtaken the others";
  EXPECT_EQ(reads.known_after({4}), 5U);
}

TEST(Thread, WhatACqeHasToldBeforeItWasDoneIsKnownAsSoonAsItIs) {
  ReadsUnderWay reads;
  EXPECT_EQ(reads.known_after({0, 1, 4}), 1U + 2);
  EXPECT_EQ(reads.known_after({3}), 1U + 3) << "overtaken by the one that is signaled";
}

// ---- UC and UD -----------------------------------------------------------------------------------------------------

Scenario forgotten(Transport transport, int window, int signal_every = 1) {
  PostStep step = post_window(transport == Transport::ud ? Verb::send : Verb::write, 8, window);
  step.signal_every = signal_every;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(transport), {step, await(1)}), sink());
  scenario.measure.duration = 1ms;
  return scenario;
}

TEST(Thread, WithoutAnAckItIsDoneWhenItHasLeft) {
  const auto latency = [](Transport transport, Time switching) {
    Scenario scenario = forgotten(transport, 1);
    scenario.fabric.switch_latency = switching;
    return run(scenario).latency.mean;
  };
  for (const Transport transport : {Transport::uc, Transport::ud}) {
    const Time here = latency(transport, 100ns);
    EXPECT_GT(here, 2 * connect_ib().pcie.latency) << "to the NIC, and its CQE back";
    EXPECT_EQ(latency(transport, 5us), here);
    EXPECT_LT(here, latency(Transport::rc, 100ns));
  }
  EXPECT_GT(latency(Transport::rc, 5us), latency(Transport::rc, 100ns) + 9us);
}

TEST(Thread, WithoutAcksItHasNoMoreUnderWayThanItsWindowEither) {
  for (const Transport transport : {Transport::uc, Transport::ud}) {
    const Scenario scenario = forgotten(transport, 6);
    Simulation simulation{scenario};
    const ProgramStatistics& client = statistics(simulation, "client");
    std::uint64_t most = 0;
    for (Time now{0}; now < 100us; now += 20ns) {
      simulation.calendar().run_until(now);
      most = std::max(most, client.calls - client.operations);
    }
    EXPECT_EQ(most, 6U);
    EXPECT_EQ(client.work_requests, client.operations);
    EXPECT_GT(client.operations, 100U);
  }
}

TEST(Thread, WithoutAcksOneCqeEndsAWholeWindow) {
  const auto rate = [](int signal_every) {
    Scenario scenario = forgotten(Transport::uc, 8, signal_every);
    std::get<AwaitStep>(scenario.programs.back().second.loop.back()).at_least = 0;
    return run(scenario).throughput.per_second;
  };
  EXPECT_GT(rate(8), rate(1) * 1.01) << "the other CQEs need not be polled";
}

TEST(Thread, OfAWholeWindowTheLastWqeOfEachQueuePairIsSignaled) {
  const auto cqes_per_window = [](int queue_pairs, Destination destination = Destination::fixed) {
    Scenario scenario = forgotten(Transport::uc, 8, 64);
    Program& client = named(scenario.programs, "client");
    client.queue_pairs.front().second.count = queue_pairs;
    std::get<PostStep>(client.loop.front()).destination = destination;
    std::get<AwaitStep>(client.loop.back()).at_least = 0;
    const RunResult result = run(scenario);
    return 8 * counter(result, "client/PCIeItoM").rate.per_second / result.throughput.per_second;
  };
  EXPECT_NEAR(cqes_per_window(1), 1, 0.01);
  EXPECT_NEAR(cqes_per_window(3), 3, 0.03);
  EXPECT_NEAR(cqes_per_window(20), 8, 0.08);
  EXPECT_NEAR(cqes_per_window(3, Destination::random), 8, 0.08) << "each may be the last";
}

TEST(Thread, WithoutAcksItMayAwaitTheOldest) {
  Scenario scenario = forgotten(Transport::uc, 8);
  std::get<AwaitStep>(scenario.programs.back().second.loop.back()).order = AwaitOrder::posting;
  // One queue pair sends in order.
  EXPECT_NEAR(run(scenario).throughput.per_second / run(forgotten(Transport::uc, 8)).throughput.per_second, 1, 0.01);
}

TEST(Thread, WhatIsCollectedIsDoneWhenItIsAnswered) {
  // SENDs are answered, the WRITEs between them are not.
  PostStep step = post_window(Verb::send, 8, 1);
  step.mix.push_back({.share = 0.5, .verb = Verb::write, .payload = Bytes{8}, .region = {}});
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::uc), {step, await(1)}),
                  program(queue_pairs(Transport::uc), {collect(Channel::completion_queue, 8), answer(8)}));
  scenario.measure.duration = 1ms;
  const LatencySummary latency = run(scenario).latency;
  EXPECT_GT(latency.p99, 2 * run(forgotten(Transport::uc, 1)).latency.mean);
  EXPECT_LT(latency.mean, latency.p99 * 3 / 4);
}

// ---- what fills windows --------------------------------------------------------------------------------------------

TEST(Thread, AWindowOfWhichOnlyLaterCqesTellIsFullOfOperationsThatAreDone) {
  const auto limit = [](int signal_every) {
    PostStep step = post_window(Verb::read, 8, 16);
    step.poll = PollCqes::when_awaited;
    step.signal_every = signal_every;
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    scenario.measure.duration = 1ms;
    return run(scenario).bottleneck.limit;
  };
  EXPECT_EQ(limit(12), Limit::told_late);
  EXPECT_NE(limit(2), Limit::told_late);
}

TEST(Thread, AWindowOfWhichAllAreAwaitedIsNotTakenLate) {
  const PostStep step = post_window(Verb::read, 8, 8);
  const Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(0)}), sink());
  EXPECT_EQ(run(scenario).bottleneck.limit, Limit::in_flight);
}

// Some WQEs are displaced from a cache in sets, and their READs are overtaken.
TEST(Thread, AThreadWhoseCqesTellOfOthersNeverStops) {
  PostStep step = post_window(Verb::read, 8, 9);
  step.region = region(16, 64);
  step.signal_every = 8;
  step.poll = PollCqes::when_awaited;
  HardwareProfile hardware = connect_ib();
  hardware.nic.wqe_cache = 32;
  hardware.nic.wqe_cache_ways = 1;
  const Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 8), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(2ms);
  const std::uint64_t before = statistics(simulation, "client").operations;
  simulation.calendar().run_until(3ms);
  EXPECT_GT(statistics(simulation, "client").operations, before + 100);
}

}  // namespace
}  // namespace doorbell::model
