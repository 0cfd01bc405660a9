#include "models/hardware/cpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

CpuParameters cpu_with(std::vector<Rate> turbo) {
  CpuParameters cpu = connect_ib().cpu;
  cpu.turbo = std::move(turbo);
  return cpu;
}

TEST(Cpu, SoftwareStretchesAsTheClockSinks) {
  const CpuParameters cpu = cpu_with({{3e9}, {3e9}, {2.5e9}, {2e9}});
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 1), 1);
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 2), 1);
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 3), 1.2);
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 4), 1.5);
}

TEST(Cpu, TheLastClockHoldsForMoreCoresAndTheFirstForNone) {
  const CpuParameters cpu = cpu_with({{3e9}, {2e9}});
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 14), 1.5);
  EXPECT_DOUBLE_EQ(clock_stretch(cpu, 0), 1);
}

/// Threads that compute for a microsecond per SEND, so that software alone limits them.
Scenario computing(const HardwareProfile& hardware, int threads) {
  return scenario_of(hardware, program(queue_pairs(Transport::ud), {post(Verb::send, 0), compute(1us)}, threads),
                     sink(14));
}

Time pass_time(const HardwareProfile& hardware) {
  return 1us + path_of(post(Verb::send, 0), queue_pairs(Transport::ud), hardware)
                   .service(Phase::post, Side::requester, Resource::core, Per::operation);
}

TEST(Cpu, EveryCoreOfAMachineSlowsDownWithTheNumberOfActiveOnes) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.turbo = {{4e9}, {2e9}, {1e9}};
  for (const auto& [threads, stretch] : {std::pair{1, 1.0}, {2, 2.0}, {3, 4.0}, {5, 4.0}}) {
    const double expected = threads * rate_of(pass_time(hardware)) / stretch;
    EXPECT_NEAR(run(computing(hardware, threads)).throughput.per_second, expected, expected * 0.03) << threads;
  }
}

TEST(Cpu, ProgramsWithoutStepsLeaveTheirCoresIdle) {
  // The sink's 14 threads run on the other machine; here they share the machine group of the poster's.
  HardwareProfile hardware = connect_ib();
  hardware.cpu.turbo = {{2e9}, {1e9}};
  Scenario scenario = computing(hardware, 1);
  Program idle = sink(8);
  idle.machine = "client";
  scenario.programs.emplace_back("idle", idle);
  const double expected = rate_of(pass_time(hardware));
  EXPECT_NEAR(run(scenario).throughput.per_second, expected, expected * 0.02);
}

TEST(Cpu, VariationKeepsTheMeanOfSoftwareTimes) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  Scenario scenario = computing(hardware, 4);
  scenario.measure.duration = 1ms;
  const double expected = 4 * rate_of(pass_time(hardware));
  EXPECT_NEAR(run(scenario).throughput.per_second, expected, expected * 0.02);
}

TEST(Cpu, VariationHasTheCoefficientThatItsParameterStates) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.4;
  hardware.cpu.wqe_cost = 0ns;
  hardware.mmio.line_cost = 0ns;
  hardware.mmio.fence_cost = 0ns;
  const Scenario scenario = computing(hardware, 1);
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  const auto calls = [&] { return client.calls; };
  Time last = run_to_change(simulation, calls);
  double sum = 0;
  double squares = 0;
  constexpr int passes = 4000;
  for (int i = 0; i < passes; ++i) {
    const Time now = run_to_change(simulation, calls);
    const double time = to_nanoseconds(now - last);
    last = now;
    sum += time;
    squares += time * time;
  }
  const double mean = sum / passes;
  EXPECT_NEAR(mean, 1000, 25);
  EXPECT_NEAR(std::sqrt(squares / passes - mean * mean) / mean, 0.4, 0.02);
}

TEST(Cpu, UtilisationOfACoreThatAlwaysWorksIsOne) {
  const RunResult result = run(computing(connect_ib(), 2));
  EXPECT_NEAR(busy(result, "client/cores of client"), 1, 0.02);
  EXPECT_EQ(result.bottleneck.limit, Limit::cpu);
}

}  // namespace
}  // namespace doorbell::model
