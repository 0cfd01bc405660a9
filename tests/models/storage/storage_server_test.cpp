#include "models/storage/storage_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "models/storage_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(StorageServer, LocalReadsMoveAtTheRateOfAllDisks) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::local_sram;
  EXPECT_NEAR(bandwidth_of(storage), 400, 4);
  storage.request = 64_KiB;  // one disk at a time
  EXPECT_NEAR(bandwidth_of(storage), 100, 1);
}

TEST(StorageServer, ARequestWaitsForTheDiskThatHasMostOfIt) {
  // Two chunks are on the disk where it begins, and one on each of the others.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::local_sram;
  storage.request = 320_KiB;
  storage.server.raid.read_ahead = Bytes{0};
  storage.server.raid.media = 10_MBps;
  EXPECT_NEAR(bandwidth_of(storage), 320.0 / 128 * 10, 0.2);
}

TEST(StorageServer, OneRequestTakesTheTimeOfItsStagesInTurn) {
  const StorageScenario storage = small_storage_server();
  EXPECT_NEAR(bandwidth_of(storage), 1 / (1.0 / 400 + 1.0 / 200), 2);
}

TEST(StorageServer, TwoRequestsOverlapTheirStages) {
  StorageScenario storage = small_storage_server();
  storage.outstanding = 2;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 200, 2);
  EXPECT_EQ(result.bottleneck.resource, "server/NIC link");
  EXPECT_EQ(result.bottleneck.limit, Limit::network_bandwidth);
}

TEST(StorageServer, StatesAreThoseAfterTheWarmUp) {
  // Of three requests at the beginning the last waits for two others; later each waits for the end of the one before
  // it, and for one.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::local_sram;
  storage.medium = Medium::fast_device;
  storage.server.fast_device.command = Time{10ms} - transfer_time(256_KiB, 400_MBps);
  storage.outstanding = 3;
  storage.warmup = 35ms;
  const RunResult result = run_of(storage);
  ASSERT_EQ(result.levels.front().name, "server/reading (us)");
  EXPECT_NEAR(result.levels.front().value, 30e3, 1);
}

TEST(StorageServer, AFastDeviceTakesACommandForEachSegment) {
  for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
    StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
  storage.operation = BlockOperation::write;
  storage.medium = Medium::page_cache;
  const double before = bandwidth_of(storage);
  storage.server.fast_device.command = 5ms;
  EXPECT_DOUBLE_EQ(bandwidth_of(storage), before);
}

TEST(StorageServer, NicMemoryBoundsWhatIsOutstanding) {
  StorageScenario storage = small_storage_server();
  storage.outstanding = 4;
  storage.server.nic.sram = 300_KiB;  // room for one
  EXPECT_NEAR(bandwidth_of(storage), 1 / (1.0 / 400 + 1.0 / 200), 2);
}

TEST(StorageServer, ThePathThroughMemoryCrossesTheBridgeTwice) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::ram;
  storage.outstanding = 4;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 150, 2);
  EXPECT_EQ(result.bottleneck.resource, "server/host bridge");
}

TEST(StorageServer, SynchronizedSendsOverlapWithinARequest) {
  StorageScenario storage = small_storage_server();
  storage.synchronized = SynchronizedSend::multiple;
  EXPECT_NEAR(bandwidth_of(storage), 200, 10);  // the link's rate, less filling the pipeline
  // In order, only the first of four chunks goes out while data comes in.
  storage.synchronized = SynchronizedSend::single;
  const double plain = 256.0 * 1024 / 400 + 256.0 * 1024 / 200;
  const double first_chunk = 64.0 * 1024 / 200;
  EXPECT_NEAR(bandwidth_of(storage), 256.0 * 1024 / (plain - first_chunk), 8);
}

TEST(StorageServer, SegmentsOutOfOrderSpoilASingleStream) {
  StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
  storage.operation = BlockOperation::write;
  storage.path = DataPath::local_ram;
  storage.outstanding = 4;
  StorageScenario slow_disks = storage;
  slow_disks.server.raid.media = 20_MBps;
  const RunResult disks = run_of(slow_disks);
  EXPECT_NEAR(disks.bandwidth.bytes_per_second / 1e6, 4 * 20, 1);
  EXPECT_EQ(disks.bottleneck.resource, "server/media of the disks") << disks.bottleneck.sentence;
  StorageScenario slow_cables = storage;
  slow_cables.server.raid.interface = 25_MBps;
  EXPECT_NEAR(bandwidth_of(slow_cables), 4 * 25, 1);
  StorageScenario slow_controller = storage;
  slow_controller.server.raid.controller = 50_MBps;
  EXPECT_NEAR(bandwidth_of(slow_controller), 50, 1);
}

