#include "models/remote_memory/remote_device.hpp"
#include "models/desktop_disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/remote_loads/machines_beside.hpp"
#include "models/remote_memory/lone_core.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(RemoteDevice, ObeysLittlesLaw) {
  for (const int threads : {1, 4}) {
    const RunResult result = run_of(on_blocks(threads, 16));
    // A request is issued 1 us before the device has it.
    const double in_flight = result.throughput.per_second * to_seconds(result.latency.mean - 1us);
    EXPECT_NEAR(level(result, "host/operations in flight"), in_flight, in_flight * 0.03);
    EXPECT_LE(level(result, "host/operations in flight"), 16 * threads);
    EXPECT_NEAR(result.bandwidth.bytes_per_second, result.throughput.per_second * 4096,
                result.throughput.per_second * 4096 * 0.01);
    EXPECT_NEAR(per_operation(result, "host/RDMA writes"), 1, 0.01);
  }
}

TEST(RemoteDevice, CopyingAddsItsTime) {
  const Time in_place = run_of(one_at_a_time(64_KiB)).latency.p50;
  RemoteMemoryScenario copying = one_at_a_time(64_KiB);
  copying.access.registration = Registration::copy;
  const Time copied = run_of(copying).latency.p50;
  EXPECT_NEAR(to_nanoseconds(copied - in_place), 65536 / 4.0, 65536 / 4.0 * 0.01 + 50);
  copying.block->read_share = 1;  // on the way back
  RemoteMemoryScenario reading = one_at_a_time(64_KiB);
  reading.block->read_share = 1;
  EXPECT_NEAR(to_nanoseconds(run_of(copying).latency.p50 - run_of(reading).latency.p50), 65536 / 4.0,
              65536 / 4.0 * 0.02 + 50);
}

TEST(RemoteDevice, WhatIsWrittenToSeveralMachinesIsCopiedOnce) {
  RemoteMemoryScenario remote = one_at_a_time(64_KiB);
  remote.access.peers = 2;
  remote.access.replicas = 2;
  const Time in_place = run_of(remote).latency.p50;
  remote.access.registration = Registration::copy;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - in_place), 65536 / 4.0, 65536 / 4.0 * 0.01 + 50);
}

TEST(RemoteDevice, EachRequestHasTheQueuesLineTransferredWhenItIsPutInAndWhenItIsTaken) {
  const auto record = [](Time transfer) {
    RemoteMemoryScenario remote = remote_memory();
    remote.files = FileLoad{.record = 4_KiB, .read_share = 0};
    remote.access.peers = 4;
    remote.access.stripe = 1_KiB;
    remote.access.batching = Batching::doorbell;
    remote.access.completion.mode = CompletionMode::busy;
    remote.software.lock.transfer = transfer;
    remote.duration = 20ms;
    return to_nanoseconds(run_of(remote).latency.p50);
  };
  EXPECT_NEAR(record(2us) - record(1us), 8 * 1000, 50);
}

