#include "models/storage/storage_server.hpp"

#include <gtest/gtest.h>

#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

constexpr double megabyte = 1e6;

/// Round numbers: a disk array of 4, a bus of 400 MB/s, a link of 200 MB/s, and no times but those of the data.
StorageScenario server() {
  StorageScenario scenario;
  StorageServer& hardware = scenario.server;
  hardware.cpu = {.request = 0us, .copy = 1000_MBps, .tcp = 500_MBps};
  hardware.bus = {.pci = 400_MBps, .bridge = 300_MBps, .memory = 1000_MBps};
  hardware.raid = {.disks = 4,
                   .chunk = 64_KiB,
                   .media = 100_MBps,
                   .interface = 100_MBps,
                   .controller = 4000_MBps,
                   .read_ahead = 1024_KiB,
                   .command = 0us,
                   .fetch_from_memory = 150_MBps,
                   .fetch_from_bus = 120_MBps,
                   .queue = 1,
                   .mechanics = {}};
  hardware.fast_device = {.command = 0us, .segment = 256_KiB};
  hardware.nic = {
      .link = 200_MBps, .sram = 1024_KiB, .packet = 4_KiB, .message = 0us, .read_target = 25_MBps, .latency = 0us};
  hardware.bus_memory = 350_MBps;
  scenario.request = 256_KiB;
  scenario.warmup = 20ms;
  scenario.duration = 500ms;
  return scenario;
}

RunResult run_of(const StorageScenario& storage, std::uint64_t seed = 1) {
  Scenario scenario;
  scenario.seed = seed;
  scenario.instead = storage;
  return run(scenario);
}
double to_megabytes(Bytes bytes) { return static_cast<double>(bytes.count) / megabyte; }
double bandwidth_of(const StorageScenario& storage) { return run_of(storage).bandwidth.bytes_per_second / megabyte; }

TEST(StorageServer, LocalReadsMoveAtTheRateOfAllDisks) {
  StorageScenario storage = server();
  storage.path = DataPath::local_sram;
  EXPECT_NEAR(bandwidth_of(storage), 400, 4);
  storage.request = 64_KiB;  // one disk at a time
  EXPECT_NEAR(bandwidth_of(storage), 100, 1);
}

TEST(StorageServer, OneRequestTakesTheTimeOfItsStagesInTurn) {
  const StorageScenario storage = server();
  EXPECT_NEAR(bandwidth_of(storage), 1 / (1.0 / 400 + 1.0 / 200), 2);
}

TEST(StorageServer, TwoRequestsOverlapTheirStages) {
  StorageScenario storage = server();
  storage.outstanding = 2;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / megabyte, 200, 2);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC link");
  EXPECT_EQ(result.bottleneck.limit, Limit::network_bandwidth);
}

