#include "models/shared_files/stream_load.hpp"

#include <gtest/gtest.h>

#include "models/counter.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(StreamLoad, CountsRecordsAndTheirBytes) {
  const RunResult result = run_of(small_cluster());
  const double records = result.throughput.per_second * 262144;
  EXPECT_NEAR(result.bandwidth.bytes_per_second, records, 1e-6 * records);
}

TEST(StreamLoad, BeginsAnewAtTheEndOfTheFile) {
  SharedFilesScenario shared = small_cluster();
  shared.files.size = Bytes{1000 * 1024};  // no whole number of records
  const RunResult result = run_of(shared);
  EXPECT_GT(result.bandwidth.bytes_per_second / 1e6, 50);
  EXPECT_LT(result.bandwidth.bytes_per_second, result.throughput.per_second * 262144);
}

TEST(StreamLoad, ProcessesWithAFileEachDoNotMeet) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.direct = false;
  shared.mount.lock = 1ms;
  shared.mount.nodes = 2;
  shared.stream->operation = BlockOperation::write;
  shared.files.count = 2;
  EXPECT_EQ(counter(run_of(shared), "nodes/lock revocations").count, 0U);
}

}  // namespace
}  // namespace doorbell::model
