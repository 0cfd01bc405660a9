#include "analytic/file_traffic.hpp"

#include <gtest/gtest.h>

#include "models/shared_files_machine.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace doorbell::model;

constexpr Progress for_ever;
constexpr double mebibyte = 1 << 20;

/// One machine with 256 MiB of page cache goes through a file of 128 MiB.
SharedFilesScenario cached() {
  SharedFilesScenario shared = small_cluster();
  shared.mount.direct = false;
  shared.mount.page_cache = Bytes{256 << 20};
  shared.files.size = Bytes{128 << 20};
  return shared;
}

TEST(FileTraffic, PastThePageCacheEveryByteIsRead) {
  const FileTraffic traffic = file_traffic(small_cluster(), for_ever);
  EXPECT_EQ(traffic.bytes, mebibyte / 4);
  EXPECT_EQ(traffic.read, traffic.bytes);
  EXPECT_EQ(traffic.disk_read, traffic.bytes);
  EXPECT_EQ(traffic.read_requests, 1);
  EXPECT_EQ(traffic.copied, 0);
}

TEST(FileTraffic, AFileThatFitsIsReadOnce) {
  const SharedFilesScenario shared = cached();
  EXPECT_EQ(file_traffic(shared, for_ever).read, 0);
  // One pass, or four.
  EXPECT_DOUBLE_EQ(file_traffic(shared, {0, 128 * mebibyte}).read, mebibyte / 4);
  EXPECT_DOUBLE_EQ(file_traffic(shared, {0, 512 * mebibyte}).read, mebibyte / 16);
}

TEST(FileTraffic, WhatTheWarmUpReadsIsNotMissedLater) {
  SharedFilesScenario shared = cached();
  EXPECT_EQ(file_traffic(shared, {128 * mebibyte, 128 * mebibyte}).read, 0);
  shared.stream->again = true;
  EXPECT_EQ(file_traffic(shared, {0, 128 * mebibyte}).read, 0);
}

TEST(FileTraffic, AStreamThroughALargerFileFindsNothing) {
  SharedFilesScenario shared = cached();
  shared.files.size = Bytes{257 << 20};
  EXPECT_EQ(file_traffic(shared, for_ever).read, mebibyte / 4);
}

TEST(FileTraffic, ReadersOfOneFileMayReadItTogether) {
  SharedFilesScenario shared = cached();
  shared.files.size = Bytes{1LL << 30};
  shared.stream->processes = 4;
  EXPECT_EQ(file_traffic(shared, for_ever).read, mebibyte / 16);
  shared.files.count = 4;
  EXPECT_EQ(file_traffic(shared, for_ever).read, mebibyte / 4);
}

TEST(FileTraffic, FilesAtRandomAreFoundAsOftenAsTheyFit) {
  SharedFilesScenario shared = cached();
  shared.stream.reset();
  shared.web = WebLoad{.processes = 1, .record = 1024_KiB};
  shared.files = {.count = 1024, .size = 1024_KiB};
  FileTraffic traffic = file_traffic(shared, for_ever);
  EXPECT_DOUBLE_EQ(traffic.read, 0.75 * mebibyte);
  // Four disks, whose buffers hold 64 of the other 768 MiB.
  EXPECT_NEAR(traffic.seeks, 4 * 0.75 * (1 - 64.0 / 768), 0.01);
  // The server's cache has a third of the others.
  shared.disks = {.path = DataPath::ram, .page_cache = Bytes{256 << 20}};
  traffic = file_traffic(shared, for_ever);
  EXPECT_DOUBLE_EQ(traffic.read, 0.75 * mebibyte);
  EXPECT_DOUBLE_EQ(traffic.disk_read, 0.5 * mebibyte);
}

TEST(FileTraffic, WhatStaysDirtyIsNotWritten) {
  SharedFilesScenario shared = cached();
  shared.stream->operation = BlockOperation::write;
  shared.files.size = Bytes{16 << 20};  // a tenth of the cache may be dirty
  EXPECT_EQ(file_traffic(shared, for_ever).written, 0);
  shared.files.size = Bytes{64 << 20};
  EXPECT_EQ(file_traffic(shared, for_ever).written, mebibyte / 4);
  const double behind = 25.6 / 64;
  EXPECT_NEAR(file_traffic(shared, {0, 64 * mebibyte}).written, (1 - behind) * mebibyte / 4, 1);
}

TEST(FileTraffic, WriteCachesSpareTheHeads) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->operation = BlockOperation::write;
  FileTraffic traffic = file_traffic(shared, {0, 512 * mebibyte});
  EXPECT_EQ(traffic.media_written, mebibyte / 4);
  shared.server.raid.mechanics.write_cache = Bytes{32 << 20};
  traffic = file_traffic(shared, {0, 512 * mebibyte});
  EXPECT_EQ(traffic.disk_written, mebibyte / 4);
  EXPECT_EQ(traffic.media_written, 0.75 * mebibyte / 4) << "four caches hold 128 MiB";
}

TEST(FileTraffic, SievingReadsTheGapsOfATile) {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.tiles = TileLoad{.columns = 4, .rows = 1, .width = 128, .height = 8, .element = 32_B};
  const double piece = 4096;
  FileTraffic traffic = file_traffic(shared, for_ever);
  EXPECT_EQ(traffic.bytes, 8 * piece);
  EXPECT_EQ(traffic.calls, 8);
  EXPECT_EQ(traffic.read, 8 * piece);
  shared.tiles->sieve = 64_KiB;
  traffic = file_traffic(shared, for_ever);
  EXPECT_EQ(traffic.calls, 2);
  EXPECT_EQ(traffic.read, (7 * 4 + 1) * piece);
}

TEST(FileTraffic, ATraceIsTheMeanOfItsRequests) {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.trace = TraceLoad{.file = "trace", .at_recorded_times = false, .requests = {}};
  shared.trace->requests = {{0ms, BlockOperation::read, 0_KiB, 64_KiB},
                            {1ms, BlockOperation::read, 32_KiB, 64_KiB},
                            {2ms, BlockOperation::write, 512_KiB, 1024_KiB},
                            {3ms, BlockOperation::read, 0_KiB, 64_KiB}};
  const FileTraffic traffic = file_traffic(shared, for_ever);
  EXPECT_EQ(traffic.bytes, 304.0 * 1024);
  EXPECT_EQ(traffic.read, 48.0 * 1024);
  EXPECT_EQ(traffic.media_read, 24.0 * 1024);
  EXPECT_EQ(traffic.written, 256.0 * 1024);
  EXPECT_EQ(traffic.write_requests, 0.5);  // 1 MiB in two requests
  EXPECT_EQ(traffic.processes, 1);
}

}  // namespace
}  // namespace doorbell::analytic
