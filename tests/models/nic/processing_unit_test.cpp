#include "models/nic/processing_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RunResult sends(const HardwareProfile& hardware, const PostStep& step, int count, int threads = 1) {
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud, count), {step}, threads), sink(threads));
  scenario.measure.duration = 400us;
  return run(scenario);
}

PostStep by_doorbell(int batch) {
  PostStep step = post(Verb::send, 8, batch);
  step.method = PostMethod::doorbell;
  return step;
}

/// A NIC that reads the WQEs of one doorbell at a time.
HardwareProfile without_coalescing() {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_fetch = 1;
  return hardware;
}

Time fetch_round_trip(const HardwareProfile& hardware, int batch) {
  const VerbPath path = path_of(by_doorbell(batch), queue_pairs(Transport::ud), hardware);
  Time time{0};
  for (const PathStep& step : path.steps) {
    if (step.phase == Phase::fetch) time += step.service + step.latency;
  }
  return time;
}

TEST(ProcessingUnit, OneQueuePairByMmioIsLimitedByTheTimePerWqe) {
  const HardwareProfile hardware = connect_ib();
  const RunResult result = sends(hardware, post(Verb::send, 8), 1);
  EXPECT_NEAR(result.throughput.per_second, rate_of(hardware.nic.pu_wqe), rate_of(hardware.nic.pu_wqe) * 0.01);
  EXPECT_GT(busy(result, "client/NIC processing units"), 0.99);
  EXPECT_EQ(result.bottleneck.limit, Limit::nic_unit);
}

TEST(ProcessingUnit, OneQueuePairInBatchesWaitsForItsWqes) {
  const HardwareProfile hardware = without_coalescing();
  for (const int batch : {1, 2, 4, 16}) {
    const Time turn = fetch_round_trip(hardware, batch) + hardware.nic.pu_doorbell + hardware.nic.pu_wqe * batch;
    const double expected = batch * rate_of(turn);
    EXPECT_NEAR(sends(hardware, by_doorbell(batch), 1).throughput.per_second, expected, expected * 0.01) << batch;
  }
}

TEST(ProcessingUnit, WqesOfSeveralDoorbellsAreReadTogether) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_fetch = 16;
  const Time turn = fetch_round_trip(hardware, 16) + hardware.nic.pu_doorbell * 4 + hardware.nic.pu_wqe * 16;
  const double together = 16 * rate_of(turn);
  EXPECT_NEAR(sends(hardware, by_doorbell(4), 1).throughput.per_second, together, together * 0.02);
}

TEST(ProcessingUnit, EveryDoorbellTakesItsTimeHoweverManyWqesAreReadTogether) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.pu_doorbell = 2us;
  for (const int batch : {1, 4}) {
    const double most = batch * rate_of(2us + hardware.nic.pu_wqe * batch);
    const double rate = sends(hardware, by_doorbell(batch), 1).throughput.per_second;
    EXPECT_LT(rate, most * 1.02) << batch;
    EXPECT_GT(rate, most * 0.9) << batch;
  }
}

TEST(ProcessingUnit, WqesThatTheCoreHasWrittenDoNotPartTheListsAroundThem) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_fetch = 64;
  PostStep single = post(Verb::send, 8);
  single.method = PostMethod::mmio;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud), {by_doorbell(4), single}),
                                  program(queue_pairs(Transport::ud), {}));
  scenario.measure.duration = 400us;
  const RunResult mixed = run(scenario);
  EXPECT_GT(mixed.throughput.per_second, 0.8 * sends(hardware, by_doorbell(5), 1).throughput.per_second);
  const double lines = counter(mixed, "client/PCIeRdCur").rate.per_second / mixed.throughput.per_second;
  EXPECT_NEAR(lines, 2 * 4.0 / 5, 0.05) << "which the NIC has already";
}

