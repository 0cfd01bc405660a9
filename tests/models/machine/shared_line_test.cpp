#include "models/machine/shared_line.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

constexpr SharedLineParameters line_parameters{.local = 10ns, .transfer = 40ns, .cross_ring = 20ns, .ring_cores = 8};

TEST(SharedLine, ACoreThatOwnsTheLinePaysOnlyTheIncrement) {
  SharedLine line{line_parameters};
  EXPECT_EQ(line.increment(0ns, 3), 10ns);
  EXPECT_EQ(line.increment(10ns, 3), 20ns);
  EXPECT_EQ(line.increment(100ns, 3), 110ns);
}

TEST(SharedLine, AnotherCoreOfTheRingPaysTheTransferAndOwnsTheLineThen) {
  SharedLine line{line_parameters};
  EXPECT_EQ(line.increment(0ns, 0), 10ns);
  EXPECT_EQ(line.increment(100ns, 7), 150ns);
  EXPECT_EQ(line.increment(200ns, 7), 210ns);
}

TEST(SharedLine, TheOtherRingIsFarther) {
  SharedLine line{line_parameters};
  EXPECT_EQ(line.increment(0ns, 0), 10ns);
  EXPECT_EQ(line.increment(100ns, 8), 170ns);
  EXPECT_EQ(line.increment(200ns, 13), 250ns);
  EXPECT_EQ(line.increment(300ns, 1), 370ns);
}

TEST(SharedLine, OneCoreAtATimeInOrderOfAsking) {
  SharedLine line{line_parameters};
  Time done{0};
  for (int core = 0; core < 8; ++core) {
    const Time next = line.increment(5ns, core);
    EXPECT_EQ(next - done, core == 0 ? 15ns : 50ns);
    done = next;
  }
}

/// Requests per second of a sequencer in which the counter's line is much slower than anything else.
double sequencer_rate(int threads, int at_most, bool per_item) {
  HardwareProfile hardware = connect_ib();
  hardware.shared_line = {.local = 100ns, .transfer = 400ns, .cross_ring = 0ns, .ring_cores = 14};
  const Program worker =
      program(queue_pairs(Transport::ud, 3),
              {collect(Channel::completion_queue, at_most), increment(per_item), answer(0, at_most)}, threads);
  const Program client = program(queue_pairs(Transport::ud), {post_window(Verb::send, 0, 64), await(1)}, 4);
  return run(scenario_of(hardware, client, worker)).throughput.per_second;
}

TEST(SharedLine, ContendedRateIsOnePerLocalTimeAndTransfer) {
  const double limit = rate_of(500ns);
  EXPECT_NEAR(sequencer_rate(8, 1, true), limit, limit * 0.02);
}

TEST(SharedLine, OneIncrementPerPassServesTheWholeBatch) {
  const double limit = rate_of(500ns);
  EXPECT_NEAR(sequencer_rate(8, 8, true), limit, limit * 0.1);  // increments of one batch need no transfer
  EXPECT_GT(sequencer_rate(8, 8, false), limit * 4);
}

TEST(SharedLine, HardwareThreadsOfOneCoreAreOneCore) {
  // One core with two threads keeps the line, two cores pass it on.
  const auto per_request = [](int cores) {
    HardwareProfile hardware = steady_machine();
    hardware.cpu.cores = cores;
    hardware.cpu.threads_per_core = 2 / cores;
    Program server =
        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), increment(true), answer(8)}, 2);
    const RunResult result = run(scenario_of(
        hardware, program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}, 2), server));
    return busy(result, "server/shared line counter") / result.throughput.per_second * 1e9;
  };
  EXPECT_NEAR(per_request(1), 10, 1);
  EXPECT_GT(per_request(2), 25);
}

}  // namespace
}  // namespace doorbell::model
