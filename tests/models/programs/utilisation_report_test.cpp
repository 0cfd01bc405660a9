#include "models/programs/utilisation_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

// Cores that wait at the barrier after a post seem busy, and yet are not what limits.
TEST(UtilisationReport, CoresBehindAFullLinkAreNotTheBottleneck) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.lanes = 4;
  const auto run_with = [&hardware](int threads) {
    return run(
        scenario_of(hardware, program(queue_pairs(Transport::ud, 2), {post(Verb::send, 60)}, threads), sink(4), 1));
  };
  const RunResult full = run_with(14);
  EXPECT_EQ(full.bottleneck.resource, "client/PCIe downstream");
  EXPECT_EQ(full.bottleneck.limit, Limit::mmio_bandwidth);
  EXPECT_LT(busy(full, "client/cores of client"), 0.9);
  EXPECT_EQ(run_with(1).bottleneck.resource, "client/cores of client");
}

TEST(UtilisationReport, CoresThatWaitForMmioCreditsAreNotTheBottleneck) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.mmio_credits = 4;
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::ud, 2), {post(Verb::send, 60)}, 8), sink(4), 1));
  EXPECT_EQ(result.bottleneck.resource, "client/PCIe MMIO credits");
  EXPECT_EQ(result.bottleneck.limit, Limit::mmio_bandwidth);
  EXPECT_LT(busy(result, "client/PCIe downstream"), 0.5);
  EXPECT_LT(busy(result, "client/cores of client"), 0.9);
}

RunResult batched_sends(int threads) {
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud, 2), {post(Verb::send, 60, 16)}, threads), sink(4), 2);
  scenario.machines.front().second.count = 2;
  return run(scenario);
}

TEST(UtilisationReport, BusiestFirstAndNeverMoreThanWhole) {
  const RunResult result = batched_sends(8);
  ASSERT_FALSE(result.utilisations.empty());
  for (const Utilisation& utilisation : result.utilisations) {
    EXPECT_GE(utilisation.busy, 0) << utilisation.resource;
    EXPECT_LE(utilisation.busy, 1 + 1e-9) << utilisation.resource;
  }
  EXPECT_TRUE(std::is_sorted(result.utilisations.begin(), result.utilisations.end(),
                             [](const Utilisation& a, const Utilisation& b) { return a.busy > b.busy; }));
  EXPECT_EQ(result.bottleneck.resource, result.utilisations.front().resource);
}

TEST(UtilisationReport, NamesEveryResourceOfEveryGroupOnce) {
  const RunResult result = batched_sends(1);
  std::multiset<std::string> names;
  for (const Utilisation& utilisation : result.utilisations) names.insert(utilisation.resource);
  for (const char* group : {"server/", "client/"}) {
    for (const char* resource :
         {"PCIe downstream", "PCIe MMIO credits", "PCIe upstream", "NIC processing units", "NIC transmit pipeline",
          "NIC receive pipeline", "atomic locks", "ports transmit", "ports receive"}) {
      EXPECT_EQ(names.count(std::string{group} + resource), 1U) << group << resource;
    }
  }
  EXPECT_EQ(names.count("client/cores of client"), 1U);
  EXPECT_EQ(names.count("server/cores of server"), 0U);  // a program without steps needs no core
}

TEST(UtilisationReport, TheLinkIsFilledByMmioOrByDmaWhicheverIsMore) {
  const auto limit = [](int batch) {
    const RunResult result =
        run(scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 60, batch)}), sink()));
    for (const Utilisation& utilisation : result.utilisations) {
      if (utilisation.resource == "client/PCIe downstream") return utilisation.limit;
    }
    return Limit::cpu;
  };
  EXPECT_EQ(limit(1), Limit::mmio_bandwidth);
  EXPECT_EQ(limit(16), Limit::dma_bandwidth);
}

TEST(UtilisationReport, OnlyUnitsInUseCount) {
  // One queue pair keeps one of sixteen units busy all the time.
  const RunResult result =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), sink()));
  EXPECT_GT(busy(result, "client/NIC processing units"), 0.99);
}

TEST(UtilisationReport, SharedLinesAreReportedWhereTheyAre) {
  const Program client = program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 4), await(1)});
  const Program server =
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), increment(true), answer(8)});
  const RunResult result = run(scenario_of(connect_ib(), client, server));
  const double expected = result.throughput.per_second * 10e-9;  // a line that stays with its core
  EXPECT_NEAR(busy(result, "server/shared line counter"), expected, expected * 0.05);
}

TEST(UtilisationReport, ALineThatSeveralMachinesHaveIsReportedOnce) {
  const Program server =
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), increment(true), answer(0)}, 2);
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 0, 8), await(1)}, 2), server);
  scenario.machines.front().second.count = 2;
  const RunResult result = run(scenario);
  EXPECT_EQ(std::ranges::count(result.utilisations, "server/shared line counter", &Utilisation::resource), 1);
}

