#include "models/shared_files/web_load.hpp"

#include <gtest/gtest.h>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

SharedFilesScenario web() {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.web = WebLoad{.record = 256_KiB};
  shared.files = {.count = 100, .size = Bytes{1 << 20}};
  return shared;
}

TEST(WebLoad, AnOperationIsAFile) {
  const RunResult result = run_of(web());
  EXPECT_NEAR(result.bandwidth.bytes_per_second, result.throughput.per_second * (1 << 20), 1);
  EXPECT_GT(result.operations, 50U);
}

TEST(WebLoad, FilesFurtherApartTakeLonger) {
  SharedFilesScenario shared = web();
  const double near = run_of(shared).throughput.per_second;
  shared.files.count = 300'000;  // most of the disks
  EXPECT_LT(run_of(shared).throughput.per_second, 0.95 * near);
}

TEST(WebLoad, WhatTheCacheHoldsNeedsNoServer) {
  SharedFilesScenario shared = web();
  shared.mount.direct = false;
  shared.web->again = true;
  const RunResult result = run_of(shared);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, 1000, 20);
}

}  // namespace
}  // namespace doorbell::model