TEST(ProcessingUnit, OfAListTheNicReadsAllWqesButTheOneThatCameByMmio) {
  HardwareProfile hardware = connect_ib();
  hardware.mmio.last_of_list = true;
  for (const int batch : {2, 4, 16}) {
    const RunResult result = sends(hardware, by_doorbell(batch), 1);
    const double lines = counter(result, "client/PCIeRdCur").rate.per_second / result.throughput.per_second;
    EXPECT_NEAR(lines, 2 * (batch - 1.0) / batch, 0.05) << batch;
  }
}

TEST(ProcessingUnit, ALongerFetchIsNeverSlower) {
  double last = 0;
  for (const int most : {1, 2, 4, 8, 16, 32, 64}) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.max_fetch = most;
    const double rate = sends(hardware, by_doorbell(1), 1).throughput.per_second;
    EXPECT_GE(rate, last * 0.99) << most;
    last = rate;
  }
}

TEST(ProcessingUnit, EveryQueuePairUsesOneUnit) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.pu_wqe = 1us;
  hardware.nic.processing_units = 4;
  for (const int count : {1, 2, 3, 4, 8}) {
    const double expected = std::min(count, 4) * rate_of(1us);
    EXPECT_NEAR(sends(hardware, post(Verb::send, 8), count, 1).throughput.per_second, expected, expected * 0.03)
        << count;
  }
}

TEST(ProcessingUnit, MoreUnitsAreNeverSlower) {
  double last = 0;
  for (const int units : {1, 2, 4, 8, 16}) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.processing_units = units;
    const double rate = sends(hardware, by_doorbell(16), 2, 8).throughput.per_second;
    EXPECT_GE(rate, last * 0.99) << units;
    last = rate;
  }
}

TEST(ProcessingUnit, QueuePairsOfOneUnitShareItEqually) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.processing_units = 1;
  hardware.nic.pu_wqe = 200ns;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud), {by_doorbell(4)}), sink());
  Program second = scenario.programs.back().second;
  scenario.programs.emplace_back("second", second);
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const auto first_sent = static_cast<double>(statistics(simulation, "client").operations);
  const auto second_sent = static_cast<double>(statistics(simulation, "second").operations);
  EXPECT_GT(first_sent, 1000);
  EXPECT_NEAR(first_sent / second_sent, 1, 0.05);
}

TEST(ProcessingUnit, OneQueuePairHasNoMoreReadsInFlightThanItsLimit) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.poll_cqe = 0ns;
  PostStep one = post_window(Verb::read, 8, 1);
  one.region = region(16, 64);
  const auto reads = [&](const PostStep& step) {
    return run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink()));
  };
  const Time alone = reads(one).latency.mean;
  // From the processing of the WQE until the response is back; both ends of the latency are outside.
  const VerbPath path = path_of(one, queue_pairs(Transport::rc), hardware);
  const Time outside = path.service(Phase::post, Side::requester, Resource::core, Per::operation) +
                       path.service(Phase::post, Side::requester, Resource::pcie_downstream, Per::operation) +
                       hardware.pcie.latency + hardware.nic.pu_wqe +
                       path.service(Phase::complete, Side::requester, Resource::pcie_upstream, Per::operation) +
                       path.service(Phase::complete, Side::requester, Resource::pcie_upstream, Per::signal) +
                       hardware.pcie.latency + hardware.root_complex.write_latency;
  for (const int limit : {1, 2, 4}) {
    hardware.nic.max_outstanding_reads = limit;
    PostStep many = post_window(Verb::read, 8, 32);
    many.region = region(16, 64);
    // A place that becomes free is taken once the unit has processed the next WQE.
    const double expected = limit * rate_of(alone - outside + hardware.nic.pu_wqe);
    EXPECT_NEAR(reads(many).throughput.per_second, expected, expected * 0.02) << limit;
  }
}