TEST(RemoteDevice, MappingCostsMoreInUserSpace) {
  RemoteMemoryScenario mapping = one_at_a_time(4_KiB);
  mapping.access.registration = Registration::map;
  const Time kernel = run_of(mapping).latency.p50;
  mapping.access.space = AddressSpace::user;
  EXPECT_NEAR(to_nanoseconds(run_of(mapping).latency.p50 - kernel), 50'100 - 110, 300);
  mapping.access.registration = Registration::threshold;
  mapping.access.space = AddressSpace::kernel;
  EXPECT_NEAR(to_nanoseconds(run_of(mapping).latency.p50), to_nanoseconds(kernel), 20);
}

TEST(RemoteDevice, EveryWqeIsReadByDma) {
  RemoteMemoryScenario scenario = one_at_a_time(4_KiB);
  const double wqe = static_cast<double>(scenario.hardware.nic.wqe_fetch_unit.count) / 64;
  EXPECT_NEAR(per_operation(run_of(scenario), "host/PCIeRdCur"), 64 + wqe, 0.5);
  scenario.block->read_share = 1;
  EXPECT_NEAR(per_operation(run_of(scenario), "host/PCIeRdCur"), wqe, 0.05);
}

TEST(RemoteDevice, SmallDataMayBeCopiedInsteadOfMapped) {
  RemoteMemoryScenario scenario = one_at_a_time(4_KiB);
  scenario.access.space = AddressSpace::user;
  scenario.access.registration = Registration::copy;
  const Time copied = run_of(scenario).latency.p50;
  scenario.access.registration = Registration::map;
  const Time mapped = run_of(scenario).latency.p50;
  scenario.access.copy_up_to = 4_KiB;
  EXPECT_EQ(run_of(scenario).latency.p50, copied);
  scenario.access.copy_up_to = 4095_B;
  EXPECT_EQ(run_of(scenario).latency.p50, mapped);
}

// A message moves in parts: its way through link, wire and link overlaps.
TEST(RemoteDevice, LongMessagesMoveAsTrains) {
  const double one = to_nanoseconds(run_of(one_at_a_time(4_KiB)).latency.p50);
  const double many = to_nanoseconds(run_of(one_at_a_time(1024_KiB)).latency.p50);
  const PortParameters& port = remote_memory().hardware.port;
  const double wire = 1024 * 1024 / port.bandwidth.bytes_per_second * 1e9;
  EXPECT_GT(many, wire);
  EXPECT_LT(many, one + wire * 1.25);
}

TEST(RemoteDevice, WritesEveryReplica) {
  RemoteMemoryScenario remote = on_blocks(2, 8);
  remote.access.peers = 3;
  remote.access.replicas = 2;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 2, 0.02);
  remote.block->read_share = 1;
  const RunResult reads = run_of(remote);
  EXPECT_NEAR(per_operation(reads, "host/RDMA reads"), 1, 0.01);
  EXPECT_EQ(per_operation(reads, "host/RDMA writes"), 0);
}

RemoteMemoryScenario with_disk() {
  RemoteMemoryScenario remote = on_blocks(4, 8);
  remote.hardware.disk = desktop_disk();
  remote.access.peers = 3;
  remote.access.replicas = 2;
  remote.access.stripe = 4_KiB;
  return remote;
}

TEST(RemoteDevice, OtherReplicasStandInForAMachineThatDoesNotAnswer) {
  RemoteMemoryScenario remote = with_disk();
  remote.access.unreachable = 1;
  // Of three stripes one has both its replicas left, and two have one.
  const RunResult writes = run_of(remote);
  EXPECT_NEAR(per_operation(writes, "host/RDMA writes"), 4.0 / 3, 0.02);
  remote.block->read_share = 1;
  const RunResult reads = run_of(remote);
  EXPECT_NEAR(per_operation(reads, "host/RDMA reads"), 1, 0.01);
  // Nothing is lost, so that no disk is needed.
  remote.hardware.disk.reset();
  EXPECT_EQ(run_of(remote).throughput.per_second, reads.throughput.per_second);
}

TEST(RemoteDevice, WhereNoReplicaIsLeftTheDiskIsReadAndWritten) {
  for (const double read_share : {0.0, 1.0}) {
    RemoteMemoryScenario remote = with_disk();
    remote.block->read_share = read_share;
    remote.access.unreachable = 2;
    remote.warmup = 500ms;
    remote.duration = 5s;
    const RunResult result = run_of(remote);
    EXPECT_NEAR(per_operation(result, read_share > 0 ? "host/RDMA reads" : "host/RDMA writes"), 2.0 / 3, 0.05);
    EXPECT_EQ(result.bottleneck.resource, "host/disk");
    EXPECT_EQ(result.bottleneck.limit, Limit::disk_heads);
    EXPECT_LT(result.latency.p50, 100us);
    EXPECT_GT(result.latency.p99, 500us);
  }
}

TEST(RemoteDevice, WithoutAnyMachineAllIsOnTheDisk) {
  RemoteMemoryScenario remote = with_disk();
  remote.block = BlockLoad{.threads = 1, .depth = 64, .size = 64_KiB, .order = AccessOrder::sequential};
  remote.access.unreachable = 3;
  remote.duration = 2s;
  remote.hardware.disk->mechanics.queue_depth = 2;  // or each write would miss a revolution
  const RunResult result = run_of(remote);
  EXPECT_EQ(per_operation(result, "host/RDMA writes"), 0);
  EXPECT_LE(result.bandwidth.bytes_per_second, 100e6);
  EXPECT_GT(result.bandwidth.bytes_per_second, 90e6);
}

