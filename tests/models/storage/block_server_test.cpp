#include "models/storage/block_server.hpp"

#include <gtest/gtest.h>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

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

TEST(BlockServer, WritesArriveAtTheRateOfTheFetch) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->operation = BlockOperation::write;
  shared.stream->record = 512_KiB;
  const double bandwidth = megabytes_per_second(shared);
  // Through the network, then fetched, then written by the heads.
  EXPECT_LT(bandwidth, 1 / (1 / 200.0 + 1 / 150.0));
  EXPECT_GT(bandwidth, 40);
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

}  // namespace
}  // namespace doorbell::model
