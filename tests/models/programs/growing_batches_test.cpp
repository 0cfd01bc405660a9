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