TEST(RemoteDevice, ACopyOnTheDiskIsWaitedForAndNotRead) {
  RemoteMemoryScenario remote = with_disk();
  remote.access.copy_on_disk = true;
  remote.duration = 2s;
  const RunResult writes = run_of(remote);
  EXPECT_NEAR(per_operation(writes, "host/RDMA writes"), 2, 0.1);
  EXPECT_EQ(writes.bottleneck.resource, "host/disk");
  remote.block->read_share = 1;
  remote.duration = 5ms;
  const RunResult reads = run_of(remote);
  EXPECT_EQ(per_operation(reads, "host/disk reads"), 0);
  remote.access.copy_on_disk = false;
  EXPECT_EQ(run_of(remote).throughput.per_second, reads.throughput.per_second);
}

TEST(RemoteDevice, StripesLieOnAllMachinesInTurn) {
  RemoteMemoryScenario remote = one_at_a_time(64_KiB);
  remote.access.completion.mode = CompletionMode::event;
  const auto handler = [&](int peers) {
    remote.access.peers = peers;
    remote.access.stripe = 64_KiB;
    const RunResult result = run_of(remote);
    return busy(result, "host/busiest completion handler") / result.throughput.per_second;
  };
  const double one = handler(1);
  EXPECT_NEAR(handler(4) / one, 0.25, 0.01);
}

TEST(RemoteDevice, TheWindowBoundsWhatIsInFlight) {
  RemoteMemoryScenario remote = on_blocks(8, 64);
  remote.access.batching = Batching::hybrid;
  remote.access.window = 64_KiB;
  const RunResult result = run_of(remote);
  // It may be exceeded by one merged request.
  EXPECT_LE(level(result, "host/bytes in flight"), (64 + 128) * 1024);
  EXPECT_GT(result.throughput.per_second, 0);
}

TEST(RemoteDevice, ASmallWindowLetsOneRequestThroughWhereNothingIsMerged) {
  for (const Batching batching : {Batching::single, Batching::doorbell}) {
    RemoteMemoryScenario remote = on_blocks(4, 64);
    remote.access.batching = batching;
    remote.access.window = 8_KiB;
    EXPECT_LE(level(run_of(remote), "host/bytes in flight"), 3 * 4096) << static_cast<int>(batching);
  }
}

TEST(RemoteDevice, MergesWhatWaits) {
  RemoteMemoryScenario remote = on_blocks(8, 64);
  remote.access.window = 64_KiB;
  remote.access.batching = Batching::single;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 1, 0.01);
  remote.access.batching = Batching::doorbell;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 1, 0.01);
  remote.access.batching = Batching::merge;
  EXPECT_LT(per_operation(run_of(remote), "host/RDMA writes"), 0.9);
  // Random blocks are hardly ever adjacent.
  remote.block->order = AccessOrder::random;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 1, 0.01);
}

TEST(RemoteDevice, WithoutAWindowOthersTakeWhatIsStillBeingQueued) {
  RemoteMemoryScenario remote = on_blocks(8, 64);
  remote.access.batching = Batching::merge;
  remote.software.block.merge_check = 2us;
  EXPECT_LT(per_operation(run_of(remote), "host/RDMA writes"), 0.95);
  remote.software.block.merge_check = 0ns;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 1, 0.01);
}

TEST(RemoteDevice, MoreQueuePairsNeverHurtOneThread) {
  RemoteMemoryScenario remote = on_blocks(1, 32);
  const double one = run_of(remote).throughput.per_second;
  remote.access.queue_pairs = 4;
  EXPECT_NEAR(run_of(remote).throughput.per_second, one, one * 0.02);
}

