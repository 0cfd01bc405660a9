#include "models/programs/growing_batches.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "models/fixture.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

constexpr auto counter_line = "server/shared line counter";

/// Workers that increment a counter once for all requests of a pass, and answer each, for clients that ask as `ask`
/// says.
Scenario sequencer(int workers, PostStep ask, int at_most = 32, bool per_item = false) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.threads_per_core = 2;
  hardware.cpu.variation = 0.5;
  hardware.nic.rx_message = 6ns;
  QueuePairs answers = queue_pairs(Transport::ud, 3);
  answers.depth = 2048;
  Program server = program(
      answers, {collect(Channel::completion_queue, at_most), increment(per_item), replenish(), answer(0, 32)}, workers);
  ask.destination = Destination::fixed;
  Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::ud), {ask, await(1)}, 14), std::move(server), 5);
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 400us;
  return scenario;
}

PostStep window_of_asking(int window) { return post_window(Verb::send, 0, window, window); }

PostStep arriving_at(double rate_of_each) {
  PostStep step = post(Verb::send, 0, 16);
  step.arrivals = Arrivals{.rate = {rate_of_each}};
  return step;
}

Scenario faster_line(Scenario scenario) {
  SharedLineParameters& line = hardware_of(scenario, "server").shared_line;
  line.transfer = line.transfer / 2;
  line.cross_ring = line.cross_ring / 2;
  return scenario;
}

Scenario faster_receiver(Scenario scenario) {
  NicParameters& nic = hardware_of(scenario, "server").nic;
  nic.rx_message = nic.rx_message / 2;
  nic.rx_dma = nic.rx_dma / 2;
  return scenario;
}

double requests_per_second(const Scenario& scenario) { return run(scenario).throughput.per_second; }

TEST(GrowingBatches, TheWindowLimitsAndNotALineThatMoreRequestsNeedNoMoreOften) {
  for (const int window : {1, 2}) {
    const Scenario scenario = sequencer(10, window_of_asking(window));
    const RunResult result = run(scenario);
    EXPECT_GT(busy(result, counter_line), 0.95);
    EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
    const double now = result.throughput.per_second;
    const double larger = requests_per_second(sequencer(10, window_of_asking(2 * window)));
    EXPECT_GT(larger, 1.5 * now);
    EXPECT_GT(larger, 1.2 * requests_per_second(faster_line(scenario)));
    EXPECT_LT(requests_per_second(sequencer(20, window_of_asking(window))), 1.1 * now) << "more threads";
  }
}

TEST(GrowingBatches, ThePipelineLimitsThatIsAsFullAsTheLine) {
  const Scenario scenario = sequencer(28, window_of_asking(16));
  const RunResult result = run(scenario);
  EXPECT_GT(busy(result, counter_line), 0.95);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC receive pipeline") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.sentence.find("gains little"), std::string::npos) << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  EXPECT_GT(requests_per_second(faster_receiver(scenario)), 1.1 * now);
  EXPECT_LT(requests_per_second(faster_line(scenario)), 1.02 * now);
}

Scenario faster_cores(Scenario scenario) {
  HardwareProfile& hardware = hardware_of(scenario, "server");
  for (Time* cost : {&hardware.cpu.wqe_cost, &hardware.cpu.poll_cqe, &hardware.cpu.recv_cost, &hardware.mmio.line_cost,
                     &hardware.mmio.fence_cost})
    *cost = stretched(*cost, 1 / 1.2);
  return scenario;
}

TEST(GrowingBatches, TheWindowLimitsAndNotCoresOfWhichEachPassNeedsMuch) {
  const auto with = [](int workers, int window) {
    Scenario scenario = sequencer(workers, window_of_asking(window));
    hardware_of(scenario, "server").nic.rx_message = 2ns;
    return scenario;
  };
  const RunResult result = run(with(10, 12));
  EXPECT_GT(busy(result, "server/cores of server"), 0.95);
  EXPECT_LT(busy(result, counter_line), 0.85);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  const double larger_window = requests_per_second(with(10, 14));
  EXPECT_GT(larger_window, 1.02 * now);
  EXPECT_LT(requests_per_second(with(12, 12)), larger_window) << "more threads";
}

