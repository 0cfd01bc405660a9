#include "analytic/timeline.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace doorbell::model;

/// One operation at a time, gathered from memory and acknowledged.
Scenario alone(Verb verb, Bytes payload) {
  PostStep step = post_window(verb, payload.count, 1);
  step.inlined = false;
  step.method = PostMethod::doorbell;
  step.signal_every = 1;
  Scenario scenario;
  scenario.machines = {{"client", {"", attentive_machine(), 1}}, {"server", {"", attentive_machine(), 1}}};
  scenario.programs = {{"client", program(queue_pairs(Transport::rc), {step, AwaitStep{}})}, {"server", sink()}};
  scenario.programs.front().second.machine = "client";
  scenario.programs.back().second.machine = "server";
  scenario.measure = {.program = "client", .warmup = 100_us, .duration = 40_ms};
  return scenario;
}

class LongMessages : public ::testing::TestWithParam<Verb> {};

/// A message of many parts is a train: nothing on its way stores the whole before it goes on.
TEST_P(LongMessages, TakeAsLongAsInASimulation) {
  for (const Bytes payload : {64_B, 4_KiB, 4097_B, 6000_B, 8_KiB, 10000_B, 64_KiB, 100000_B, 1024_KiB}) {
    const Scenario scenario = alone(GetParam(), payload);
    const double cycle = to_seconds(analyze(scenario).unloaded_latency);
    EXPECT_NEAR(cycle * run(scenario).throughput.per_second, 1, 0.01) << payload.count;
  }
}

TEST_P(LongMessages, OverANarrowLinkTakeAsLongAsInASimulation) {
  for (const Bytes payload : {4097_B, 6000_B, 8_KiB, 10000_B, 14000_B, 64_KiB}) {
    Scenario scenario = alone(GetParam(), payload);
    hardware_of(scenario, GetParam() == Verb::read ? "server" : "client").pcie.lanes = 1;
    const double cycle = to_seconds(analyze(scenario).unloaded_latency);
    EXPECT_NEAR(cycle * run(scenario).throughput.per_second, 1, 0.01) << payload.count;
  }
}

TEST_P(LongMessages, InSmallPacketsTakeAsLongAsInASimulation) {
  double in_larger_packets = 1;
  for (const Bytes mtu : {4_KiB, 2_KiB, 1_KiB, 256_B}) {
    for (const Bytes payload : {1025_B, 4_KiB, 6000_B, 64_KiB}) {
      Scenario scenario = alone(GetParam(), payload);
      for (const char* side : {"client", "server"}) hardware_of(scenario, side).port.mtu = mtu;
      const double cycle = to_seconds(analyze(scenario).unloaded_latency);
      EXPECT_NEAR(cycle * run(scenario).throughput.per_second, 1, 0.01) << payload.count << " in " << mtu.count;
      if (payload != 4_KiB) continue;
      // Nothing waits for the rest of the message.
      EXPECT_LT(cycle, in_larger_packets) << mtu.count;
      in_larger_packets = cycle;
    }
  }
}

TEST_P(LongMessages, BetweenUnequalPortsTakeAsLongAsInASimulation) {
  for (const char* slow : {"client", "server"}) {
    for (const Bytes payload : {64_B, 4_KiB, 10000_B, 64_KiB}) {
      Scenario scenario = alone(GetParam(), payload);
      hardware_of(scenario, slow).port.bandwidth = 500_MBps;
      const double cycle = to_seconds(analyze(scenario).unloaded_latency);
      EXPECT_NEAR(cycle * run(scenario).throughput.per_second, 1, 0.01) << payload.count << " and a slow " << slow;
    }
  }
}

TEST_P(LongMessages, AreNoFasterThanShorterOnes) {
  double shorter = 0;
  for (const Bytes payload : {4000_B, 4096_B, 4097_B, 5000_B, 8192_B, 8193_B}) {
    const double cycle = 1 / run(alone(GetParam(), payload)).throughput.per_second;
    EXPECT_GE(cycle, shorter) << payload.count;
    shorter = cycle;
  }
}

TEST_P(LongMessages, ArePartByPartOnTheSlowestStep) {
  const auto completed = [&](Bytes payload) {
    const HardwareProfile hardware = connect_ib();
    const Scenario scenario = alone(GetParam(), payload);
    Operation operation;
    operation.transport = Transport::rc;
    operation.verb = GetParam();
    operation.payload = payload;
    operation.inlined = false;
    operation.method = PostMethod::doorbell;
    return to_seconds(
        unloaded_timeline(make_path(operation, hardware, hardware), hardware, hardware, scenario.fabric).completed);
  };
  const double slowest = 1024 * 1024 / connect_ib().port.bandwidth.bytes_per_second;
  EXPECT_NEAR((completed(2048_KiB) - completed(1024_KiB)) / slowest, 1, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Verbs, LongMessages, ::testing::Values(Verb::send, Verb::write, Verb::read),
                         [](const auto& tested) {
                           return std::string{EnumNames<Verb>::values.at(static_cast<std::size_t>(tested.param))};
                         });

}  // namespace
}  // namespace doorbell::analytic