TEST(RemoteDevice, TheSameSeedGivesTheSameRun) {
  RemoteMemoryScenario remote = on_blocks(4, 16);
  remote.hardware.cpu.variation = 0.5;
  const RunResult first = run_of(remote, 7);
  const RunResult second = run_of(remote, 7);
  EXPECT_EQ(first.events, second.events);
  EXPECT_EQ(first.latency.mean, second.latency.mean);
  EXPECT_NE(first.events, run_of(remote, 8).events);
}

TEST(RemoteDevice, EachWqeOfAListIsPreparedAndWritten) {
  const auto record = [](Bandwidth copy, Time wqe) {
    RemoteMemoryScenario remote = remote_memory();
    remote.files = FileLoad{.record = 4_KiB, .read_share = 0};
    remote.access.stripe = 1_KiB;
    remote.access.batching = Batching::doorbell;
    remote.access.registration = Registration::copy;
    remote.access.completion.mode = CompletionMode::busy;
    remote.software.memory.copy = copy;
    remote.hardware.cpu.wqe_cost = wqe;
    remote.duration = 20ms;
    return to_nanoseconds(run_of(remote).latency.p50);
  };
  const double before = record(4000_MBps, 20ns);
  EXPECT_NEAR(record(4000_MBps, 120ns) - before, 4 * 100, 50);
  EXPECT_NEAR(record(1000_MBps, 20ns) - before, 4096 - 1024, 100);
}

/// Nobody needs to be told.
class NoClient final : public BlockClient {
 public:
  core::Task<> finished(BlockRequest&) override { co_return; }
};

core::Process submit_all(RemoteDevice& device, std::vector<BlockRequest*> requests, Submitter by) {
  co_await device.submit(std::move(requests), by);
}

core::Process submit_one_by_one(RemoteDevice& device, std::vector<BlockRequest>& requests, Submitter by) {
  for (BlockRequest& request : requests) co_await device.submit(std::vector<BlockRequest*>(1, &request), by);
}

/// Asks again for what has been done.
class Repeating final : public BlockClient {
 public:
  Repeating(RemoteDevice& device, Submitter by) : device_{device}, by_{by} {}

  core::Task<> finished(BlockRequest& request) override {
    ++done_[request.write ? 1 : 0];
    co_await device_.submit(std::vector<BlockRequest*>(1, &request), by_);
  }
  [[nodiscard]] int reads() const { return done_[0]; }
  [[nodiscard]] int writes() const { return done_[1]; }

 private:
  RemoteDevice& device_;
  Submitter by_;
  std::array<int, 2> done_{};
};

RunResult readers_beside_writers(Bytes read, Bytes written, Batching batching, Bytes window) {
  RemoteMemoryScenario remote = on_blocks(4, 256);
  remote.block->size = read;
  remote.block->read_share = 1;
  RemoteLoad writers;
  writers.block = BlockLoad{.threads = 4, .depth = 256, .size = written};
  remote.beside = {{"writers", writers}};
  remote.access.queue_pairs = 4;
  remote.access.batching = batching;
  remote.access.window = window;
  remote.duration = 20ms;
  return run_of(remote);
}

TEST(RemoteDevice, BothDirectionsGoWhicheverFillsTheWindow) {
  for (const Batching batching : {Batching::single, Batching::hybrid}) {
    for (const auto& [read, written] : {std::pair{64_KiB, 4_KiB}, std::pair{4_KiB, 64_KiB}}) {
      const RunResult result = readers_beside_writers(read, written, batching, 7168_KiB);
      const double reads = result.throughput.per_second;
      const double writes = result.kinds.back().throughput.per_second;
      // As many of each wait, and who waits longest goes first.
      EXPECT_GT(writes, reads / 2) << read.count << ' ' << static_cast<int>(batching);
      EXPECT_GT(reads, writes / 2) << read.count << ' ' << static_cast<int>(batching);
    }
  }
}

TEST(RemoteDevice, WhatIsLargerThanTheWindowIsNotPassedForEver) {
  for (const auto& [read, written] : {std::pair{4_KiB, 128_KiB}, std::pair{128_KiB, 4_KiB}}) {
    const RunResult result = readers_beside_writers(read, written, Batching::doorbell, 64_KiB);
    const double reads = result.throughput.per_second;
    const double writes = result.kinds.back().throughput.per_second;
    EXPECT_GT(std::min(reads, writes), std::max(reads, writes) / 4) << read.count;
  }
}

