// What requests of a storage server hold and wait for, and what is named for it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "models/storage_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(StorageServerHolders, WhatRequestsHoldLimitsWhenNoResourceDoes) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::sram;
  EXPECT_EQ(run_of(storage).bottleneck.resource, "client/requests in flight");
  storage.outstanding = 4;
  storage.server.nic.sram = 300_KiB;  // one request
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/buffers in the NIC's memory");
  storage.server.nic.sram = 4096_KiB;
  storage.server.nic.message = 2ms;
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/NIC, one message at a time");
  storage.server.raid.command = 4ms;
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/medium, one request at a time");
  EXPECT_EQ(run_of(storage).bottleneck.limit, Limit::device);
}

TEST(StorageServerHolders, OfMediumAndNicTheBusierOneLimits) {
  // 655 us of the disks and 1311 us of the link beside what each waits: 4 and 3.89 ms.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::sram;
  storage.outstanding = 4;
  storage.server.nic.sram = 4096_KiB;
  storage.server.raid.command = Time{4ms} - transfer_time(256_KiB, 400_MBps);
  storage.server.nic.message = Time{3890us} - transfer_time(256_KiB, 200_MBps);
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/medium, one request at a time");
  storage.server.raid.command = Time{3890us} - transfer_time(256_KiB, 400_MBps);
  storage.server.nic.message = Time{4ms} - transfer_time(256_KiB, 200_MBps);
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/NIC, one message at a time");
}

TEST(StorageServerHolders, WhatIsHeldIsMeasuredAfterTheWarmUp) {
  // The first request is read in the warm-up, and the NIC idle until then.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::sram;
  storage.outstanding = 2;
  storage.server.raid.command = 90ms;
  storage.server.nic.message = 100ms;
  storage.warmup = 100ms;
  const RunResult result = run_of(storage);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC, one message at a time");
  EXPECT_NEAR(result.bottleneck.busy, 1, 1e-9);
}

