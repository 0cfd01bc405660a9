#include "models/programs/contended_lines.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/programs/busy_threads.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Workers that increment a counter for each request, and work on it for `work`.
Scenario counting(int threads, Time work, int shared_queues = 0) {
  HardwareProfile hardware = connect_ib();
  hardware.shared_line = {.local = 50ns, .transfer = 250ns, .cross_ring = 0ns, .ring_cores = 14};
  Program server =
      program(queue_pairs(Transport::ud, 3),
              {collect(Channel::completion_queue, 4), increment(true), compute(0ns, work), answer(8, 4)}, threads);
  server.completion.shared_queues = shared_queues;
  PostStep ask = post_window(Verb::send, 8, 8);
  ask.destination = Destination::round_robin;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud), {ask, await(1)}, 2), server);
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 2ms;
  return scenario;
}

Scenario faster_lines(Scenario scenario) {
  hardware_of(scenario, "server").shared_line.transfer = 100ns;
  return scenario;
}

std::optional<ContendedLine> line_of(const Scenario& scenario) {
  Simulation simulation{scenario};
  run_through(simulation);
  return costliest_line(simulation, simulation.program("server"));
}

TEST(ContendedLines, WhoWaitsForALineIsNotWhatLimits) {
  const Scenario scenario = counting(4, 300ns);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "server/shared line counter") << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  EXPECT_GT(run(faster_lines(scenario)).throughput.per_second, 1.5 * now);
  EXPECT_LT(run(counting(8, 300ns)).throughput.per_second, 1.1 * now) << "more threads";
}

TEST(ContendedLines, WindowsAreHeldForTheLineAndNotForThoseWhoWaitForIt) {
  const Scenario scenario = counting(3, 300ns);
  Simulation simulation{scenario};
  run_through(simulation);
  const auto held = held_for_threads(simulation, simulation.program("client"), scenario.measure.duration);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->resource, "server/shared line counter");
  EXPECT_EQ(held->limit, Limit::shared_line);
  EXPECT_LT(held->busy, 0.99) << "that of the line, while the threads are busy all the time";
}

TEST(ContendedLines, ThreadsThatHardlyNeedTheLineAreNotHeldByIt) {
  EXPECT_FALSE(line_of(counting(6, 20us)));
  EXPECT_FALSE(line_of(counting(1, 20us)));
}

TEST(ContendedLines, ALockOfAQueueIsOneToo) {
  const auto line = line_of(counting(6, 0ns, 1));
  ASSERT_TRUE(line);
  EXPECT_GT(line->busy, 0.5);
  EXPECT_TRUE(line->resource.starts_with("server/")) << line->resource;
}

TEST(ContendedLines, TimeTakenCountsWaitsFromTheWarmUpOn) {
  const SharedLineParameters parameters{.local = 10ns, .transfer = 40ns, .cross_ring = 0ns, .ring_cores = 8};
  SharedLine line{parameters};
  (void)line.increment(0ns, 0);
  line.measure(10ns, 1us);
  EXPECT_EQ(line.taken(), 0ns);
  (void)line.increment(10ns, 1);
  (void)line.increment(20ns, 2);
  EXPECT_EQ(line.taken(), 50ns + 90ns) << "the second waits for the first";
}

}  // namespace
}  // namespace doorbell::model
