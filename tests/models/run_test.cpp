#include "models/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/fabric/fluid_network.hpp"
#include "models/fixture.hpp"
#include "models/isolated_run.hpp"
#include "models/remote_memory_fixture.hpp"
#include "models/remote_server.hpp"
#include "models/storage_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// A closed loop in which software times vary, so that seeds matter.
Scenario noisy() {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  return scenario_of(
      hardware, program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}, 4),
      program(queue_pairs(Transport::ud, 3),
              {collect(Channel::completion_queue, 8), increment(false), compute(100ns), answer(8, 8)}, 2),
      2);
}

void expect_equal(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.throughput, b.throughput);
  EXPECT_EQ(a.throughput_ci95, b.throughput_ci95);
  EXPECT_EQ(a.latency.mean, b.latency.mean);
  EXPECT_EQ(a.latency.p50, b.latency.p50);
  EXPECT_EQ(a.latency.p99, b.latency.p99);
  EXPECT_EQ(a.latency.samples, b.latency.samples);
  ASSERT_EQ(a.utilisations.size(), b.utilisations.size());
  for (std::size_t i = 0; i < a.utilisations.size(); ++i) {
    EXPECT_EQ(a.utilisations[i].resource, b.utilisations[i].resource);
    EXPECT_EQ(a.utilisations[i].busy, b.utilisations[i].busy) << a.utilisations[i].resource;
    EXPECT_EQ(a.utilisations[i].limit, b.utilisations[i].limit);
  }
  ASSERT_EQ(a.counters.size(), b.counters.size());
  for (std::size_t i = 0; i < a.counters.size(); ++i) {
    EXPECT_EQ(a.counters[i].name, b.counters[i].name);
    EXPECT_EQ(a.counters[i].count, b.counters[i].count) << a.counters[i].name;
    EXPECT_EQ(a.counters[i].rate, b.counters[i].rate);
  }
  ASSERT_EQ(a.programs.size(), b.programs.size());
  for (std::size_t i = 0; i < a.programs.size(); ++i) {
    EXPECT_EQ(a.programs[i].program, b.programs[i].program);
    EXPECT_EQ(a.programs[i].mean_batch, b.programs[i].mean_batch);
  }
  EXPECT_EQ(a.bottleneck.sentence, b.bottleneck.sentence);
  EXPECT_EQ(a.bottleneck.resource, b.bottleneck.resource);
  EXPECT_EQ(a.bottleneck.next_resource, b.bottleneck.next_resource);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.simulated, b.simulated);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.operations, b.operations);
}

TEST(Run, OnlyFlowsMakeSimGridsEngineAndInAProcessOfTheirOwn) {
  // A process can make one in its life: whoever can still do so afterwards has made none.
  const auto makes_engine = [](const std::function<void()>& before) {
    const RunResult result = run_isolated([&] {
      before();
      RunResult own;
      try {
        core::Calendar calendar;
        const FluidNetwork network{calendar, {}};
      } catch (const std::logic_error& error) {
        own.warnings.emplace_back(error.what());
      }
      return own;
    });
    return !result.warnings.empty();
  };
  EXPECT_FALSE(makes_engine([] { (void)run(noisy()); }));
  Scenario fluid;
  fluid.instead = small_storage_server();
  EXPECT_FALSE(makes_engine([&] { (void)run(fluid); }));
  EXPECT_TRUE(makes_engine([] {
    core::Calendar calendar;
    const FluidNetwork network{calendar, {}};
  }));
}

TEST(Run, TheSameSeedGivesTheSameResultInEveryField) { expect_equal(run(noisy()), run(noisy())); }

TEST(Run, AnotherSeedGivesAnotherResultOfTheSameSize) {
  Scenario scenario = noisy();
  const RunResult first = run(scenario);
  scenario.seed = 2;
  const RunResult second = run(scenario);
  EXPECT_NE(first.latency.mean, second.latency.mean);
  EXPECT_NE(first.operations, second.operations);
  const double rate = first.throughput.per_second;
  EXPECT_NEAR(second.throughput.per_second, rate, rate * 0.03);
}

TEST(Run, ThroughputIsOperationsOverTime) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), sink());
  const RunResult result = run(scenario);
  EXPECT_EQ(result.simulated, scenario.measure.duration);
  EXPECT_NEAR(result.throughput.per_second, static_cast<double>(result.operations) / to_seconds(result.simulated), 1);
  EXPECT_GT(result.events, result.operations);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(Run, OperationsAreThoseOfAllPrograms) {
  const RunResult result = run(noisy());
  // A request and an answer for each, but for what was under way at both ends.
  EXPECT_NEAR(static_cast<double>(result.operations), 2 * result.throughput.per_second * to_seconds(result.simulated),
              128);
}

