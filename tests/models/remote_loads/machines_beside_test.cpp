// Programs beside a load on remote memory: on its host, on its peers, and elsewhere.
#include "models/remote_loads/machines_beside.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/fixture.hpp"
#include "models/programs/active_threads.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

const QueuePairs datagrams_beside = queue_pairs(Transport::ud);

/// Sixteen blocks of 4 KiB at a time by each of four threads.
RemoteMemoryScenario blocks() {
  RemoteMemoryScenario remote = on_blocks(4, 16);
  remote.access.peers = 2;
  remote.access.queue_pairs = 2;
  return remote;
}

/// RPCs from four machines to `threads` threads on `machine`.
Scenario with_server(const RemoteMemoryScenario& remote, const std::string& machine, int threads,
                     Time service = 500ns) {
  Scenario scenario = scenario_about(remote);
  PostStep step = post_window(Verb::send, 32, 4);
  step.destination = Destination::random;
  Program client = program(datagrams_beside, {step, await(1)}, 2);
  client.machine = "client";
  Program server =
      program(datagrams_beside, {collect(Channel::completion_queue), compute(Time{0}, service), answer(32)}, threads);
  server.machine = machine;
  scenario.machines = {{"client", {"test", remote.hardware, 4}}};
  scenario.programs = {{"server", server}, {"client", client}};
  return scenario;
}

const KindSummary& operations_of(const RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.kinds, name, &KindSummary::kind);
  if (found == result.kinds.end()) throw std::out_of_range{"no operations of " + name};
  return *found;
}

TEST(MachinesBeside, AreTheHostItsPeersAndTheOthers) {
  const RemoteMemoryScenario remote = blocks();
  const ProgramScenario all = with_host_and_peers(with_server(remote, "host", 3), remote);
  ASSERT_EQ(all.machines.size(), 3U);
  EXPECT_EQ(all.machines[0].first, "host");
  EXPECT_EQ(all.machines[0].second.count, 1);
  EXPECT_EQ(all.machines[0].second.other_threads, 4);
  EXPECT_EQ(all.machines[1].first, "peer");
  EXPECT_EQ(all.machines[1].second.count, 2);
  EXPECT_EQ(all.machines[1].second.other_threads, 0);
  EXPECT_EQ(all.machines[2].first, "client");
  EXPECT_EQ(program_threads(all.programs, "host"), 3);
  EXPECT_EQ(program_threads(all.programs, "client"), 2);
  EXPECT_EQ(program_threads(all.programs, "peer"), 0);
}

TEST(MachinesBeside, DevicesOfOtherMachinesUseAllPeers) {
  const RemoteMemoryScenario remote = blocks();
  Scenario scenario = with_server(remote, "store", 2);
  MachineGroup store{"test", remote.hardware, 1};
  store.software = remote.software;
  store.remote_device = RemoteDeviceGroup{.peers = "peer", .access = {}};
  scenario.machines.emplace_back("store", store);
  const ProgramScenario all = with_host_and_peers(scenario, remote);
  EXPECT_EQ(all.machines.back().second.remote_device->access.peers, 2);
}

TEST(MachinesBeside, ProgramsThatShareNothingWithTheLoadDoNotTouchIt) {
  const RemoteMemoryScenario remote = blocks();
  Scenario scenario = with_server(remote, "store", 2);
  scenario.machines.emplace_back("store", MachineGroup{"test", remote.hardware, 1});
  const RunResult beside = run(scenario);
  const RunResult alone = run_of(remote);
  EXPECT_EQ(beside.throughput.per_second, alone.throughput.per_second);
  EXPECT_EQ(beside.latency.p99, alone.latency.p99);
  EXPECT_EQ(beside.bottleneck.sentence, alone.bottleneck.sentence);
  EXPECT_GT(operations_of(beside, "client").throughput.per_second, 1e6);
  EXPECT_EQ(alone.kinds.size(), 0U);
}

TEST(MachinesBeside, TheLoadSlowsTheProgramsOfItsHost) {
  RemoteMemoryScenario idle = blocks();
  idle.block->threads = idle.block->depth = 1;
  RemoteMemoryScenario busy = blocks();
  busy.block->threads = 8;
  busy.block->size = 64_KiB;
  const auto requests = [](const RemoteMemoryScenario& remote) { return run(with_server(remote, "host", 2)); };
  // One request in a hundred waits behind the packets that the NIC has read ahead of the port, as many as there are
  // places, less those of two answers.
  const Time packet = dma_read_cost(busy.hardware.pcie, Time{0}, busy.hardware.port.mtu).completion;
  EXPECT_GT(operations_of(requests(busy), "client").latency.p99,
            operations_of(requests(idle), "client").latency.p99 + packet * (busy.hardware.nic.tx_queue - 2));
}

