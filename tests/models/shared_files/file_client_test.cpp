#include "models/shared_files/file_client.hpp"

#include <gtest/gtest.h>

#include "models/counter.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

SharedFilesScenario cached() {
  SharedFilesScenario shared = small_cluster();
  shared.mount.direct = false;
  shared.mount.page_cache = Bytes{2LL << 30};
  shared.stream->again = true;
  return shared;
}

TEST(FileClient, HitsRunAtTheRateOfTheMemoryWhileTheBufferStaysInTheCore) {
  SharedFilesScenario shared = cached();
  EXPECT_NEAR(megabytes_per_second(shared), 1000, 5);
  shared.stream->record = 1024_KiB;  // a buffer in memory: a copy from memory to memory
  EXPECT_NEAR(megabytes_per_second(shared), 250, 3);
}

TEST(FileClient, EachMachineReadsFromItsOwnCache) {
  SharedFilesScenario shared = cached();
  shared.mount.nodes = 3;
  EXPECT_NEAR(megabytes_per_second(shared), 3000, 15);
}

TEST(FileClient, ReadingAheadOverlapsTransferAndCopy) {
  SharedFilesScenario shared = cached();
  shared.stream->again = false;
  shared.stream->record = 64_KiB;
  shared.mount.read_ahead = Bytes{0};
  const double none = megabytes_per_second(shared);
  shared.mount.read_ahead = 512_KiB;
  const double ahead = megabytes_per_second(shared);
  EXPECT_GT(ahead, 1.5 * none);
}

TEST(FileClient, StagingCostsACopyAndMappingARegistration) {
  SharedFilesScenario shared = small_cluster();
  const double gather = megabytes_per_second(shared);
  shared.mount.movement = Movement::staging;
  const double staging = megabytes_per_second(shared);
  shared.mount.movement = Movement::mapping;
  shared.node.register_region = 100us;
  shared.node.map_page = 1us;
  const double mapping = megabytes_per_second(shared);
  EXPECT_NEAR(1 / staging - 1 / gather, 1 / 250.0, 1e-4);
  EXPECT_NEAR(1 / mapping - 1 / gather, 164e-6 / 0.262144, 1e-4);
}

TEST(FileClient, LargeCallsBecomeRequestsOfLimitedSize) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->record = Bytes{4 << 20};
  shared.mount.largest_request = 128_KiB;
  const double small = megabytes_per_second(shared);
  // Two chunks: two disks of 100 MB/s, then the link.
  EXPECT_NEAR(small, 1 / (1 / 200.0 + 1 / 300.0), 3);
}

TEST(FileClient, AWriterTakesTheFileFromItsReaders) {
  SharedFilesScenario shared = cached();
  shared.mount.nodes = 2;
  shared.mount.lock = 1ms;
  shared.stream->operation = BlockOperation::write;
  shared.stream->again = false;
  const RunResult result = run_of(shared);
  EXPECT_GT(counter(result, "nodes/lock revocations").count, 10U);
  EXPECT_GT(result.operations, 0U);
}

}  // namespace
}  // namespace doorbell::model
