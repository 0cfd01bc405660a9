#include "models/shared_files/file_client.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "models/counter.hpp"
#include "models/fixture.hpp"
#include "models/isolated_run.hpp"
#include "models/shared_files/lock_manager.hpp"
#include "models/shared_files/shared_files_routes.hpp"
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

TEST(FileClient, ACopyKeepsACoreBusyAndSeveralCoresCopyAtATime) {
  SharedFilesScenario shared = cached();
  shared.node.bus.memory = 4000_MBps;
  shared.stream->record = 1024_KiB;
  const auto with = [&shared](int cores, int processes) {
    shared.node.cores = cores;
    shared.stream->processes = processes;
    return run_of(shared);
  };
  const auto rate = [](const RunResult& result) { return result.bandwidth.bytes_per_second / 1e6; };
  EXPECT_NEAR(rate(with(4, 1)), 250, 3) << "one core";
  EXPECT_NEAR(rate(with(1, 4)), 250, 3);
  EXPECT_NEAR(rate(with(4, 4)), 1000, 12);
  EXPECT_NEAR(busy(with(4, 2), "nodes/CPU"), 0.5, 0.01);
  EXPECT_NEAR(busy(with(4, 2), "nodes/copying"), 0.5, 0.01);
  // What the calls do besides takes as long as the copies, on the same cores.
  shared.node.page = 16'384ns;
  EXPECT_NEAR(rate(with(1, 4)), 125, 2);
  EXPECT_EQ(with(1, 4).bottleneck.resource, "nodes/CPU");
  EXPECT_NEAR(rate(with(2, 8)), 250, 4);
}

TEST(FileClient, CopiesCrossTheFrontSideBusAndWhatTheNicBringsDoesNot) {
  SharedFilesScenario shared = cached();
  shared.node.bus.front_side = 100_MBps;
  EXPECT_NEAR(megabytes_per_second(shared), 100, 1);
  shared.stream->record = 1024_KiB;  // read and written
  EXPECT_NEAR(megabytes_per_second(shared), 50, 1);
  EXPECT_EQ(run_of(shared).bottleneck.resource, "nodes/front-side bus");
  shared = small_cluster();
  const double direct = megabytes_per_second(shared);
  shared.node.bus.front_side = 10_MBps;
  EXPECT_DOUBLE_EQ(megabytes_per_second(shared), direct);
}

TEST(FileClient, OfAPageOnlyWhatIsAskedForIsCopied) {
  SharedFilesScenario shared = cached();
  shared.stream->record = 2_KiB;
  shared.duration = 20ms;
  EXPECT_NEAR(megabytes_per_second(shared), 1000, 5);
}

core::Process read_again_after_a_writer(FileClient& client, LockManager& locks, core::Calendar& calendar,
                                        std::vector<Time>& took) {
  CachedDevice::Reader reader = client.open(0);
  for (const bool written : {false, true}) {
    if (written) {
      co_await locks.own(1, 0);
      locks.release(1, 0);
    }
    const Time began = calendar.now();
    co_await client.read(reader, locks, 0, 0, 256_KiB);
    took.push_back(calendar.now() - began);
  }
}

/// How long what `reads` does takes, by parts, on a machine that has the first 64 pages.
template <class Reads>
std::vector<double> seconds_of(const Reads& reads, const SharedFilesScenario& shared = cached()) {
  // In a process of its own, as SimGrid wants it.
  const RunResult result = run_isolated([&] {
    core::Calendar calendar;
    FluidNetwork network{calendar, core::Priority{1}};
    SharedFilesNetwork resources{network, shared};
    BlockServer server{calendar, network, resources, shared, 1};
    const FileClient::Routes routes{resources.add_route(resources.routes().copy_in_node, 0),
                                    resources.add_route(resources.routes().copy_to_cache, 0)};
    FileClient client{calendar, network, shared, 0, routes, server};
    LockManager locks{calendar, Time{0}, [&](int /*node*/, std::int64_t file) { return client.revoke(file); }};
    client.preload({0, 64});
    std::vector<Time> took;
    core::start(calendar, reads(client, locks, calendar, took));
    locks.grant(0, 0);
    calendar.run();
    RunResult own;
    for (const Time time : took) own.levels.push_back({"", to_seconds(time)});
    return own;
  });
  std::vector<double> seconds;
  for (const Level& level : result.levels) seconds.push_back(level.value);
  return seconds;
}

TEST(FileClient, WhatAnotherMachineHasWrittenIsReadAnew) {
  const std::vector<double> took = seconds_of(read_again_after_a_writer);
  ASSERT_EQ(took.size(), 2U);
  EXPECT_NEAR(took[0], 0.262144e-3, 1e-6) << "at the rate of the memory";
  EXPECT_GT(took[1], 0.262144 / 400) << "from the disks";
}

core::Process read_pieces(FileClient& client, LockManager& locks, core::Calendar& calendar, std::vector<Time>& took) {
  CachedDevice::Reader reader = client.open(0);
  for (const auto& [offset, size] : {std::pair{2048, 100_KiB}, std::pair{3072, 6_KiB}, std::pair{4096, 4_KiB}}) {
    const Time began = calendar.now();
    co_await client.read(reader, locks, 0, offset, size);
    took.push_back(calendar.now() - began);
  }
}