TEST(StorageServer, WhatRequestsHoldLimitsWhenNoResourceDoes) {
  StorageScenario storage = server();
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

TEST(StorageServer, OfMediumAndNicTheBusierOneLimits) {
  // 655 us of the disks and 1311 us of the link beside what each waits: 4 and 3.89 ms.
  StorageScenario storage = server();
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

TEST(StorageServer, WhatIsHeldIsMeasuredAfterTheWarmUp) {
  // The first request is read in the warm-up, and the NIC idle until then.
  StorageScenario storage = server();
  storage.path = DataPath::sram;
  storage.outstanding = 2;
  storage.server.raid.command = 90ms;
  storage.server.nic.message = 100ms;
  storage.warmup = 100ms;
  const RunResult result = run_of(storage);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC, one message at a time");
  EXPECT_NEAR(result.bottleneck.busy, 1, 1e-9);
}

TEST(StorageServer, StatesAreThoseAfterTheWarmUp) {
  // Of three requests at the beginning the last waits for two others; later each waits for the end of the one before
  // it, and for one.
  StorageScenario storage = server();
  storage.path = DataPath::local_sram;
  storage.medium = Medium::fast_device;
  storage.server.fast_device.command = Time{10ms} - transfer_time(256_KiB, 400_MBps);
  storage.outstanding = 3;
  storage.warmup = 35ms;
  const RunResult result = run_of(storage);
  ASSERT_EQ(result.levels.front().name, "server/reading (us)");
  EXPECT_NEAR(result.levels.front().value, 30e3, 1);
}

TEST(StorageServer, TheDisksLimitSendsThatWaitForThem) {
  StorageScenario storage = server();
  storage.path = DataPath::sram;
  storage.synchronized = SynchronizedSend::multiple;
  storage.outstanding = 4;
  storage.server.raid.command = 4ms;
  const RunResult result = run_of(storage);
  EXPECT_NE(result.bottleneck.resource, "server/NIC, one message at a time");
  storage.server.raid.command = 2ms;
  EXPECT_GT(run_of(storage).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(StorageServer, AFastDeviceTakesACommandForEachSegment) {
  for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
    StorageScenario storage = server();
    storage.operation = operation;
    storage.medium = Medium::fast_device;
    storage.request = 640_KiB;  // three segments of 256 KiB at most
    storage.duration = 10s;
    const auto seconds = [&](Time command) {
      storage.server.fast_device.command = command;
      return to_megabytes(storage.request) / bandwidth_of(storage);
    };
    EXPECT_NEAR(seconds(20ms) - seconds(10ms), 30e-3, 1e-3);
  }
}

TEST(StorageServer, ThePageCacheTakesNoCommandsToWrite) {
  StorageScenario storage = server();
  storage.operation = BlockOperation::write;
  storage.medium = Medium::page_cache;
  const double before = bandwidth_of(storage);
  storage.server.fast_device.command = 5ms;
  EXPECT_DOUBLE_EQ(bandwidth_of(storage), before);
}

TEST(StorageServer, NicMemoryBoundsWhatIsOutstanding) {
  StorageScenario storage = server();
  storage.outstanding = 4;
  storage.server.nic.sram = 300_KiB;  // room for one
  EXPECT_NEAR(bandwidth_of(storage), 1 / (1.0 / 400 + 1.0 / 200), 2);
}

TEST(StorageServer, ThePathThroughMemoryCrossesTheBridgeTwice) {
  StorageScenario storage = server();
  storage.path = DataPath::ram;
  storage.outstanding = 4;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / megabyte, 150, 2);
  EXPECT_EQ(result.bottleneck.resource, "server/host bridge");
}

TEST(StorageServer, SynchronizedSendsOverlapWithinARequest) {
  StorageScenario storage = server();
  storage.synchronized = SynchronizedSend::multiple;
  EXPECT_NEAR(bandwidth_of(storage), 200, 10);  // the link's rate, less filling the pipeline
  // In order, only the first of four chunks goes out while data comes in.
  storage.synchronized = SynchronizedSend::single;
  const double plain = 256.0 * 1024 / 400 + 256.0 * 1024 / 200;
  const double first_chunk = 64.0 * 1024 / 200;
  EXPECT_NEAR(bandwidth_of(storage), 256.0 * 1024 / (plain - first_chunk), 8);
}

TEST(StorageServer, SegmentsOutOfOrderSpoilASingleStream) {
  StorageScenario storage = server();
  storage.medium = Medium::fast_device;
  storage.request = 512_KiB;
  storage.synchronized = SynchronizedSend::single;
  storage.scheduler = IoScheduler::cfq;
  const double in_order = bandwidth_of(storage);
  storage.scheduler = IoScheduler::anticipatory;
  const double swapped = bandwidth_of(storage);
  storage.synchronized = SynchronizedSend::multiple;
  EXPECT_LT(swapped, in_order * 0.9);
  EXPECT_NEAR(bandwidth_of(storage), in_order, in_order * 0.02);
}

TEST(StorageServer, WritesAreFetchedByTheController) {
  StorageScenario storage = server();
  storage.operation = BlockOperation::write;
  storage.path = DataPath::local_ram;
  EXPECT_NEAR(bandwidth_of(storage), 150, 1.5);
  storage.path = DataPath::local_pcimem;
  EXPECT_NEAR(bandwidth_of(storage), 120, 1.5);
  storage.path = DataPath::sram;
  storage.outstanding = 2;
  EXPECT_NEAR(bandwidth_of(storage), 25, 0.5);
}

TEST(StorageServer, WritesGoOnNoFasterThanWhatIsBehindTheControllersBuffers) {
  StorageScenario storage = server();
  storage.operation = BlockOperation::write;
  storage.path = DataPath::local_ram;
  storage.outstanding = 4;
  StorageScenario slow_disks = storage;
  slow_disks.server.raid.media = 20_MBps;
  const RunResult disks = run_of(slow_disks);
  EXPECT_NEAR(disks.bandwidth.bytes_per_second / megabyte, 4 * 20, 1);
  EXPECT_EQ(disks.bottleneck.resource, "server/media of the disks") << disks.bottleneck.sentence;
  StorageScenario slow_cables = storage;
  slow_cables.server.raid.interface = 25_MBps;
  EXPECT_NEAR(bandwidth_of(slow_cables), 4 * 25, 1);
  StorageScenario slow_controller = storage;
  slow_controller.server.raid.controller = 50_MBps;
  EXPECT_NEAR(bandwidth_of(slow_controller), 50, 1);
}

TEST(StorageServer, TcpCostsTheProcessorThreePasses) {
  StorageScenario storage = server();
  storage.path = DataPath::tcp;
  storage.outstanding = 8;
  storage.server.cpu.copy = 200_MBps;
  storage.server.cpu.tcp = 100_MBps;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / megabyte, 1 / (2.0 / 200 + 1.0 / 100), 1);
  EXPECT_EQ(result.bottleneck.resource, "server/CPU");
}

TEST(StorageServer, AComputingProcessSuffersOnlyFromTrafficThroughMemory) {
  StorageScenario storage = server();
  storage.compute = ComputeProcess{0.5};
  storage.server.bus.memory = 400_MBps;
  storage.outstanding = 2;
  const auto work = [&](DataPath path) {
    storage.path = path;
    return run_of(storage).counters.front().rate.per_second;
  };
  EXPECT_NEAR(work(DataPath::sram), 10000, 20);
  EXPECT_LT(work(DataPath::ram), 8000);
}

TEST(StorageServer, BytesAreConserved) {
  // What the disks carried is what the link carried.
  StorageScenario storage = server();
  storage.outstanding = 2;
  const RunResult result = run_of(storage);
  double disks = 0;
  double link = 0;
  for (const Utilisation& use : result.utilisations) {
    if (use.resource == "server/4 disks at a time") disks = use.busy * 400;
    if (use.resource == "server/NIC link") link = use.busy * 200;
  }
  EXPECT_GT(link, 100);
  EXPECT_NEAR(disks, link, 2);
}

/// Four small requests circulate between a fast device and the NIC, whose times are alike.
StorageScenario circulating(Time message, double variation) {
  StorageScenario storage = server();
  storage.medium = Medium::fast_device;
  storage.path = DataPath::ram;
  storage.request = 16_KiB;
  storage.outstanding = 4;
  storage.server.bus.bridge = 225_MBps;
  storage.server.cpu.request = 20us;
  storage.server.fast_device.command = 40us;
  storage.server.nic.message = message;
  storage.server.nic.link = 480_MBps;
  storage.server.nic.latency = 20us;
  storage.server.variation = variation;
  return storage;
}

TEST(StorageServer, RequestsWhoseTimesVaryDoNotFallIntoStep) {
  const auto gain = [](double variation) {
    return bandwidth_of(circulating(41us, variation)) / bandwidth_of(circulating(40us, variation));
  };
  EXPECT_GT(gain(0), 1.2);
  EXPECT_NEAR(gain(0.25), 1, 0.03);
}

TEST(StorageServer, TimesOfSoftwareAndFirmwareVaryAroundTheirMeans) {
  for (const Medium medium : {Medium::raid, Medium::fast_device}) {
    for (const DataPath path : {DataPath::ram, DataPath::sram, DataPath::tcp}) {
      const auto run_with = [&](double variation) {
        StorageScenario storage = circulating(40us, variation);
        storage.medium = medium;
        storage.path = path;
        storage.outstanding = 1;
        storage.server.raid.command = 300us;
        return run_of(storage);
      };
      const RunResult varying = run_with(0.5);
      EXPECT_NEAR(varying.throughput.per_second / run_with(0).throughput.per_second, 1, 0.02);
      EXPECT_GT(varying.latency.p99, varying.latency.mean * 1.1);
    }
  }
}

TEST(StorageServer, TheSameSeedGivesTheSameResult) {
  const StorageScenario storage = circulating(40us, 0.25);
  const RunResult one = run_of(storage);
  const RunResult two = run_of(storage);
  EXPECT_EQ(one.throughput, two.throughput);
  EXPECT_EQ(one.events, two.events);
  EXPECT_EQ(one.latency.mean, two.latency.mean);
  EXPECT_NE(one.latency.mean, run_of(storage, 2).latency.mean);
}

TEST(StorageServer, SlowHeadsLimitReads) {
  StorageScenario storage = server();
  storage.path = DataPath::local_sram;
  storage.server.raid.media = 50_MBps;
  EXPECT_NEAR(bandwidth_of(storage), 4 * 50, 2);
}

TEST(StorageServer, ALinkThatSendsWhatTheMediumBringsIsNotNamedForIt) {
  // A quarter of the sending hides behind the reading: twice the link gains less than twice the requests do.
  StorageScenario storage = server();
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

TEST(StorageServer, TheBridgeLimitsWhereTheNicIsHeldForIt) {
  // Messages come over the bridge, which the controller's fetches cross as well; the NIC's own time is short.
  StorageScenario storage = server();
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

}  // namespace
}  // namespace doorbell::model