TEST(GrowingBatches, CoresLimitThatWorkOnEachRequestForItself) {
  Scenario scenario = sequencer(6, window_of_asking(12));
  named(scenario.programs, "server").loop.back() = answer(0, 1);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "server/cores of server") << result.bottleneck.sentence;
  EXPECT_GT(requests_per_second(faster_cores(scenario)), 1.1 * result.throughput.per_second);
  named(scenario.programs, "client").loop.front() = window_of_asking(14);
  std::get<PostStep>(named(scenario.programs, "client").loop.front()).destination = Destination::fixed;
  EXPECT_LT(requests_per_second(scenario), 1.05 * result.throughput.per_second) << "a larger window";
}

TEST(GrowingBatches, WhatAPassNeedsOnceIsAPartOfTheWorkThatLargerBatchesShare) {
  const auto share = [](const Scenario& scenario) {
    Simulation simulation{scenario};
    run_through(simulation);
    const ProgramStatistics& done = statistics(simulation, "server");
    return to_seconds(done.per_pass) / to_seconds(done.busy + done.stalled);
  };
  const double small = share(sequencer(6, window_of_asking(2)));
  const double large = share(sequencer(6, window_of_asking(16)));
  EXPECT_LT(small, 1);
  EXPECT_GT(small, 1.5 * large);
  EXPECT_GT(large, 0);
  Scenario one_by_one = sequencer(6, window_of_asking(4), 32, true);
  named(one_by_one.programs, "server").loop.back() = answer(0, 1);
  EXPECT_EQ(share(one_by_one), 0) << "nothing is done once for all";
}

TEST(GrowingBatches, ALineThatEveryRequestNeedsLimits) {
  const Scenario scenario = sequencer(10, window_of_asking(4), 32, true);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, counter_line) << result.bottleneck.sentence;
  EXPECT_GT(requests_per_second(faster_line(scenario)), 1.2 * result.throughput.per_second);
  EXPECT_LT(requests_per_second(sequencer(10, window_of_asking(8), 32, true)), 1.05 * result.throughput.per_second);
}

TEST(GrowingBatches, ALineLimitsWhereBatchesAreAsLargeAsTheyMayBe) {
  for (const int at_most : {1, 2}) {
    const Scenario scenario = sequencer(10, window_of_asking(16), at_most);
    const RunResult result = run(scenario);
    EXPECT_EQ(result.bottleneck.resource, counter_line) << result.bottleneck.sentence;
    EXPECT_GT(requests_per_second(faster_line(scenario)), 1.2 * result.throughput.per_second);
  }
}

TEST(GrowingBatches, ArrivalsLimitAsLongAsMoreOfThemWouldComeInLargerBatches) {
  const auto with = [](double rate_of_each) { return sequencer(6, arriving_at(rate_of_each)); };
  double rate_of_each = 400e3;
  RunResult result;
  do {
    rate_of_each *= 1.1;
    result = run(with(rate_of_each));
  } while (busy(result, "server/cores of server") < 0.96 && rate_of_each < 2e6);
  EXPECT_GE(busy(result, "server/cores of server"), 0.96);
  EXPECT_EQ(result.bottleneck.resource, "client/arrivals of client") << result.bottleneck.sentence;
  EXPECT_GT(requests_per_second(with(1.2 * rate_of_each)), 1.15 * result.throughput.per_second);
  EXPECT_LT(requests_per_second(faster_line(with(rate_of_each))), 1.03 * result.throughput.per_second);
}

TEST(GrowingBatches, ArrivalsDoNotLimitWhereMoreComeThanAreServed) {
  const RunResult result = run(sequencer(6, arriving_at(2e6)));
  EXPECT_NE(result.bottleneck.limit, Limit::arrivals) << result.bottleneck.sentence;
  EXPECT_LT(requests_per_second(sequencer(6, arriving_at(3e6))), 1.05 * result.throughput.per_second);
}

TEST(GrowingBatches, CollectionsOfAPassAreCounted) {
  const Scenario scenario = sequencer(6, window_of_asking(4));
  Simulation simulation{scenario};
  run_through(simulation);
  const ProgramStatistics& done = statistics(simulation, "server");
  EXPECT_GT(done.collected, done.collections);
  EXPECT_LE(done.collected, 32 * done.collections);
  EXPECT_TRUE(works_in_growing_batches(simulation.program("server")));
  EXPECT_TRUE(is_incremented_for_growing_batches(simulation, "server", "counter"));
  EXPECT_FALSE(is_incremented_for_growing_batches(simulation, "server", "another"));
  EXPECT_FALSE(is_incremented_for_growing_batches(simulation, "client", "counter"));
  EXPECT_FALSE(has_room_in_batches(simulation.program("client"))) << "it collects nothing";
}

}  // namespace
}  // namespace doorbell::model
