// What operations hold when no resource is saturated.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/common/bottleneck.hpp"
#include "models/fixture.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

Bottleneck limit_of(const HardwareProfile& hardware, const PostStep& step, int at_least) {
  return run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(at_least)}), sink())).bottleneck;
}

TEST(UtilisationReportHolders, AWindowThatIsAlwaysFullLimits) {
  const Bottleneck few = limit_of(connect_ib(), post_window(Verb::read, 8, 4), 1);
  EXPECT_EQ(few.resource, "client/window of client");
  EXPECT_EQ(few.limit, Limit::in_flight);
  EXPECT_LE(few.busy, 1);
}

TEST(UtilisationReportHolders, AWindowOfOneIsFullWhileAnOperationIsUnderWay) {
  AwaitStep slow = await(1);
  slow.per_item = 300ns;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 1), slow}), sink());
  scenario.measure.duration = 10ms;
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client");
  EXPECT_NEAR(result.bottleneck.busy, result.throughput.per_second * to_seconds(result.latency.mean), 5e-4);
}

TEST(UtilisationReportHolders, AWindowIsNeverMoreThanFull) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.latency = 20us;  // an operation takes four of them, longer than the time measured
  Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::rc), {post_window(Verb::write, 8, 4), await(1)}), sink());
  scenario.measure.warmup = 70us;
  scenario.measure.duration = 50us;
  const Bottleneck bottleneck = run(scenario).bottleneck;
  EXPECT_EQ(bottleneck.resource, "client/window of client");
  EXPECT_LE(bottleneck.busy, 1);
}

TEST(UtilisationReportHolders, READsBeyondTheLimitOfTheirQueuePairLimit) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_outstanding_reads = 2;
  EXPECT_EQ(limit_of(hardware, post_window(Verb::read, 8, 64), 1).resource, "client/READs in flight of client");
  hardware.nic.max_outstanding_reads = 64;
  EXPECT_NE(limit_of(hardware, post_window(Verb::read, 8, 64), 1).resource, "client/READs in flight of client");
}

TEST(UtilisationReportHolders, READsWhoseWqesAreReadAgainAreHeldUpByTheNicsMemory) {
  PostStep step = post_window(Verb::read, 8, 256);
  step.method = PostMethod::mmio;
  step.inlined = false;
  step.signal_every = 256;
  step.region = region(512, 64);
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(0)}, 14), sink(4));
  scenario.measure.warmup = 400us;
  scenario.measure.duration = 1ms;
  NicParameters& nic = hardware_of(scenario, "client").nic;
  nic.wqe_cache = 1600;
  nic.wqe_cache_ways = 3;
  nic.wqe_cache_place = 256_B;
  nic.wqe_fetch_unit = 256_B;
  nic.read_growth = 2;
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.limit, Limit::nic_memory) << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.sentence.find("more of that"), std::string::npos) << result.bottleneck.sentence;
  Scenario more = scenario;
  for (const char* side : {"client", "server"}) hardware_of(more, side).nic.max_outstanding_reads *= 4;
  EXPECT_LT(run(more).throughput.per_second, result.throughput.per_second) << "more under way miss more often";
  nic.wqe_cache = 16000;
  EXPECT_GT(run(scenario).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(UtilisationReportHolders, READsInFlightLimitBeforeTheWindowThatWaitsForThemAndCoresThatPollForFew) {
  const auto rate = [](int reads, int pairs) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.max_outstanding_reads = reads;
    const Program reader =
        program(queue_pairs(Transport::rc, pairs), {post_window(Verb::read, 8, 64 / pairs), await(1)});
    return run(scenario_of(hardware, reader, sink()));
  };
  for (const int reads : {4, 8, 12}) {
    const RunResult one = rate(reads, 1);
    EXPECT_EQ(one.bottleneck.resource, "client/READs in flight of client") << reads;
    EXPECT_GT(rate(reads, 2).throughput.per_second, 1.1 * one.throughput.per_second) << reads;
  }
}

TEST(UtilisationReportHolders, READsBeyondTheLimitLimitBesideQueuePairsThatWrite) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.max_outstanding_reads = 2;
  PostStep write = post_window(Verb::write, 8, 65);  // one WRITE beside 64 READs
  write.queue_pairs = "others";
  Program client = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 64), write, await(1)});
  client.queue_pairs.emplace_back("others", queue_pairs(Transport::rc));
  EXPECT_EQ(run(scenario_of(hardware, client, sink())).bottleneck.resource, "client/READs in flight of client");
}

TEST(UtilisationReportHolders, TagsThatReadsWaitForLimit) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.read_tags = 1;
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 16), await(1)}, 4);
  const Scenario scenario = scenario_of(hardware, client, sink(4));
  EXPECT_EQ(run(scenario).bottleneck.resource, "server/PCIe read tags");
}

TEST(UtilisationReportHolders, CreditsThatReadsWaitForLimit) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.nonposted_header_credits = 1;
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 16), await(1)}, 4);
  EXPECT_EQ(run(scenario_of(hardware, client, sink(4))).bottleneck.resource, "server/PCIe non-posted credits");
}