TEST(StorageServer, TcpCostsTheProcessorThreePasses) {
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::tcp;
  storage.outstanding = 8;
  storage.server.cpu.copy = 200_MBps;
  storage.server.cpu.tcp = 100_MBps;
  const RunResult result = run_of(storage);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 1 / (2.0 / 200 + 1.0 / 100), 1);
  EXPECT_EQ(result.bottleneck.resource, "server/CPU");
}

/// Of a resource, by name.
double busy_of(const RunResult& result, std::string_view resource) {
  const auto found = std::ranges::find(result.utilisations, resource, &Utilisation::resource);
  return found == result.utilisations.end() ? 0 : found->busy;
}

TEST(StorageServer, CopiesForTcpCrossTheMemoryBus) {
  // From the disks and to the NIC once each, and in each of two copies out of memory and into it.
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::tcp;
  storage.outstanding = 8;
  storage.server.bus.memory = 300_MBps;
  const RunResult full = run_of(storage);
  const double moved = full.bandwidth.bytes_per_second / 1e6;
  EXPECT_LE(moved, 300.0 / 6 * 1.02);
  EXPECT_NEAR(busy_of(full, "server/memory bus") * 300, 6 * moved, 2);
  // The core is busy as long as a copy lasts, whoever makes it slow.
  storage.outstanding = 1;
  const RunResult alone = run_of(storage);
  EXPECT_NEAR(busy_of(alone, "server/CPU"), alone.bandwidth.bytes_per_second / 1e6 * (4.0 / 300 + 1.0 / 500), 0.01);
}

TEST(StorageServer, CopiesForTcpCrossTheFrontSideBusAndDmaDoesNot) {
  StorageScenario storage = small_storage_server();
  storage.outstanding = 8;
  for (const DataPath path : {DataPath::ram, DataPath::sram}) {
    storage.path = path;
    storage.server.bus.front_side = {};
    const double without = bandwidth_of(storage);
    storage.server.bus.front_side = 10_MBps;
    EXPECT_NEAR(bandwidth_of(storage), without, 0.001 * without);
  }
  storage.path = DataPath::tcp;
  storage.server.bus.front_side = 300_MBps;
  const RunResult slow = run_of(storage);
  const double moved = slow.bandwidth.bytes_per_second / 1e6;
  EXPECT_LE(moved, 300.0 / 4);
  EXPECT_NEAR(busy_of(slow, "server/front-side bus") * 300, 4 * moved, 2);
  EXPECT_NEAR(busy_of(slow, "server/memory bus") * 1000, 6 * moved, 2);
  storage.server.cpu.tcp = 100'000_MBps;
  EXPECT_EQ(run_of(storage).bottleneck.resource, "server/front-side bus");
  // Wide enough, it changes nothing.
  storage.server.bus.front_side = {};
  const double without = bandwidth_of(storage);
  storage.server.bus.front_side = 5000_MBps;
  EXPECT_NEAR(bandwidth_of(storage), without, 0.001 * without);
}

TEST(StorageServer, AComputingProcessSuffersFromCopiesOnItsBus) {
  // The memory has room for both; a second processor's copies leave the first one less of the bus that they share.
  StorageScenario storage = small_storage_server();
  storage.compute = ComputeProcess{0.5};
  storage.server.bus.memory = 10'000_MBps;
  storage.server.bus.front_side = 500_MBps;
  storage.outstanding = 4;
  const auto work = [&](DataPath path) {
    storage.path = path;
    return run_of(storage).counters.front().rate.per_second;
  };
  EXPECT_NEAR(work(DataPath::ram), 10000, 20) << "DMA leaves it alone";
  EXPECT_LT(work(DataPath::tcp), 8000);
}

TEST(StorageServer, AComputingProcessSuffersMostFromCopies) {
  StorageScenario storage = small_storage_server();
  storage.compute = ComputeProcess{0.5};
  storage.server.bus.memory = 400_MBps;
  storage.outstanding = 2;
  const auto lost_per_megabyte = [&](DataPath path) {
    storage.path = path;
    const RunResult result = run_of(storage);
    return (10000 - result.counters.front().rate.per_second) / (result.bandwidth.bytes_per_second / 1e6);
  };
  EXPECT_GT(lost_per_megabyte(DataPath::tcp), 2 * lost_per_megabyte(DataPath::ram));
}

TEST(StorageServer, AComputingProcessSuffersOnlyFromTrafficThroughMemory) {
  StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
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
  StorageScenario storage = small_storage_server();
  storage.path = DataPath::local_sram;
  storage.server.raid.media = 50_MBps;
  EXPECT_NEAR(bandwidth_of(storage), 4 * 50, 2);
}

}  // namespace
}  // namespace doorbell::model