TEST(MachinesBeside, ProgramsOfTheHostSlowTheLoad) {
  // Writes of 4 KiB from the host fill the link that reads the load's payloads.
  Scenario scenario = scenario_about(blocks());
  PostStep step = post_window(Verb::write, 4096, 32);
  step.inlined = false;
  step.to = "sink";
  Program writer = program(queue_pairs(Transport::rc, 4), {step, await(1)}, 4);
  writer.machine = "host";
  Program target = sink();
  target.machine = "peer";
  scenario.programs = {{"writer", writer}, {"sink", target}};
  const RunResult alone = run_of(blocks());
  const RunResult beside = run(scenario);
  EXPECT_LT(beside.throughput.per_second, 0.8 * alone.throughput.per_second);
  EXPECT_EQ(beside.bottleneck.resource.rfind("host/", 0), 0U) << beside.bottleneck.sentence;
  // Together they move no more than the ports do.
  const double bytes = beside.bandwidth.bytes_per_second + operations_of(beside, "writer").throughput.per_second * 4096;
  const PortParameters& port = blocks().hardware.port;
  EXPECT_LE(bytes, port.bandwidth.bytes_per_second * port.ports);
}

TEST(MachinesBeside, ProgramsKeepHardwareThreadsToThemselves) {
  RemoteMemoryScenario remote = blocks();
  remote.hardware.cpu.cores = 6;
  remote.hardware.cpu.threads_per_core = 1;
  remote.hardware.cpu.turbo = {Rate{2e9}};
  // One of six cores is left to the load ...
  const RunResult beside = run(with_server(remote, "host", 5));
  // ... even if nothing ever comes.
  Scenario silent = with_server(remote, "host", 5);
  std::get<PostStep>(silent.programs.back().second.loop.front()).to = "other";
  Program other = sink();
  other.machine = "peer";
  silent.programs.front().second.loop = {compute(1us)};
  silent.programs.emplace_back("other", other);
  const double left = run(silent).throughput.per_second;
  const double alone = run_of(remote).throughput.per_second;
  EXPECT_LT(left, 0.6 * alone);
  EXPECT_LT(beside.throughput.per_second, 0.6 * alone);
}

TEST(MachinesBeside, OnlyMachinesOfTheLoadCanLimitIt) {
  // One block at a time, while programs elsewhere fill their NICs.
  RemoteMemoryScenario remote = on_blocks(1, 1);
  Scenario scenario = scenario_about(remote);
  PostStep step = post_window(Verb::read, 8, 16);
  step.to = "store";
  Program reader = program(queue_pairs(Transport::rc, 4), {step, await(1)}, 8);
  reader.machine = "client";
  Program store = sink();
  store.machine = "store";
  scenario.machines = {{"client", {"test", remote.hardware, 3}}, {"store", {"test", remote.hardware, 1}}};
  scenario.programs = {{"reader", reader}, {"store", store}};
  const RunResult result = run(scenario);
  EXPECT_GT(std::ranges::max(result.utilisations, {}, &Utilisation::busy).busy, 0.95);
  EXPECT_EQ(result.bottleneck.sentence, run_of(remote).bottleneck.sentence);
}

TEST(MachinesBeside, HandlersThatPollAndDaemonsSlowPrograms) {
  const auto others = [](const RemoteMemoryScenario& remote) {
    const ProgramScenario all = with_host_and_peers(with_server(remote, "host", 2), remote);
    const auto others_of = [&](std::size_t i) {
      return threads_beside(all.programs, all.machines[i].first, all.machines[i].second);
    };
    return std::pair{others_of(0), others_of(1)};
  };
  RemoteMemoryScenario remote = blocks();
  EXPECT_EQ(others(remote), std::pair(4, 0));
  remote.access.completion.mode = CompletionMode::busy;  // two queue pairs to each of two peers
  EXPECT_EQ(others(remote), std::pair(4 + 4, 0));
  remote.block->in_handler = true;
  EXPECT_EQ(others(remote), std::pair(4, 0));
  remote.access.protocol = Protocol::two_sided;
  remote.software.daemon.threads = 3;
  EXPECT_EQ(others(remote), std::pair(4, 3));
}

TEST(MachinesBeside, WhatCompletesNothingIsTold) {
  Scenario scenario = scenario_about(blocks());
  PostStep step = post_window(Verb::read, 8, 1);
  step.to = "store";
  Program reader = program(queue_pairs(Transport::rc, 2), {compute(1s), step, await(1)});
  reader.machine = "host";
  Program store = sink();
  store.machine = "peer";
  scenario.programs = {{"reader", reader}, {"store", store}};
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("no operation of reader"), std::string::npos);
  EXPECT_EQ(operations_of(result, "reader").throughput, Rate{});
}

TEST(MachinesBeside, WhatProgramsLoseIsTold) {
  Scenario scenario = scenario_about(blocks());
  PostStep flood = post(Verb::send, 32, 4);
  flood.to = "server";
  Program client = program(datagrams_beside, {flood});
  client.machine = "client";
  Program server = program(datagrams_beside, {collect(Channel::completion_queue), compute(20us), replenish()});
  server.machine = "host";
  scenario.machines = {{"client", {"test", blocks().hardware, 1}}};
  scenario.programs = {{"server", server}, {"client", client}};
  const RunResult result = run(scenario);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings.front().find("server lost"), std::string::npos);
}

TEST(MachinesBeside, TheSameSeedGivesTheSameResult) {
  const Scenario scenario = with_server(blocks(), "host", 2);
  const RunResult one = run(scenario);
  const RunResult other = run(scenario);
  EXPECT_EQ(one.throughput.per_second, other.throughput.per_second);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(operations_of(one, "client").latency.p99, operations_of(other, "client").latency.p99);
}

}  // namespace
}  // namespace doorbell::model