TEST(UtilisationReportHolders, ASendQueueWithoutRoomLimits) {
  QueuePairs pairs = queue_pairs(Transport::rc);
  pairs.depth = 1;
  PostStep step = post(Verb::write, 8);
  step.signal_every = 1;
  const RunResult result = run(scenario_of(connect_ib(), program(pairs, {step}), sink()));
  EXPECT_EQ(result.bottleneck.resource, "client/send queues of client");
}

TEST(UtilisationReportHolders, RoundsOfSelectiveSignalingLimit) {
  PostStep step = post_window(Verb::write, 8, 16);
  step.signal_every = 2;
  const auto run_with = [&](PollCqes poll) {
    step.poll = poll;
    return run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink()));
  };
  const RunResult rounds = run_with(PollCqes::by_rounds);
  EXPECT_EQ(rounds.bottleneck.limit, Limit::signaled_rounds);
  EXPECT_NE(rounds.bottleneck.sentence.find("when_awaited"), std::string::npos);
  const RunResult window = run_with(PollCqes::when_awaited);
  EXPECT_NE(window.bottleneck.limit, Limit::signaled_rounds);
  EXPECT_GT(window.throughput.per_second, 3 * rounds.throughput.per_second);
}

TEST(UtilisationReportHolders, RoundsLimitWhoHasSomethingElseToDoMeanwhile) {
  PostStep step = post_window(Verb::write, 8, 16);
  step.signal_every = 4;
  const RunResult result =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 2), {step, await(1)}), sink()));
  EXPECT_EQ(result.bottleneck.limit, Limit::signaled_rounds);
  EXPECT_GT(busy(result, "client/cores of client"), 0.2) << "the rest of the time they wait";
}

TEST(UtilisationReportHolders, RoundsLimitWhoseCoresAreNotQuiteBusy) {
  QueuePairs pairs = queue_pairs(Transport::rc, 4);
  pairs.depth = 16;
  PostStep step = post_window(Verb::write, 8, 64);
  step.signal_every = 4;
  const auto run_with = [&](PollCqes poll) {
    step.poll = poll;
    return run(scenario_of(connect_ib(), program(pairs, {step, await(1)}, 4), sink()));
  };
  const RunResult result = run_with(PollCqes::by_rounds);
  EXPECT_LT(busy(result, "client/cores of client"), 0.85);
  EXPECT_EQ(result.bottleneck.limit, Limit::signaled_rounds);
  EXPECT_GT(run_with(PollCqes::when_awaited).throughput.per_second, 1.1 * result.throughput.per_second);
}

TEST(UtilisationReportHolders, AServerThatWaitsForItsOwnCompletionsLimitsAndNotItsClients) {
  PostStep reply = answer(1024, 4);
  reply.inlined = false;
  const auto run_with = [&](int signal_every, int window) {
    reply.signal_every = signal_every;
    const Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 16), reply});
    const Program client = program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, window), await(1)}, 4);
    return run(scenario_of(connect_ib(), client, server, 4));
  };
  const RunResult often = run_with(8, 8);
  EXPECT_EQ(often.bottleneck.resource, "server/send queues of server");
  EXPECT_EQ(often.bottleneck.limit, Limit::own_completions);
  EXPECT_LT(run_with(8, 16).throughput.per_second, 1.1 * often.throughput.per_second);
  EXPECT_GT(run_with(64, 8).throughput.per_second, 1.5 * often.throughput.per_second);
}

TEST(UtilisationReportHolders, PayloadsBeingReadThatFillTheTransmitQueueLimit) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.tx_queue = 2;
  PostStep step = post(Verb::send, 64, 16);
  step.inlined = false;
  const auto run_with = [&](const HardwareProfile& sender) {
    return run(scenario_of(sender, program(queue_pairs(Transport::ud, 2), {step}, 4), sink(4)));
  };
  const RunResult two = run_with(hardware);
  EXPECT_EQ(two.bottleneck.resource, "client/NIC transmit queue");
  EXPECT_EQ(two.bottleneck.limit, Limit::in_flight);
  hardware.nic.tx_queue = 32;
  EXPECT_GT(run_with(hardware).throughput.per_second, 1.2 * two.throughput.per_second);
}

TEST(UtilisationReportHolders, PostedCreditsThatAreShortLimit) {
  const Program client = program(queue_pairs(Transport::rc, 4), {post_window(Verb::write, 4096, 64), await(1)}, 2);
  Scenario scenario = scenario_of(connect_ib(), client, sink());
  scenario.measure.duration = 1ms;
  const RunResult enough = run(scenario);
  hardware_of(scenario, "server").pcie.posted_header_credits = 2;
  const RunResult two = run(scenario);
  EXPECT_LT(two.throughput.per_second, 0.5 * enough.throughput.per_second);
  EXPECT_EQ(two.bottleneck.resource, "server/PCIe posted credits");
  EXPECT_EQ(two.bottleneck.limit, Limit::credits);
}