TEST(ProcessingUnit, ReadsAndAtomicsInFlightAreNoMoreThanEitherSideAllows) {
  const auto rate = [](Verb verb, int requester, int responder) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.max_outstanding_reads = requester;
    PostStep step = post_window(verb, 8, 32);
    step.region = region(16, 64);
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    hardware_of(scenario, "server").nic.max_outstanding_reads = responder;
    return run(scenario).throughput.per_second;
  };
  for (const Verb verb : {Verb::read, Verb::fetch_add}) {
    EXPECT_EQ(rate(verb, 16, 2), rate(verb, 2, 2));
    EXPECT_EQ(rate(verb, 2, 16), rate(verb, 2, 2));
  }
  double fewer = 0;
  for (const int responder : {1, 2, 4}) {
    EXPECT_GT(rate(Verb::read, 4, responder), 1.5 * fewer) << responder;
    fewer = rate(Verb::read, 4, responder);
  }
  EXPECT_EQ(rate(Verb::read, 4, 8), fewer);
}

TEST(ProcessingUnit, AReadIsHeldBackWhileAnotherIsUnderWay) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_outstanding_reads = 1;
  PostStep step = post_window(Verb::read, 8, 2, 2);
  step.region = region(16, 64);
  const Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(0), compute(20us)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const QueuePair& pair = *simulation.program("client").threads.front()->queue_pairs()[0][0];
  // For most of one way to the server and back of every two and the pause.
  const double pauses = static_cast<double>(pair.posted) / 2;
  const double held = pair.held_back.mean(1ms) * 1e-3 / pauses;
  EXPECT_GT(held, 0.5e-6);
  EXPECT_LT(held, 3e-6);
}

/// Windows of which half are of `verb`, half of the other one.
RunResult half_reads_half_writes(Verb verb, PostMethod method, int limit) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_outstanding_reads = limit;
  PostStep step = post_window(verb, 8, 32);
  step.method = method;
  step.region = region(16, 64);
  step.mix = {
      {.share = 0.5, .verb = verb == Verb::read ? Verb::write : Verb::read, .payload = 8_B, .region = region(16, 64)}};
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  scenario.measure.duration = 4000us;
  return run(scenario);
}

TEST(ProcessingUnit, AMixIsTheSameWhicheverOfItsVerbsComesFirst) {
  for (const PostMethod method : {PostMethod::mmio, PostMethod::doorbell}) {
    for (const int limit : {1, 16}) {
      const double reads_first = half_reads_half_writes(Verb::read, method, limit).throughput.per_second;
      const double writes_first = half_reads_half_writes(Verb::write, method, limit).throughput.per_second;
      EXPECT_GT(reads_first, 1e5) << limit;
      EXPECT_NEAR(reads_first / writes_first, 1, 0.05) << limit;
    }
  }
}

TEST(ProcessingUnit, ReadsAmongWritesKeepTheirLimit) {
  PostStep step = post_window(Verb::read, 8, 32);
  step.region = region(16, 64);
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_outstanding_reads = 1;
  const RunResult reads = run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink()));
  // Every other operation is a READ, and one of those is under way at a time.
  const RunResult mixed = half_reads_half_writes(Verb::write, PostMethod::mmio, 1);
  EXPECT_LT(mixed.throughput.per_second, 2 * reads.throughput.per_second * 1.05);
  EXPECT_GT(half_reads_half_writes(Verb::write, PostMethod::mmio, 16).throughput.per_second,
            mixed.throughput.per_second * 2);
}

TEST(ProcessingUnit, AFullQueueOfReadsDoesNotHoldUpOtherQueuePairs) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.processing_units = 1;
  hardware.nic.max_outstanding_reads = 1;
  hardware.cpu.variation = 0;
  PostStep read = post_window(Verb::read, 8, 32);
  read.region = region(16, 64);
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {read, await(1)}), sink());
  Program sender = program(queue_pairs(Transport::ud), {post(Verb::send, 8)});
  sender.machine = "client";
  scenario.programs.emplace_back("sender", sender);
  scenario.measure.program = "sender";
  const double alone = rate_of(hardware.nic.pu_wqe);
  EXPECT_GT(run(scenario).throughput.per_second, alone * 0.85);
}

