#include "models/shared_files/block_server.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "models/fixture.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// One disk that does not read ahead.
SharedFilesScenario one_disk() {
  SharedFilesScenario shared = small_cluster();
  shared.server.raid.disks = 1;
  shared.server.raid.read_ahead = Bytes{0};
  shared.server.raid.queue = 64;
  shared.disks.path = DataPath::ram;
  shared.disks.workers = 64;
  return shared;
}

TEST(BlockServer, OneRequestTakesDisksAndLinkInTurn) {
  EXPECT_NEAR(megabytes_per_second(small_cluster()), 1 / (1 / 400.0 + 1 / 300.0), 2);
}

TEST(BlockServer, SentWhileItArrivesOnlyTheSlowerOneCounts) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.synchronized = SynchronizedSend::multiple;
  // The last packet of each of the four streams goes alone.
  const double request = 262144;
  EXPECT_NEAR(megabytes_per_second(shared), request / (request / 300 + 4 * 4096 / 300.0), 3);
}

TEST(BlockServer, ARequestMovesOnAllItsDisksAtOnceWhereverItBegins) {
  // Requests for a chunk of each disk. One that begins on the second disk ends on the first one, at the place where its
  // first chunk ends on the second.
  const auto seconds = [](std::int64_t begin, std::int64_t requests) {
    SharedFilesScenario shared = small_cluster();
    shared.stream.reset();
    shared.trace = TraceLoad{.file = {}, .at_recorded_times = false, .requests = {}};
    for (std::int64_t i = 0; i < requests; ++i)
      shared.trace->requests.push_back({Time{0}, BlockOperation::read, Bytes{begin + i * 262144}, 256_KiB});
    return to_seconds(run_of(shared).simulated);
  };
  for (const std::int64_t begin : {0, 65536, 131072, 196608}) {
    EXPECT_NEAR(seconds(begin, 16) - seconds(begin, 8), 8 * 262144 * (1 / 400e6 + 1 / 300e6), 1e-7) << begin;
  }
}

TEST(BlockServer, NoByteComesFasterThanTheHeadsPassOverIt) {
  // However small the requests into which a chunk is cut, each of them is for other bytes of it.
  for (const Bytes record : {16_KiB, 32_KiB, 64_KiB}) {
    SharedFilesScenario shared = one_disk();
    shared.server.raid.media = 20_MBps;
    shared.server.raid.read_ahead = 512_KiB;
    shared.stream = StreamLoad{.record = record};
    EXPECT_NEAR(megabytes_per_second(shared), 20, 0.2) << record.count;
  }
}

TEST(BlockServer, TheNicsMemoryLimitsWhatOverlaps) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.depth = 4;
  shared.stream->record = Bytes{4 << 20};
  const double overlapped = megabytes_per_second(shared);
  shared.server.nic.sram = 512_KiB;  // one request of the largest size
  const double alone = megabytes_per_second(shared);
  EXPECT_GT(overlapped, 1.4 * alone);
  EXPECT_NEAR(alone, 1 / (1 / 400.0 + 1 / 300.0), 4);
}

TEST(BlockServer, ThroughMemoryTheBridgeIsCrossedTwice) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = Bytes{1LL << 28};
  shared.disks.read_ahead = 512_KiB;
  shared.mount.nodes = 4;
  shared.stream->stagger = 5ms;
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.resource, "server/host bridge");
  // Those that follow find the pages that the first one brought: four crossings to the machines for one from disk.
  EXPECT_GT(result.bandwidth.bytes_per_second / 1e6, 100);
  EXPECT_LE(result.bandwidth.bytes_per_second / 1e6, 200 * 0.8 + 2);
}

TEST(BlockServer, ACachedFileComesFromMemory) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = Bytes{2LL << 30};
  shared.stream->again = true;
  const RunResult result = run_of(shared);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 1 / (1 / 500.0 + 1 / 200.0), 2);
  for (const CounterReading& counter : result.counters) {
    if (counter.name == "server/disk seeks") {
      EXPECT_EQ(counter.count, 0U);
    }
  }
}

TEST(BlockServer, CopiesOutOfItsCacheKeepItsCoreBusy) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = Bytes{2LL << 30};
  shared.disks.workers = 8;
  shared.mount.nodes = 4;
  shared.stream->again = true;
  shared.server.bus.bridge = 4000_MBps;
  shared.server.nic.link = shared.node.link = 4000_MBps;
  shared.server.bus.pci = 4000_MBps;
  shared.server.cpu.request = 524'288ns;  // as long as 256 KiB at 500 MB/s
  const RunResult result = run_of(shared);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 250, 3);
  EXPECT_EQ(result.bottleneck.resource, "server/CPU") << result.bottleneck.sentence;
}

TEST(BlockServer, WritesArriveAtTheRateOfTheFetch) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->operation = BlockOperation::write;
  shared.stream->record = 512_KiB;
  const double bandwidth = megabytes_per_second(shared);
  // Through the network, then fetched, then written by the heads.
  EXPECT_LT(bandwidth, 1 / (1 / 200.0 + 1 / 150.0));
  EXPECT_GT(bandwidth, 40);
}