TEST(Run, RequestsOfSeveralOperationsCountOnce) {
  Scenario scenario = noisy();
  const double operations = run(scenario).throughput.per_second;
  scenario.measure.operations_per_request = 4;
  EXPECT_NEAR(run(scenario).throughput.per_second, operations / 4, operations * 1e-9);
}

TEST(Run, LatencyIsSampledOncePerOperationMeasured) {
  const RunResult result = run(noisy());
  EXPECT_NEAR(static_cast<double>(result.latency.samples), result.throughput.per_second * to_seconds(result.simulated),
              64);
  EXPECT_LE(result.latency.p50, result.latency.p99);
  EXPECT_GT(result.latency.p50, 1us);
}

// ---- warm-up -------------------------------------------------------------------------------------------------------

TEST(Run, WhatHappensInTheWarmUpDoesNotCount) {
  // A receiver that takes a burst in the beginning: 16 KiB of buffer fill at the speed of the sender.
  HardwareProfile hardware = connect_ib();
  hardware.nic.rx_message = 200ns;
  const auto rate = [&](Time warmup) {
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud), {post(Verb::send, 0)}), sink());
    scenario.measure.warmup = warmup;
    return run(scenario).throughput.per_second;
  };
  const double service = 200e-9 + to_seconds(hardware.nic.rx_dma);
  EXPECT_GT(rate(0ns), 1.2 / service);
  EXPECT_NEAR(rate(1ms), 1 / service, 0.01 / service);
}

TEST(Run, CountersCountTheMeasuredTimeOnly) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 0)}), sink());
  for (const Time warmup : {20us, 500us}) {
    scenario.measure.warmup = warmup;
    const RunResult result = run(scenario);
    const double received = static_cast<double>(counter(result, "server/PCIeItoM").count);
    EXPECT_NEAR(received, static_cast<double>(result.operations), 20);
    EXPECT_DOUBLE_EQ(counter(result, "server/PCIeItoM").rate.per_second, received / to_seconds(result.simulated));
  }
}

TEST(Run, TheLengthOfTheWarmUpDoesNotMatterOnceSteady) {
  Scenario scenario = noisy();
  scenario.measure.duration = 1ms;
  scenario.measure.warmup = 50us;
  const RunResult early = run(scenario);
  scenario.measure.warmup = 700us;
  const RunResult late = run(scenario);
  const double apart = early.throughput.per_second - late.throughput.per_second;
  EXPECT_LE(std::abs(apart), 2 * (early.throughput_ci95.per_second + late.throughput_ci95.per_second));
}

// ---- confidence ----------------------------------------------------------------------------------------------------

TEST(Run, TheIntervalHoldsTheRateThatAQueuePairMustHave) {
  HardwareProfile hardware = connect_ib();
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), sink());
  const RunResult result = run(scenario);
  EXPECT_NEAR(result.throughput.per_second, rate_of(hardware.nic.pu_wqe), result.throughput_ci95.per_second + 1e4);
  EXPECT_LT(result.throughput_ci95.per_second, 0.03 * result.throughput.per_second);
}

TEST(Run, StopsEarlyOnceTheIntervalIsNarrow) {
  Scenario scenario = noisy();
  scenario.measure.duration = 2ms;
  const RunResult whole = run(scenario);
  EXPECT_EQ(whole.simulated, 2ms);
  scenario.measure.relative_ci = 0.2;
  const RunResult early = run(scenario);
  EXPECT_LT(early.simulated, 2ms);
  EXPECT_LE(early.throughput_ci95.per_second, 0.2 * early.throughput.per_second);
  EXPECT_NEAR(early.throughput.per_second, whole.throughput.per_second, 0.2 * whole.throughput.per_second);
  EXPECT_LT(early.events, whole.events);
  // Rates refer to the time that was simulated.
  const double counted = static_cast<double>(counter(early, "server/PCIeItoM").count);
  EXPECT_DOUBLE_EQ(counter(early, "server/PCIeItoM").rate.per_second, counted / to_seconds(early.simulated));
}

TEST(Run, DoesNotStopEarlyWhileTheIntervalIsWide) {
  Scenario scenario = noisy();
  scenario.measure.relative_ci = 1e-9;
  EXPECT_EQ(run(scenario).simulated, scenario.measure.duration);
}

TEST(Run, ALongerRunKnowsTheRateBetter) {
  Scenario scenario = noisy();
  scenario.measure.duration = 100us;
  const double wide = run(scenario).throughput_ci95.per_second;
  scenario.measure.duration = 4ms;
  EXPECT_LT(run(scenario).throughput_ci95.per_second, wide);
}

// ---- what is said --------------------------------------------------------------------------------------------------