/// READs in whole windows on one queue pair, whose processing unit is done with one before the next is there.
Scenario reads_in_windows(int window, HardwareProfile hardware, int batch = 1) {
  PostStep step = post_window(Verb::read, 8, window, batch);
  step.region = region(16, 64);
  step.signal_every = window;
  hardware.nic.pu_wqe = 10ns;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(0)}), sink());
  scenario.measure.duration = 1ms;
  return scenario;
}

TEST(ProcessingUnit, ReadsPostedWhileOthersAreUnderWayGoOutTogetherWhenThoseAreBack) {
  const auto window_time = [](int window, int batch) {
    return window / run(reads_in_windows(window, connect_ib(), batch)).throughput.per_second;
  };
  const double alone = window_time(1, 1);
  EXPECT_NEAR(window_time(2, 1), 2 * alone, 0.3 * alone);  // what the core does overlaps
  EXPECT_NEAR(window_time(8, 1), 2 * alone, 0.6 * alone);  // one, and then seven
  EXPECT_LT(window_time(8, 8), 1.8 * alone);               // announced together
}

TEST(ProcessingUnit, RoundsOfReadsGrowUntilTheLimit) {
  const auto window_time = [](int window, int growth) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.read_growth = growth;
    return window / run(reads_in_windows(window, hardware)).throughput.per_second;
  };
  const double alone = window_time(1, 2);
  EXPECT_NEAR(window_time(3, 2), 2 * alone, 0.4 * alone);   // 1, 2
  EXPECT_NEAR(window_time(7, 2), 3 * alone, 0.8 * alone);   // 1, 2, 4
  EXPECT_NEAR(window_time(15, 2), 4 * alone, 1.2 * alone);  // 1, 2, 4, 8
  EXPECT_LT(window_time(15, 16), 0.8 * window_time(15, 2));
}

TEST(ProcessingUnit, ARoundIsOverWhenAsManyReadsAreOutAsItAllows) {
  const auto rounds = [](int window, int limit) {
    HardwareProfile hardware = steady_machine();
    hardware.nic.read_growth = 2;
    Scenario scenario = reads_in_windows(window, hardware);
    hardware_of(scenario, "server").nic.max_outstanding_reads = limit;
    Simulation simulation{scenario};
    const QueuePair& pair = *simulation.program("client").threads.front()->queue_pairs()[0][0];
    std::vector<int> found;
    for (int sent = 0, all = 0; all < window; sent = pair.sent_in_round) {
      if (!simulation.calendar().step()) throw std::logic_error("READs do not come back");
      if (pair.sent_in_round >= sent) continue;
      found.push_back(sent);
      all += sent;
    }
    return found;
  };
  EXPECT_EQ(rounds(15, 16), (std::vector<int>{1, 2, 4, 8}));
  EXPECT_EQ(rounds(15, 2), (std::vector<int>{1, 2, 12})) << "then as many as may be under way";
}

/// Rate of READs of which one is posted as soon as another is back, as ib_read_bw does.
double sliding_reads(int window, int growth, Time unit = 10ns) {
  PostStep step = post_window(Verb::read, 8, window);
  step.region = region(16, 64);
  step.signal_every = 1;
  step.poll = PollCqes::when_awaited;
  HardwareProfile hardware = connect_ib();
  hardware.nic.read_growth = growth;
  hardware.nic.pu_wqe = unit;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 1ms;
  return run(scenario).throughput.per_second;
}

TEST(ProcessingUnit, ReadsFollowOneAnotherOnceTheirRoundsHaveGrown) {
  for (const int growth : {2, 16}) {
    const double alone = sliding_reads(1, growth);
    for (const int window : {4, 8, 12})
      EXPECT_NEAR(sliding_reads(window, growth), window * alone, 0.15 * window * alone);
    EXPECT_GT(sliding_reads(8, growth, 10ns), sliding_reads(8, growth, 60ns));
  }
}