TEST(FileClient, OfThePagesAtBothEndsOnlyWhatIsAskedForIsCopied) {
  const std::vector<double> took = seconds_of(read_pieces);
  ASSERT_EQ(took.size(), 3U);
  EXPECT_NEAR(took[0], 102.4e-6, 1e-7);
  EXPECT_NEAR(took[1], 6.144e-6, 1e-7);
  EXPECT_NEAR(took[2], 4.096e-6, 1e-7);
}

core::Process write_both_ends(FileClient& client, LockManager& locks, core::Calendar& calendar,
                              std::vector<Time>& took) {
  // The last page of the file has 1 KiB; the first 64 are there.
  const std::int64_t last = (1 << 30) - 4096;
  for (const auto& [offset, size] :
       {std::pair{std::int64_t{0}, 1_KiB}, std::pair{last, 1_KiB}, std::pair{last - 8192, 1_KiB}}) {
    const Time began = calendar.now();
    co_await client.write(0, locks, 0, offset, size);
    took.push_back(calendar.now() - began);
  }
}

TEST(FileClient, WritesReadTheRestOfAPageExceptBehindTheEndOfTheFile) {
  SharedFilesScenario shared = cached();
  shared.files.size = shared.files.size - 3_KiB;
  const std::vector<double> took = seconds_of(write_both_ends, shared);
  ASSERT_EQ(took.size(), 3U);
  EXPECT_NEAR(took[0], 4.096e-6, 1e-8) << "a copy of 250 MB/s";
  EXPECT_NEAR(took[1], took[0], 1e-9);
  EXPECT_GT(took[2], 4.096e-5 + took[0]) << "a page from a disk of 100 MB/s";
}

TEST(FileClient, TheBusiestMachinesProcessorCountsSinceTheWarmUp) {
  SharedFilesScenario shared = cached();
  shared.node.call = 100us;
  const RunResult alone = run_of(shared);
  shared.mount.nodes = 2;
  shared.stream->stagger = 10s;  // the second one begins after the end
  const RunResult two = run_of(shared);
  EXPECT_DOUBLE_EQ(two.throughput.per_second, alone.throughput.per_second);
  EXPECT_DOUBLE_EQ(busy(two, "nodes/CPU"), busy(alone, "nodes/CPU"));
  EXPECT_GT(busy(two, "nodes/CPU"), 0.1);

  SharedFilesScenario warmed = cached();
  warmed.stream->again = false;
  warmed.files.size = Bytes{8 << 20};  // read in the warm-up, which takes 100 us a request
  warmed.node.request = 100us;
  EXPECT_NEAR(busy(run_of(warmed), "nodes/CPU"), 0.5, 1e-3) << "copies by one core of two";
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
  shared.mount.read_ahead = 4_KiB;
  const double page_by_page = megabytes_per_second(shared);
  EXPECT_NEAR(none, page_by_page, 0.2 * page_by_page);
  shared.mount.read_ahead = 512_KiB;
  const double ahead = megabytes_per_second(shared);
  EXPECT_GT(ahead, 1.5 * none);
}

TEST(FileClient, StagingCostsACopyAndMappingARegistration) {
  for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
    SharedFilesScenario shared = small_cluster();
    shared.stream->operation = operation;
    shared.server.raid.mechanics.revolution = Time{0};  // writes that just miss their place would hide what is compared
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

TEST(FileClient, MachinesWriteAFileOneAfterTheOther) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.mount.lock = 200us;
  shared.stream->operation = BlockOperation::write;
  const double one = run_of(shared).throughput.per_second;
  for (const int nodes : {2, 4}) {
    shared.mount.nodes = nodes;
    const RunResult several = run_of(shared);
    EXPECT_LE(several.throughput.per_second, 1 / (1 / one + 400e-6) * 1.02) << nodes;
    // Each call asks for the lock anew, and none of those before the measurement counts.
    EXPECT_NEAR(counter(several, "nodes/lock requests").rate.per_second, several.throughput.per_second,
                0.02 * several.throughput.per_second);
  }
}

TEST(FileClient, TheNicIsPausedForOneRegistrationAfterTheOther) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.movement = Movement::mapping;
  shared.mount.depth = 16;
  shared.mount.largest_request = 16_KiB;
  shared.disks.workers = 16;
  shared.stream->record = 1024_KiB;
  shared.node.register_region = 1ms;
  shared.node.cores = 1;
  const double one = megabytes_per_second(shared);
  EXPECT_NEAR(one, 16.384, 0.5);
  shared.node.cores = 8;
  const RunResult result = run_of(shared);
  EXPECT_NEAR(result.bandwidth.bytes_per_second / 1e6, one, 0.02 * one);
  EXPECT_EQ(result.bottleneck.resource, "nodes/NIC, one registration at a time") << result.bottleneck.sentence;
  EXPECT_GT(result.bottleneck.busy, 0.9);
  // Pages are mapped on all cores.
  shared.node.register_region = 10us;
  shared.node.map_page = 250us;
  EXPECT_GT(megabytes_per_second(shared), 2 * one);
}

TEST(FileClient, EachPageOfAWriteTakesItsTime) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.direct = false;
  shared.mount.page_cache = Bytes{2LL << 30};
  shared.mount.dirty_limit = 1;
  shared.stream->operation = BlockOperation::write;
  shared.duration = 500ms;
  const double before = megabytes_per_second(shared);
  shared.node.page = 10us;
  EXPECT_NEAR(1 / megabytes_per_second(shared) - 1 / before, 10e-6 / 4096e-6, 5e-5);
}

}  // namespace
}  // namespace doorbell::model