TEST(UtilisationReport, ALinkFullOfWqesThatAreReadAgainIsTheNicsLackOfMemory) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.lanes = 4;
  hardware.nic.mmio_wqes = 1;
  PostStep step = post_window(Verb::write, 8, 64);
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(64)}, 16), sink(16)));
  EXPECT_EQ(result.bottleneck.resource, "client/PCIe downstream");
  EXPECT_EQ(result.bottleneck.limit, Limit::nic_memory);
}

TEST(UtilisationReport, CoresWithShortListsDoNotLimitWhereUnitsAreHeldUp) {
  PostStep reply = answer(64, 16);
  reply.inlined = false;
  const auto run_with = [&](Time work, int places) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.tx_queue = places;
    Program server =
        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 16), compute(Time{0}, work), reply}, 8);
    server.queue_pairs.front().second.ports = PortUse::all;  // lists are half as long as what is collected
    PostStep request = post_window(Verb::send, 64, 16);
    request.inlined = false;
    const Program client = program(queue_pairs(Transport::rc), {request, await(1)}, 8);
    return run(scenario_of(hardware, client, server, 4));
  };
  const RunResult held = run_with(100ns, 20);
  EXPECT_GT(busy(held, "server/cores of server"), 0.9);
  EXPECT_EQ(held.bottleneck.resource, "server/NIC processing units, waits included");
  const RunResult with_places = run_with(100ns, 64);
  EXPECT_GT(with_places.throughput.per_second, 1.1 * held.throughput.per_second);
  EXPECT_LT(run_with(70ns, 20).throughput.per_second, with_places.throughput.per_second);
  EXPECT_EQ(run_with(1us, 20).bottleneck.resource, "server/cores of server");
}

TEST(UtilisationReport, WhatAnotherProgramHoldsOrComputesIsNotWhatLimits) {
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::write, 8, 2), await(1)}), sink());
  Program busy = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 1), await(1), compute(20us)});
  busy.machine = "client";
  scenario.programs.emplace_back("busy", busy);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.utilisations.front().resource, "client/cores of busy");
  EXPECT_EQ(result.bottleneck.resource, "client/window of client");
  scenario.measure.program = "busy";
  EXPECT_EQ(run(scenario).bottleneck.resource, "client/cores of busy");
}

TEST(UtilisationReport, WhereRequestsPileUpWhatBroughtThemIsNotWhatLimits) {
  for (const Transport transport : {Transport::rc, Transport::ud}) {
    Scenario scenario =
        scenario_of(connect_ib(), program(queue_pairs(transport), {post(Verb::send, 32)}, 8),
                    program(queue_pairs(Transport::ud),
                            {collect(Channel::completion_queue, 16), compute(0ns, 500ns), answer(8, 16)}, 2),
                    4);
    scenario.measure.program = "server";
    scenario.measure.duration = 500us;
    const RunResult result = run(scenario);
    EXPECT_GT(busy(result, "server/NIC receive pipeline"), 0.99);
    EXPECT_EQ(result.bottleneck.resource, "server/cores of server");
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings.front().find("requests come to server faster than it collects them: "), 0U);
  }
}

/// READs of all threads by one client machine go to the first of four servers.
Scenario one_hot_server() {
  PostStep step = post_window(Verb::read, 4096, 16);
  step.destination = Destination::fixed;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step, await(1)}), sink());
  named(scenario.machines, "server").count = 4;
  hardware_of(scenario, "server").pcie.lanes = 4;
  return scenario;
}

TEST(UtilisationReport, OneBusyMachineOfAGroupLimitsThoughTheOthersIdle) {
  Scenario scenario = one_hot_server();
  const RunResult result = run(scenario);
  EXPECT_NEAR(busy(result, "server/PCIe downstream"), 0.25, 0.005);
  EXPECT_EQ(result.bottleneck.resource, "server/PCIe downstream (busiest machine)") << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.sentence.find("on average over the machines of the group it is 25 %"), std::string::npos)
      << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.next_resource, "server/PCIe downstream");
  // What is said to have room has.
  named(scenario.programs, "client").loop.front() = post_window(Verb::read, 4096, 16);
  const RunResult spread = run(scenario);
  EXPECT_GT(spread.throughput.per_second, 2 * result.throughput.per_second);
  EXPECT_FALSE(std::ranges::any_of(spread.utilisations, [](const Utilisation& item) {
    return item.resource.starts_with("server/") && item.resource.ends_with("(busiest machine)");
  }));
}

TEST(UtilisationReport, CoresOfOneMachineOfAGroupLimit) {
  PostStep step = post_window(Verb::send, 32, 32);
  step.destination = Destination::fixed;
  Program server = program(queue_pairs(Transport::ud),
                           {collect(Channel::completion_queue, 16), compute(0ns, 1us), answer(32, 16)}, 2);
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step, await(1)}), std::move(server), 2);
  named(scenario.machines, "server").count = 4;
  scenario.measure.duration = 2ms;
  // Threads are numbered across machines: each of two has one busy thread of two.
  const RunResult two = run(scenario);
  EXPECT_EQ(two.bottleneck.limit, Limit::unevenly_busy_threads) << two.bottleneck.sentence;
  named(scenario.programs, "server").threads = 1;
  const RunResult result = run(scenario);
  EXPECT_NEAR(busy(result, "server/cores of server"), 0.5, 0.01);
  EXPECT_EQ(result.bottleneck.resource, "server/cores of server (busiest machine)") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::cpu);
}