TEST(ProcessingUnit, FasterGrowthIsNeverSlowerUpToTheLargestAllowed) {
  double before = 0;
  for (const int growth : {16, 50000, 65536}) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.max_outstanding_reads = 65536;
    hardware.nic.read_growth = growth;
    PostStep step = post_window(Verb::read, 8, 64);
    step.region = region(16, 64);
    step.signal_every = 1;
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    scenario.measure.warmup = 100us;
    scenario.measure.duration = 400us;
    const double rate = run(scenario).throughput.per_second;
    EXPECT_GT(rate, before * 0.99) << growth;
    before = rate;
  }
}

TEST(ProcessingUnit, WithoutRoundsReadsFollowOneAnotherFromTheStart) {
  const auto window_time = [](int window) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.read_growth = 0;
    return window / run(reads_in_windows(window, hardware)).throughput.per_second;
  };
  EXPECT_NEAR(window_time(8), window_time(1), 0.4 * window_time(1));  // what the core needs to post seven more
}

/// Mean time of a window of WRITEs by MMIO, posted when the one before is done, by each of `threads`.
double write_window(int window, Time turnaround, int threads = 1, int units = 16,
                    Time posting = connect_ib().cpu.wqe_cost, Transport transport = Transport::rc) {
  PostStep step = post_window(Verb::write, 8, window);
  step.region = region(16, 64);
  step.signal_every = window;
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0;
  hardware.cpu.wqe_cost = posting;
  hardware.nic.pu_wqe = 10ns;  // done with one before the next is there
  hardware.nic.turnaround = turnaround;
  hardware.nic.processing_units = units;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(transport), {step, await(0)}, threads), sink());
  scenario.measure.duration = 1ms;
  return window * threads / run(scenario).throughput.per_second;
}

TEST(ProcessingUnit, WhatComesSoonAfterTheLastWqeWaitsForTheTurnaround) {
  // The second of two WRITEs is there long before.
  EXPECT_NEAR(write_window(2, 800ns) - write_window(2, 400ns), 400e-9, 5e-9);
  EXPECT_NEAR(write_window(1, 800ns), write_window(1, 0ns), 1e-9) << "after a round trip it rests no longer";
}

TEST(ProcessingUnit, OnlyQueuePairsThatAwaitAcksRest) {
  const auto pair = [](Time turnaround) {
    return write_window(2, turnaround, 1, 16, connect_ib().cpu.wqe_cost, Transport::uc);
  };
  EXPECT_EQ(pair(800ns), pair(0ns));
}

TEST(ProcessingUnit, WhatIsPostedDuringTheTurnaroundWaitsForItsEnd) {
  const auto pair = [](Time turnaround) { return write_window(2, turnaround, 1, 16, 500ns); };
  EXPECT_NEAR(pair(1200ns) - pair(800ns), 400e-9, 5e-9);
}

TEST(ProcessingUnit, WhatWaitsForTheTurnaroundGoesOutTogether) {
  const double alone = write_window(1, 1us);
  EXPECT_LT(write_window(8, 1us), alone + 1.5e-6) << "one turnaround, not seven";
  EXPECT_GT(write_window(8, 1us), alone + 0.5e-6);
}

TEST(ProcessingUnit, AQueuePairThatRestsLeavesItsUnitToOthers) {
  EXPECT_NEAR(write_window(2, 800ns, 4, 1), write_window(2, 800ns, 4, 16), 50e-9);
}

TEST(ProcessingUnit, AStreamOfWqesIsNotSlowedByTurnarounds) {
  const auto rate = [](Time turnaround) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.pu_wqe = 10ns;
    hardware.nic.turnaround = turnaround;
    return run(scenario_of(hardware, program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), sink()))
        .throughput.per_second;
  };
  EXPECT_NEAR(rate(1us), rate(0ns), rate(0ns) * 0.02);
}

}  // namespace
}  // namespace doorbell::model