TEST(BlockServer, HeadsWriteWhileLaterDataComes) {
  // All four disks write without a break if enough is under way, at rates of other resources that leave little time.
  SharedFilesScenario shared = small_cluster();
  shared.stream->operation = BlockOperation::write;
  shared.stream->record = 512_KiB;
  shared.mount.nodes = shared.files.count = 16;
  shared.disks.workers = 16;
  shared.disks.path = DataPath::ram;
  shared.server.bus = {.pci = 4000_MBps, .bridge = 4000_MBps, .memory = 4000_MBps};
  shared.server.nic.link = 1000_MBps;
  shared.server.raid.fetch_from_memory = 1000_MBps;
  shared.server.raid.media = 30_MBps;
  shared.server.raid.interface = 60_MBps;
  shared.server.raid.mechanics = {Bytes{100'000'000'000}, 0us, 0us, 0us, 8};
  const RunResult result = run_of(shared);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 4 * 30, 4);
  EXPECT_EQ(result.bottleneck.resource, "server/disks") << result.bottleneck.sentence;
}

TEST(BlockServer, EachRequestTakesItsTimeOfTheProcessor) {
  for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
    SharedFilesScenario shared = small_cluster();
    shared.server.raid.mechanics.revolution = Time{0};  // or writes would miss more of them
    shared.stream->operation = operation;
    const double before = megabytes_per_second(shared);
    shared.server.cpu.request = 1ms;
    EXPECT_NEAR(1 / megabytes_per_second(shared) - 1 / before, 1e-3 / 0.262144, 5e-5);
  }
}

TEST(BlockServer, DisksAreBusyAsFarAsMeasured) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = Bytes{1LL << 28};
  shared.files.size = Bytes{8 << 20};  // read in the warm-up, as a whole
  EXPECT_EQ(busy(run_of(shared), "server/disks"), 0);
}

TEST(BlockServer, WorkersTakeRequestsInTurn) {
  // A scheduler takes them for processes. It waits for each of two that it does not know yet, 6.7 ms from when the disk
  // is free, while the data are being sent and then in vain; and for nobody later: each of them comes again only after
  // the other's request.
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.server.raid.read_ahead = Bytes{0};
  shared.disks.scheduler = IoScheduler::anticipatory;
  shared.trace = TraceLoad{.file = {}, .at_recorded_times = false, .requests = {}};
  for (int i = 0; i < 8; ++i) {
    shared.trace->requests.push_back({Time{0}, BlockOperation::read, Bytes{i * (1LL << 30)}, 64_KiB});
  }
  const auto seconds = [&](int workers) {
    shared.disks.workers = workers;
    return to_seconds(run_of(shared).simulated);
  };
  EXPECT_NEAR(seconds(2) - seconds(1), 2 * (6.7e-3 - 65536 / 300e6), 1e-8);
}

TEST(BlockServer, StreamsFarApartMakeTheDisksSeek) {
  SharedFilesScenario shared = small_cluster();
  shared.files.count = 4;
  shared.stream->record = 64_KiB;
  const RunResult together = run_of(shared);
  shared.mount.nodes = 4;
  const RunResult apart = run_of(shared);
  const auto seeks = [](const RunResult& result) {
    return static_cast<double>(result.counters.front().count) / (result.bandwidth.bytes_per_second + 1);
  };
  EXPECT_EQ(together.counters.front().name, "server/disk seeks");
  EXPECT_GT(seeks(apart), 10 * seeks(together));
}

TEST(BlockServer, WhatIsWrittenIntoThePageCacheIsCopiedThere) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = Bytes{2LL << 30};
  shared.mount.dirty_limit = 1;
  shared.stream->operation = BlockOperation::write;
  shared.duration = 500ms;  // before anything is written back
  EXPECT_NEAR(megabytes_per_second(shared), 1 / (1 / 500.0 + 1 / 200.0), 2);
}

TEST(BlockServer, DataMoveWhenTheHeadsHaveCome) {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.server.raid.media = 10'000_MBps;
  shared.server.raid.read_ahead = Bytes{0};
  shared.trace = TraceLoad{.file = {}, .at_recorded_times = false, .requests = {}};
  for (int i = 0; i < 8; ++i) {
    shared.trace->requests.push_back({Time{0}, BlockOperation::read, Bytes{i * (1LL << 30)}, 64_KiB});
  }
  const auto seconds = [&](Bandwidth interface) {
    shared.server.raid.interface = interface;
    return to_seconds(run_of(shared).simulated);
  };
  EXPECT_NEAR(seconds(50_MBps) - seconds(100_MBps), 8 * 65536 * (1 / 50e6 - 1 / 100e6), 1e-6);
}

TEST(BlockServer, DirectWritesOneByOneMissARevolutionEach) {
  SharedFilesScenario shared = one_disk();
  shared.stream = StreamLoad{.record = 64_KiB, .operation = BlockOperation::write};
  // The next one comes 1 ms later; by then its place has passed, and comes round in 4 ms.
  EXPECT_NEAR(1 / run_of(shared).throughput.per_second, 4e-3 + 65536 / 100e6, 1e-5);
}