TEST(Run, SaysWhenNothingWasCompleted) {
  Scenario scenario = noisy();
  scenario.fabric.switch_latency = 10ms;
  scenario.measure.duration = 50us;
  const RunResult result = run(scenario);
  EXPECT_EQ(result.throughput.per_second, 0);
  EXPECT_EQ(result.latency.samples, 0U);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings.front().find("no operation of client"), std::string::npos);
  EXPECT_EQ(result.bottleneck.resource, "");
  EXPECT_NE(result.bottleneck.sentence.find("nothing was completed"), std::string::npos);
}

TEST(Run, SaysWhenTheRateIsHardlyKnown) {
  Scenario scenario = noisy();
  EXPECT_TRUE(run(scenario).warnings.empty());
  scenario.fabric.switch_latency = 20us;  // everything comes at once, and then nothing for long
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 60us;
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("simulate longer"), std::string::npos);
}

TEST(Run, SaysWhenOperationsTakeLongerThanTheWarmUp) {
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::rc, 4), {post_window(Verb::read, 8, 1024), await(1)}), sink());
  EXPECT_GT(run(scenario).latency.mean, scenario.measure.warmup);
  ASSERT_EQ(run(scenario).warnings.size(), 1U);
  EXPECT_NE(run(scenario).warnings.front().find("a longer warm-up"), std::string::npos);
  scenario.measure.warmup = 1ms;
  EXPECT_THAT(run(scenario).warnings, testing::IsEmpty());
}

TEST(Run, OfRemoteMemoryAlsoSaysWhenOperationsTakeLongerThanTheWarmUp) {
  const auto warnings = [](Time warmup) {
    Scenario scenario;
    scenario.instead = on_blocks(8, 32);
    std::get<model::RemoteMemoryScenario>(scenario.instead).warmup = warmup;
    return run(scenario).warnings;
  };
  EXPECT_THAT(warnings(1us), testing::Contains(testing::HasSubstr("a longer warm-up")));
  EXPECT_THAT(warnings(5ms), testing::IsEmpty());
}

/// A store that was just filled, with what is popular still away.
Scenario fresh_store() {
  Scenario scenario = remote_server(4, 4, TouchStep{});
  ProgramMemory& memory = named(scenario.programs, "server").memory.emplace();
  memory.resident = 0.5;
  memory.records = RecordChoice{.records = 65536, .skew = 0.9};
  scenario.measure.warmup = 200us;
  scenario.measure.duration = 20ms;
  return scenario;
}

const auto says_that_it_drifts = testing::Contains(testing::HasSubstr("still drifts: +"));

TEST(Run, SaysThatFaultsOfAProgramThatIsAskedBecomeRarer) {
  EXPECT_THAT(run(fresh_store()).warnings, says_that_it_drifts);
}

TEST(Run, SaysSoWhereAnotherProgramAsksThatOne) {
  Scenario scenario = fresh_store();
  Program front = program(queue_pairs(Transport::rc, 4),
                          {collect(Channel::completion_queue), post(Verb::send, 32), await(0), answer(32)}, 4);
  front.machine = "front";
  scenario.machines.emplace_back("front", MachineGroup{"test", connect_ib(), 1});
  scenario.programs.emplace_back("front", std::move(front));
  std::get<PostStep>(named(scenario.programs, "client").loop.front()).to = "front";
  EXPECT_THAT(run(connected(scenario)).warnings, says_that_it_drifts);
}

TEST(Run, FaultsOfAProgramBesideAreNotThoseOfTheMeasuredOne) {
  // The more the store answers, the longer what another program reads waits at the same port, and the more faults come
  // to each of that program's operations. Windows of 8 are long enough a queue there once few pages are away.
  Scenario scenario = fresh_store();
  std::get<PostStep>(named(scenario.programs, "client").loop.front()).window = 8;
  named(scenario.programs, "server").loop.back() = answer(8192, 8);
  hardware_of(scenario, "client").port.bandwidth = {2.15e9};
  PostStep read = post_window(Verb::read, 64, 1);
  read.to = "lent";
  scenario.programs.emplace_back("reader", on("client", program(queue_pairs(Transport::rc, 2), {read, await(1)}, 2)));
  scenario.programs.emplace_back("lent", on("lender", sink()));
  EXPECT_THAT(run(scenario).warnings, says_that_it_drifts);
  scenario.measure.program = "reader";
  EXPECT_THAT(run(scenario).warnings, testing::IsEmpty());
  scenario.measure.duration = 10ms;
  const double early = run(scenario).throughput.per_second;
  scenario.measure.warmup += 10ms;
  // 0.64; with ports of 1.9 to 2.2 GB/s 0.60 to 0.74.
  EXPECT_LT(run(scenario).throughput.per_second, 0.8 * early);
}

TEST(Run, TheMeasuredProgramMustExist) {
  Scenario scenario = noisy();
  scenario.measure.program = "nobody";
  EXPECT_THROW(static_cast<void>(run(scenario)), std::invalid_argument);
}

}  // namespace
}  // namespace doorbell::model