TEST(UtilisationReport, TheLockOfOneMachineOfAGroupIsTold) {
  PostStep step = post_window(Verb::fetch_add, 8, 32);
  step.region = region(1, 8);
  step.destination = Destination::fixed;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4));
  named(scenario.machines, "server").count = 8;
  scenario.measure.duration = 400us;
  scenario.measure.warmup = 100us;
  named(scenario.programs, "client").threads = 2;
  const Bottleneck found = run(scenario).bottleneck;
  EXPECT_EQ(found.resource, "server/atomic locks (busiest machine)") << found.sentence;
}

TEST(UtilisationReport, AFullPortLimitsWhateverTheOtherDoes) {
  HardwareProfile hardware = connect_ib();
  hardware.port.ports = 2;
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::write, 4096, 64), await(1)});
  const RunResult result = run(scenario_of(hardware, client, sink()));
  EXPECT_EQ(result.bottleneck.resource, "client/ports transmit");
  EXPECT_GT(result.bottleneck.busy, 0.9);
}

TEST(UtilisationReport, AtomicsOfANicWithoutEnginesWaitForPcie) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 0;
  PostStep step = post_window(Verb::fetch_add, 8, 32);
  step.region = region(4096, 8);
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4)));
  EXPECT_EQ(result.bottleneck.resource, "server/NIC receive pipeline");
  EXPECT_EQ(result.bottleneck.limit, Limit::pcie_round_trip);
}

/// Beside READs, whose responses wait while an atomic holds the pipeline.
TEST(UtilisationReport, AtomicsHoldBothPipelinesOfANicWithoutEngines) {
  const auto run_with = [](double share, Time latency_of_memory) {
    HardwareProfile hardware = connect_ib();
    hardware.atomics.engines = 0;
    hardware.nic.tx_response = 40ns;
    hardware.root_complex.read_latency = latency_of_memory;
    PostStep step = post_window(Verb::read, 64, 32);
    step.region = region(4096, 64);
    step.mix = {{.share = share, .verb = Verb::fetch_add, .payload = 8_B, .region = region(4096, 8)}};
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step, await(1)}, 4), sink(4), 2);
    scenario.measure.duration = 300us;
    return run(scenario);
  };
  const RunResult result = run_with(0.2, 200ns);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC transmit pipeline") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::pcie_round_trip);
  EXPECT_NE(result.bottleneck.sentence.find("; atomics hold it "), std::string::npos) << result.bottleneck.sentence;
  EXPECT_GT(run_with(0.2, 100ns).throughput.per_second, 1.1 * result.throughput.per_second) << "what holds the locks";
  const RunResult few = run_with(0.01, 200ns);
  EXPECT_EQ(few.bottleneck.resource, "server/NIC transmit pipeline") << few.bottleneck.sentence;
  EXPECT_EQ(few.bottleneck.limit, Limit::nic) << few.bottleneck.sentence;
  EXPECT_EQ(few.bottleneck.sentence.find("atomics"), std::string::npos) << few.bottleneck.sentence;
}

TEST(UtilisationReport, OneLockThatEverybodyWaitsForIsTheBottleneck) {
  PostStep step = post_window(Verb::fetch_add, 8, 32);
  step.region = region(1, 8);
  const auto run_with = [&step] {
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4));
    scenario.measure.duration = 400us;
    return run(scenario).bottleneck;
  };
  EXPECT_EQ(run_with().resource, "server/atomic locks");
  // Some of the operations touch other counters, whose locks are hardly ever taken.
  step.mix = {
      {.share = 0.2, .verb = Verb::fetch_add, .payload = 8_B, .region = region(4096, 8, AddressPattern::random)}};
  EXPECT_EQ(run_with().resource, "server/hottest atomic lock");
  EXPECT_EQ(run_with().limit, Limit::pcie_round_trip);
}

TEST(UtilisationReport, OneOfTwoLocksThatMostWaitForIsTheBottleneck) {
  PostStep step = post_window(Verb::fetch_add, 8, 32);
  step.region = region(1, 8);
  step.mix = {{.share = 0.6, .verb = Verb::fetch_add, .payload = 8_B, .region = region(2, 8, AddressPattern::random)}};
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4));
  scenario.measure.duration = 400us;
  const Bottleneck found = run(scenario).bottleneck;
  EXPECT_EQ(found.resource, "server/hottest atomic lock");
  EXPECT_GE(found.busy, 0.85);
}

}  // namespace
}  // namespace doorbell::model