TEST(BlockServer, CachedDirectWritesMissNoRevolution) {
  SharedFilesScenario shared = one_disk();
  shared.stream = StreamLoad{.record = 64_KiB, .operation = BlockOperation::write};
  shared.server.raid.mechanics.write_cache = 1024_KiB;
  // The next one comes 1 ms later.
  const RunResult slow = run_of(shared);
  EXPECT_NEAR(1 / slow.throughput.per_second, 1e-3, 2e-5);
  EXPECT_NE(slow.bottleneck.resource, "server/disks");
  // The heads write all of it meanwhile: 0.66 ms of each.
  const auto busy = [](const RunResult& result) {
    for (const Utilisation& one : result.utilisations)
      if (one.resource == "server/disks") return one.busy;
    return 0.0;
  };
  EXPECT_NEAR(busy(slow), 65536 / 100e6 * slow.throughput.per_second, 0.02);
  shared.server.raid.media = 30_MBps;
  const RunResult limited = run_of(shared);
  EXPECT_NEAR(limited.bandwidth.bytes_per_second / 30e6, 1, 0.01);
  EXPECT_EQ(limited.bottleneck.resource, "server/disks") << limited.bottleneck.sentence;
  EXPECT_NEAR(busy(limited), 1, 0.01);
}

TEST(BlockServer, DisksThatWriteBehindReadsAreNeverBusierThanAllTheTime) {
  SharedFilesScenario shared = one_disk();
  shared.server.raid.read_ahead = 512_KiB;
  shared.server.raid.mechanics.write_cache = 1024_KiB;
  shared.stream.reset();
  shared.mount.depth = 8;
  shared.trace = TraceLoad{.file = {}, .at_recorded_times = false, .requests = {}};
  core::RandomStream random{7, "places"};
  for (int i = 0; i < 400; ++i) {
    shared.trace->requests.push_back({Time{0}, BlockOperation::read, Bytes{i * 524288LL}, 512_KiB});
    const Bytes place{static_cast<std::int64_t>(random.below(20'000'000)) * 4096};
    shared.trace->requests.push_back({Time{0}, BlockOperation::write, place, 4_KiB});
  }
  const RunResult result = run_of(shared);
  for (const Utilisation& one : result.utilisations) EXPECT_LE(one.busy, 1 + 1e-9) << one.resource;
}

TEST(BlockServer, ADiskChoosesAmongTheCommandsThatItHolds) {
  SharedFilesScenario shared = one_disk();
  shared.stream.reset();
  shared.mount.depth = 32;
  shared.trace = TraceLoad{.file = {}, .at_recorded_times = true, .requests = {}};
  core::RandomStream random{7, "places"};
  constexpr int requests = 1000;
  for (int i = 0; i < requests; ++i) {
    const Bytes place{static_cast<std::int64_t>(random.below(20'000'000)) * 4096};
    shared.trace->requests.push_back({Time{0}, BlockOperation::read, place, 4_KiB});
  }
  const auto rate = [&](int depth) {
    shared.server.raid.mechanics.queue_depth = depth;
    const RunResult result = run_of(shared);
    EXPECT_EQ(result.operations, static_cast<std::uint64_t>(requests));
    return result.throughput.per_second;
  };
  const double in_order = rate(1);
  // The square root of the distance is shorter by a tenth, as the requests are within 82 % of the disk.
  EXPECT_NEAR(in_order * (1e-3 + 7e-3 * std::sqrt(0.82) + 2e-3), 1, 0.05);
  const double among_four = rate(4);
  EXPECT_GT(among_four, 1.2 * in_order);
  EXPECT_GT(rate(32), 1.2 * among_four);
}

TEST(BlockServer, QueueingDoesNotSlowADiskDown) {
  // One at a time within 1 GB is faster than anything over all of the disk; the same places queued are not slower.
  SharedFilesScenario shared = one_disk();
  shared.stream.reset();
  const auto rate = [&](std::uint64_t blocks, int depth) {
    shared.mount.depth = depth;
    shared.trace = TraceLoad{.file = {}, .at_recorded_times = true, .requests = {}};
    core::RandomStream random{7, "places"};
    for (int i = 0; i < 1000; ++i) {
      const Bytes place{static_cast<std::int64_t>(random.below(blocks)) * 4096};
      shared.trace->requests.push_back({Time{0}, BlockOperation::read, place, 4_KiB});
    }
    return run_of(shared).throughput.per_second;
  };
  constexpr std::uint64_t everywhere = 24'000'000;
  constexpr std::uint64_t close_by = 250'000;
  EXPECT_GT(rate(close_by, 1), 1.5 * rate(everywhere, 32));
  EXPECT_GE(rate(close_by, 32), rate(close_by, 1));
  EXPECT_GE(rate(everywhere, 32), rate(everywhere, 1));
}

}  // namespace
}  // namespace doorbell::model