TEST(UtilisationReportHolders, PostedCreditsLimitThoughTheirLinkIsHardlyEverIdle) {
  const Program client = program(queue_pairs(Transport::rc, 4), {post_window(Verb::write, 4096, 64), await(1)}, 2);
  Scenario scenario = scenario_of(connect_ib(), client, sink());
  scenario.measure.duration = 1ms;
  PcieParameters& pcie = hardware_of(scenario, "server").pcie;
  pcie.lanes = 8;
  pcie.max_payload = 128_B;
  pcie.posted_header_credits = 17;
  const RunResult few = run(scenario);
  EXPECT_GT(busy(few, "server/PCIe upstream"), saturated);
  EXPECT_EQ(few.bottleneck.resource, "server/PCIe posted credits") << few.bottleneck.sentence;
  // What is named helps, and the link does not.
  const Bandwidth lane = std::exchange(pcie.lane_bandwidth, pcie.lane_bandwidth * 1.25);
  EXPECT_LT(run(scenario).throughput.per_second, 1.03 * few.throughput.per_second);
  pcie.lane_bandwidth = lane;
  pcie.posted_header_credits = 21;
  const RunResult more = run(scenario);
  EXPECT_GT(more.throughput.per_second, 1.05 * few.throughput.per_second);
  EXPECT_EQ(more.bottleneck.resource, "server/PCIe upstream") << more.bottleneck.sentence;
}

TEST(UtilisationReportHolders, WhatIsShortComesBeforeTheQueuesThatItFillsElsewhere) {
  std::vector<Utilisation> holders{{"client/NIC transmit queue", 1, Limit::in_flight},
                                   {"client/NIC processing units, waits included", 1, Limit::nic_unit_waits},
                                   {"server/PCIe read tags", 0, Limit::read_tags},
                                   {"server/PCIe posted credits", 1, Limit::credits},
                                   {"server/receive buffers", 1, Limit::receive_buffer}};
  sort_causes_first(holders);
  EXPECT_EQ(holders[0].resource, "server/PCIe read tags") << "the order among causes stays";
  EXPECT_EQ(holders[1].resource, "server/PCIe posted credits");
  EXPECT_EQ(holders[2].resource, "server/receive buffers");
  EXPECT_EQ(holders[3].resource, "client/NIC transmit queue");
}

TEST(UtilisationReportHolders, WaitForTheirOwnMachinesAndThoseTheySendTo) {
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 4), await(1)});
  Scenario scenario = scenario_of(connect_ib(), client, sink());
  scenario.machines.emplace_back("second", named(scenario.machines, "client"));
  scenario.programs.emplace_back("second", on("second", client));
  Simulation simulation{scenario};
  run_through(simulation);
  const auto holders = report_holders(simulation, simulation.program("client"), scenario.measure.duration);
  const auto reached_by = [&](const std::string& name) {
    return std::ranges::find(holders, name, &Utilisation::resource)->reaches;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(reached_by("client/READs in flight of client"), (Names{"client", "server"}));
  EXPECT_EQ(reached_by("client/receive buffers"), (Names{"client", "server"}));
  EXPECT_EQ(reached_by("server/receive buffers"), (Names{"server", "client", "second"}));
}

/// A sender whose transmit queue is short for lack of credits at the receiver.
TEST(UtilisationReportHolders, AFullTransmitQueueIsNoCauseWhereTheReceiverHasNoCredits) {
  const Program client = program(queue_pairs(Transport::rc, 4), {post_window(Verb::write, 4096, 64), await(1)}, 4);
  Scenario scenario = scenario_of(connect_ib(), client, sink());
  scenario.measure.duration = 1ms;
  hardware_of(scenario, "client").nic.tx_queue = 2;
  hardware_of(scenario, "server").pcie.posted_header_credits = 2;
  EXPECT_EQ(run(scenario).bottleneck.resource, "server/PCIe posted credits");
  std::ranges::reverse(scenario.machines);
  EXPECT_EQ(run(scenario).bottleneck.resource, "server/PCIe posted credits") << "whichever comes first in the file";
}

TEST(UtilisationReportHolders, LocksThatTogetherStopThePipelineLimitThoughNoneIsBusy) {
  PostStep step = post_window(Verb::fetch_add, 8, 64);
  step.region = region(32, 8, AddressPattern::random);
  const auto run_with = [&step](int address_bits, int engine_queue) {
    HardwareProfile hardware = connect_ib();
    hardware.atomics.address_bits = address_bits;
    hardware.atomics.queue = engine_queue;
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step, await(1)}, 8), sink(8));
    scenario.measure.duration = 400us;
    return run(scenario);
  };
  const RunResult shared = run_with(12, 1);
  EXPECT_LT(busy(shared, "server/atomic locks"), 0.6);
  EXPECT_EQ(shared.bottleneck.resource, "server/queues of atomic engines");
  EXPECT_EQ(shared.bottleneck.limit, Limit::pcie_round_trip);
  // What is said to limit does.
  EXPECT_GT(run_with(12, 64).throughput.per_second, 1.2 * shared.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