TEST(RemoteDevice, ReadsAndWritesOfOneMixWaitAlike) {
  for (const Batching batching : {Batching::single, Batching::doorbell, Batching::merge, Batching::hybrid}) {
    for (const Bytes window : {64_KiB, 1024_KiB}) {
      RemoteMemoryScenario remote = on_blocks(8, 64);
      remote.block->read_share = 0.5;
      remote.block->order = AccessOrder::random;
      remote.access.batching = batching;
      remote.access.window = window;
      const RunResult result = run_of(remote);
      const double reads = to_seconds(result.kinds.at(0).latency.mean);
      const double writes = to_seconds(result.kinds.at(1).latency.mean);
      EXPECT_LT(reads, 2 * writes) << static_cast<int>(batching) << ' ' << window.count;
      EXPECT_LT(writes, 2 * reads) << static_cast<int>(batching) << ' ' << window.count;
    }
  }
}

TEST(RemoteDevice, AMixNeverExceedsTheWindowByMoreThanOneWorkRequest) {
  for (const auto& [batching, beyond] : {std::pair{Batching::doorbell, 16_KiB}, std::pair{Batching::hybrid, 128_KiB}}) {
    RemoteMemoryScenario remote = on_blocks(1, 1);
    remote.access.batching = batching;
    remote.access.window = 96_KiB;
    const ProgramScenario scenario = with_host_and_peers(scenario_about(remote), remote);
    Simulation simulation{scenario};
    RemoteDevice& device = simulation.machine_set("host").devices.front()->device();
    LoneCore core{simulation.calendar()};
    Repeating client{device, core.submitter()};
    std::vector<BlockRequest> all(200);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].size = i % 3 == 0 ? 16_KiB : 4_KiB;
      all[i].offset = static_cast<std::int64_t>(i) * 65536;
      all[i].write = i % 2 == 1;
      all[i].client = &client;
    }
    core::start(simulation.calendar(), submit_one_by_one(device, all, core.submitter()));
    simulation.calendar().run_until(5ms);
    EXPECT_LT(device.bytes_in_flight().maximum(), (remote.access.window + beyond).count);
    EXPECT_GE(device.bytes_in_flight().maximum(), remote.access.window.count) << "it fills";
    EXPECT_GT(std::min(client.reads(), client.writes()), std::max(client.reads(), client.writes()) / 2);
    EXPECT_GT(client.reads(), 500);
  }
}

TEST(RemoteDevice, AListMayFillTheWindowByItself) {
  // What its own requests take of the window is not taken twice: the four that fit are one list, and one call.
  const auto calls = [](int requests, Time post, std::uint64_t sent) {
    RemoteMemoryScenario remote = on_blocks(1, 1);
    remote.access.batching = Batching::doorbell;
    remote.access.window = 16_KiB;
    remote.software.driver.post = post;
    const ProgramScenario scenario = with_host_and_peers(scenario_about(remote), remote);
    Simulation simulation{scenario};
    RemoteDevice& device = simulation.machine_set("host").devices.front()->device();
    NoClient client;
    std::vector<BlockRequest> all(static_cast<std::size_t>(requests));
    std::vector<BlockRequest*> submitted;
    for (BlockRequest& request : all) {
      request.size = 4_KiB;
      request.write = true;
      request.client = &client;
      submitted.push_back(&request);
    }
    LoneCore core{simulation.calendar()};
    core::start(simulation.calendar(), submit_all(device, submitted, core.submitter()));
    simulation.calendar().run_until(post + 1500ns);
    EXPECT_EQ(device.writes(), sent) << "before any is back";
    simulation.calendar().run_until(1ms);
    EXPECT_EQ(device.writes(), static_cast<std::uint64_t>(requests));
    return core.spent();
  };
  EXPECT_EQ(calls(4, 1100ns, 4) - calls(4, 100ns, 4), 1us);
  EXPECT_EQ(calls(6, 1100ns, 4) - calls(6, 100ns, 4), 1us) << "the handler of completions sends the rest";
}

}  // namespace
}  // namespace doorbell::model
