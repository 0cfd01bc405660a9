#include "models/nic/receive_pipeline.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Small READs by both ports of a client, and, if wanted, WRITEs of 4 KiB that fill port 0.
Scenario pings(bool with_large_writes) {
  PostStep ping = post_window(Verb::read, 8, 1);
  ping.region = region(16, 64);
  Scenario scenario =
      scenario_of(attentive_machine(), program(queue_pairs(Transport::rc), {ping, await(1)}, 2), sink());
  if (with_large_writes) {
    PostStep large = post(Verb::write, 4096);
    large.inlined = false;
    Program writer = program(queue_pairs(Transport::uc), {large});  // one thread: port 0
    writer.machine = "client";
    scenario.programs.emplace_back("writer", writer);
  }
  scenario.measure.duration = 500us;
  return scenario;
}

TEST(ReceivePipeline, AMessageDoesNotWaitForOneOfAnotherPortThatIsReadyLater) {
  // A packet of 4 KiB is announced 600 ns before it is complete. What comes by the other port meanwhile goes first.
  const Time alone = run(pings(false)).latency.p50;
  const RunResult crowded = run(pings(true));
  EXPECT_GT(busy(crowded, "server/ports receive"), 0.49);  // port 0 is full
  // Most READs are those of the free port. They share the links with large packets, but wait for none of them; their
  // cores wait until MMIO writes have passed the large packets' payload.
  const HardwareProfile hardware = connect_ib();
  const Time barrier = transfer_time(hardware.root_complex.completion_queue, dma_read_limit(hardware.pcie));
  EXPECT_LT(crowded.latency.p50, alone + 150ns + barrier);
}

TEST(ReceivePipeline, ServesTheMessagesOfAllPortsAndOneAtATime) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.rx_message = 100ns;
  hardware.port.receive_buffer = Bytes{4096};
  const auto rate = [&](int threads) {
    const Program client = program(queue_pairs(Transport::uc), {post(Verb::write, 28)}, threads);
    Scenario scenario = scenario_of(hardware, client, sink(2));
    scenario.measure.warmup = 200us;
    return run(scenario).throughput.per_second;
  };
  const double limit = rate_of(100ns + hardware.nic.rx_dma);
  EXPECT_NEAR(rate(1), limit, limit * 0.01);  // by port 0
  EXPECT_NEAR(rate(2), limit, limit * 0.01);  // by both
}

TEST(ReceivePipeline, WhatComesLatePassesNothingOfItsQueuePair) {
  // ACKs wait for contexts, and responses, which take longer on their way, for what they belong to.
  PostStep step = post(Verb::write, 8);
  step.signal_every = 1;
  step.region = region(1000, 4096, AddressPattern::random);
  step.mix = {{.share = 0.5, .verb = Verb::read, .payload = 8_B, .region = step.region}};
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step}, 8), sink());
  hardware_of(scenario, "client").nic.qp_contexts = 4;
  hardware_of(scenario, "client").nic.read_states = 1;
  hardware_of(scenario, "client").nic.read_response_latency = 2us;
  Simulation simulation{scenario};
  EXPECT_EQ(overtaken_cqes(simulation, "client", 2ms), 0);
  EXPECT_GT(statistics(simulation, "client").operations, 1000U);
}

TEST(ReceivePipeline, IsFairToPorts) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.rx_message = 200ns;
  hardware.port.receive_buffer = Bytes{4096};
  const Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::uc), {post(Verb::write, 28)}, 2), sink(2));
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  auto& ports = simulation.machines().front().instances.front()->nic().ports();
  const auto first = static_cast<double>(ports[0]->receiver().jobs());
  const auto second = static_cast<double>(ports[1]->receiver().jobs());
  EXPECT_GT(first + second, 4000);
  EXPECT_NEAR(first / second, 1, 0.05);
}

TEST(ReceivePipeline, HoweverLongAPacketIsOnItsWayTheOtherPortIsServed) {
  const auto median = [](bool with_large_writes) {
    Scenario scenario = pings(with_large_writes);
    // Of 4 KiB, a packet is announced 4 us before it is complete.
    for (auto& [name, group] : scenario.machines) group.hardware.port.bandwidth = Bandwidth{1e9};
    return run(scenario).latency.p50;  // of the free port, which serves most READs
  };
  EXPECT_LT(median(true), median(false) + 500ns);
}

}  // namespace
}  // namespace doorbell::model