TEST(StorageServerHolders, TheDisksLimitSendsThatWaitForThem) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::sram;
  storage.synchronized = SynchronizedSend::multiple;
  storage.outstanding = 4;
  storage.server.raid.command = 4ms;
  const RunResult result = run_of(storage);
  EXPECT_NE(result.bottleneck.resource, "server/NIC, one message at a time");
  storage.server.raid.command = 2ms;
  EXPECT_GT(run_of(storage).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(StorageServerHolders, ALinkThatSendsWhatTheMediumBringsIsNotNamedForIt) {
  // A quarter of the sending hides behind the reading: twice the link gains less than twice the requests do.
  StorageScenario storage = small_storage_server();
  storage.synchronized = SynchronizedSend::single;
  storage.server.nic.latency = 150us;
  const RunResult result = run_of(storage);
  StorageScenario wider = storage;
  wider.server.nic.link = 2 * storage.server.nic.link;
  StorageScenario more = storage;
  more.outstanding = 2 * storage.outstanding;
  ASSERT_GT(run_of(more).throughput.per_second, run_of(wider).throughput.per_second);
  EXPECT_NE(result.bottleneck.resource, "server/NIC link") << result.bottleneck.sentence;
}

TEST(StorageServerHolders, TheBridgeLimitsWhereTheNicIsHeldForIt) {
  // Messages come over the bridge, which the controller's fetches cross as well; the NIC's own time is short.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::ram;
  storage.operation = BlockOperation::write;
  storage.outstanding = 4;
  storage.server.bus.bridge = 200_MBps;
  storage.server.nic.message = 1900us;
  // The NIC's link is hardly faster than the bridge: twice the bridge would gain less than half of the messages' time.
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/NIC, one message at a time");
  storage.server.nic.link = 1000_MBps;
  const RunResult result = run_of(storage);
  EXPECT_EQ(result.bottleneck.resource, "server/host bridge");
  EXPECT_NE(result.bottleneck.sentence.find("server/NIC, one message at a time: held"), std::string::npos)
      << result.bottleneck.sentence;
  // With buffers for one request only, more of them would help, whichever stage is the longer.
  storage.path = DataPath::sram;
  storage.operation = BlockOperation::read;
  storage.server.nic.message = 0us;
  storage.server.nic.sram = 300_KiB;
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/buffers in the NIC's memory");
}

/// With twice as much of what a run names.
StorageScenario with_twice(std::string_view resource, StorageScenario storage) {
  StorageServer& server = storage.server;
  const auto doubled = [](Bandwidth bandwidth) { return bandwidth * 2; };
  if (resource == "server/PCI bus") server.bus.pci = doubled(server.bus.pci);
  if (resource == "server/NIC link") server.nic.link = doubled(server.nic.link);
  if (resource == "server/RAID controller") server.raid.controller = doubled(server.raid.controller);
  if (resource == "client/requests in flight") storage.outstanding *= 2;
  if (resource == "server/NIC, one message at a time") {
    server.nic.link = doubled(server.nic.link);
    server.nic.message = server.nic.message / 2;
  }
  return storage;
}

/// By which factor that is faster.
double gain_from(std::string_view resource, const StorageScenario& storage) {
  return bandwidth_of(with_twice(resource, storage)) / bandwidth_of(storage);
}

/// Sends of what a fast device brings a little faster than they go out.
StorageScenario synchronized_sends() {
  StorageScenario storage = small_storage_server();
  storage.medium = Medium::fast_device;
  storage.synchronized = SynchronizedSend::single;
  storage.server.nic.link = 360_MBps;
  storage.server.nic.latency = 80us;
  return storage;
}

void expect_named_gains(const StorageScenario& storage) {
  const Bottleneck named = run_of(storage).bottleneck;
  const double gain = gain_from(named.resource, storage);
  EXPECT_GT(gain, 1.05) << named.sentence;
  for (const std::string_view other : {"server/PCI bus", "server/NIC link"})
    EXPECT_GE(gain * 1.01, gain_from(other, storage)) << other << ": " << named.sentence;
}

TEST(StorageServerHolders, ASynchronizedSendThatIsSlowerThanTheMediumIsWhatTakesTheTime) {
  expect_named_gains(synchronized_sends());
}

TEST(StorageServerHolders, TheNicThatAlwaysSendsLimitsSynchronizedSendsAsWell) {
  StorageScenario storage = synchronized_sends();
  storage.request = 64_KiB;
  storage.outstanding = 2;
  storage.server.nic.message = 60us;
  storage.server.nic.latency = 20us;
  expect_named_gains(storage);
}

TEST(StorageServerHolders, TheNicThatWaitsForPartOfTheDataIsNotNamedBeforeTheMedium) {
  // Of 16 KiB, 81 us of the medium and 76 of the NIC, which is taken all the time because it has begun before.
  StorageScenario storage = synchronized_sends();
  storage.request = 16_KiB;
  storage.outstanding = 4;
  storage.server.fast_device.command = 40us;
  storage.server.nic.message = 30us;
  storage.server.variation = 0.25;
  const RunResult result = run_of(storage);
  StorageScenario quicker = storage;
  quicker.server.fast_device.command = 20us;
  quicker.server.bus.pci = storage.server.bus.pci * 2;
  EXPECT_GT(run_of(quicker).throughput.per_second, 1.03 * result.throughput.per_second);
  EXPECT_TRUE(result.bottleneck.resource == "server/medium, one request at a time" ||
              result.bottleneck.resource == "server/PCI bus")
      << result.bottleneck.sentence;
}

TEST(StorageServerHolders, OfWhatTakesTheTimeWhatWouldGainMostIsTold) {
  // The controller is hardly slower than the bus behind it; of sending, half would go.
  StorageScenario storage = small_storage_server();
  storage.server.raid.interface = 200_MBps;
  storage.server.raid.media = 200_MBps;
  storage.server.raid.controller = 400_MBps;
  storage.server.bus.pci = 440_MBps;
  storage.server.nic.link = 420_MBps;
  const std::string sentence = run_of(storage).bottleneck.sentence;
  ASSERT_GT(gain_from("server/NIC link", storage), 1.1 * gain_from("server/RAID controller", storage));
  EXPECT_NE(sentence.find("of the time for server/NIC link"), std::string::npos) << sentence;
}

TEST(StorageServerHolders, ACoreWhoseCopiesWaitForMemoryIsToldSo) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::tcp;
  storage.outstanding = 4;
  storage.server.bus.memory = 200_MBps;
  StorageScenario faster = storage;
  faster.server.cpu.copy = storage.server.cpu.copy * 2;
  faster.server.cpu.tcp = storage.server.cpu.tcp * 2;
  StorageScenario wider = storage;
  wider.server.bus.memory = storage.server.bus.memory * 2;
  ASSERT_GT(bandwidth_of(wider), bandwidth_of(faster));
  const auto tells = [](const StorageScenario& of) {
    const std::string sentence = run_of(of).bottleneck.sentence;
    return sentence.find("server/memory bus l") != std::string::npos;
  };
  EXPECT_TRUE(tells(storage)) << run_of(storage).bottleneck.sentence;
  storage.server.bus.memory = 20000_MBps;
  EXPECT_FALSE(tells(storage)) << run_of(storage).bottleneck.sentence;
}

}  // namespace
}  // namespace doorbell::model
