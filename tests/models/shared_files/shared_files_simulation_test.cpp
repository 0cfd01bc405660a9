#include "models/shared_files/shared_files_simulation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "models/fixture.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(SharedFiles, NoResourceIsBusierThanAlwaysAndNothingExceedsIt) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 4;
  shared.disks.synchronized = SynchronizedSend::multiple;
  const RunResult result = run_of(shared);
  for (const Utilisation& use : result.utilisations) EXPECT_LE(use.busy, 1.02) << use.resource;
  EXPECT_LE(result.bandwidth.bytes_per_second, 300e6 * 1.01);
}

TEST(SharedFiles, SameSeedSameResult) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 3;
  shared.files.count = 3;
  const RunResult one = run_of(shared);
  const RunResult two = run_of(shared);
  EXPECT_EQ(one.operations, two.operations);
  EXPECT_EQ(one.events, two.events);
  EXPECT_EQ(one.latency.p99, two.latency.p99);
}

TEST(SharedFiles, TheSchedulerDecidesWhatStreamsFarApartGet) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 4;
  shared.files.count = 4;
  shared.stream->record = 64_KiB;
  const auto with = [&](IoScheduler scheduler) {
    shared.disks.scheduler = scheduler;
    return megabytes_per_second(shared);
  };
  // One request at a time uses one disk at a time.
  EXPECT_LT(with(IoScheduler::anticipatory), with(IoScheduler::deadline));
}

/// Eight machines on four disks that read a file each and go from one to the other all the time.
SharedFilesScenario seeking() {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 8;
  shared.files = {.count = 8, .size = Bytes{8LL << 30}};
  shared.server.raid.read_ahead = Bytes{0};
  shared.stream->record = 64_KiB;
  shared.disks.workers = 4;
  return shared;
}

TEST(SharedFiles, DiskHeadsCanBeTheBottleneck) {
  SharedFilesScenario shared = seeking();
  shared.mount.depth = 4;
  shared.stream->processes = 4;
  shared.disks.workers = 32;
  shared.server.nic.sram = Bytes{4 << 20};
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.resource, "server/disks");
  EXPECT_EQ(result.bottleneck.limit, Limit::disk_heads);
}

TEST(SharedFiles, WhatRequestsHoldLimitsWhenNoResourceDoes) {
  // Four requests never are on four different disks for long; but what they are held for is seeks.
  RunResult result = run_of(seeking());
  EXPECT_EQ(result.bottleneck.resource, "server/disks");
  EXPECT_EQ(result.bottleneck.limit, Limit::disk_heads);
  EXPECT_NE(result.bottleneck.sentence.find("server/workers: held"), std::string::npos) << result.bottleneck.sentence;
  SharedFilesScenario quicker = seeking();
  quicker.server.raid.mechanics.average_seek = quicker.server.raid.mechanics.average_seek / 2;
  quicker.server.raid.mechanics.revolution = quicker.server.raid.mechanics.revolution / 2;
  quicker.server.raid.media = quicker.server.raid.media * 2;
  SharedFilesScenario more = seeking();
  more.disks.workers *= 2;
  EXPECT_GT(run_of(quicker).throughput.per_second, run_of(more).throughput.per_second);

  SharedFilesScenario small_buffer = seeking();
  small_buffer.server.nic.sram = 64_KiB;
  EXPECT_EQ(run_of(small_buffer).bottleneck.resource, "server/buffers in the NIC's memory");

  SharedFilesScenario one_at_a_time = seeking();
  one_at_a_time.disks.scheduler = IoScheduler::anticipatory;
  EXPECT_EQ(run_of(one_at_a_time).bottleneck.resource, "server/I/O scheduler");

  SharedFilesScenario alone = seeking();
  alone.mount.nodes = 1;
  alone.stream->record = 16384_KiB;
  EXPECT_EQ(run_of(alone).bottleneck.resource, "nodes/requests in flight");
  alone.stream->record = 64_KiB;
  EXPECT_EQ(run_of(alone).bottleneck.resource, "nodes/processes");
}

TEST(SharedFiles, BuffersAreHeldForTheLinkWhereItSendsUntilAfterTheDisks) {
  // Read at 400 MB/s while they are sent at 300: with a faster link they would be free earlier, with faster disks not.
  SharedFilesScenario shared = small_cluster();
  shared.disks.synchronized = SynchronizedSend::multiple;
  shared.mount.depth = 4;
  shared.stream->record = 4096_KiB;
  shared.server.nic.sram = 512_KiB;
  shared.server.nic.packet = 64_KiB;
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.resource, "server/buffers in the NIC's memory");
  EXPECT_NE(result.bottleneck.sentence.find("100 % of the time for server/NIC link"), std::string::npos)
      << result.bottleneck.sentence;
}

TEST(SharedFiles, DisksLimitWhereTheOnlyBufferWaitsForThem) {
  // Requests of a chunk of each disk: a second buffer would wait for the same disks.
  SharedFilesScenario shared = seeking();
  shared.stream->record = 256_KiB;
  shared.server.nic.sram = 256_KiB;
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.resource, "server/disks");
  EXPECT_EQ(result.bottleneck.limit, Limit::disk_heads);
  EXPECT_NE(result.bottleneck.sentence.find("server/buffers in the NIC's memory: held 100 %"), std::string::npos)
      << result.bottleneck.sentence;
}

TEST(SharedFiles, ASchedulerThatServesOneProcessAtATimeLimitsWhoWaitsForIt) {
  SharedFilesScenario shared = seeking();
  shared.disks.scheduler = IoScheduler::anticipatory;
  const RunResult in_turn = run_of(shared);
  EXPECT_EQ(in_turn.bottleneck.limit, Limit::scheduler);
  shared.disks.scheduler = IoScheduler::deadline;
  const RunResult together = run_of(shared);
  EXPECT_NE(together.bottleneck.limit, Limit::scheduler);
  EXPECT_GT(together.throughput.per_second, in_turn.throughput.per_second);
}

TEST(SharedFiles, OneOfEverythingIsToldTogether) {
  SharedFilesScenario shared = small_cluster();
  shared.server.nic.sram = 256_KiB;
  const RunResult result = run_of(shared);
  EXPECT_NE(result.bottleneck.sentence.find(
                "all is taken of nodes/requests in flight and server/buffers in the NIC's memory;"),
            std::string::npos)
      << result.bottleneck.sentence;
}

/// One machine that writes a file through a page cache of which little may be dirty, to disks that miss no revolution.
SharedFilesScenario writing() {
  SharedFilesScenario shared = small_cluster();
  shared.server.raid.mechanics.revolution = Time{0};
  shared.mount.direct = false;
  shared.mount.page_cache = 65536_KiB;
  shared.stream->operation = BlockOperation::write;
  shared.warmup = 2s;
  shared.duration = 20s;
  return shared;
}

TEST(SharedFiles, WritersThatWaitAtTheDirtyLimitWaitForWhatWriteBackWaitsFor) {
  const RunResult result = run_of(writing());
  EXPECT_EQ(result.bottleneck.sentence.find("nodes/copying"), std::string::npos) << result.bottleneck.sentence;
  SharedFilesScenario more = writing();
  more.server.raid.fetch_from_memory = more.server.raid.fetch_from_memory * 2;
  const double faster_controller = run_of(more).throughput.per_second;
  more = writing();
  more.node.copy = more.node.copy * 2;
  const double faster_copies = run_of(more).throughput.per_second;
  EXPECT_GT(faster_controller, faster_copies);
}

TEST(SharedFiles, WhoWaitsAtTheServersDirtyLimitWaitsForItsDisks) {
  // One disk after the other, so that none is busy all the time.
  SharedFilesScenario shared = writing();
  shared.mount.direct = true;
  shared.mount.largest_request = 64_KiB;
  shared.disks.path = DataPath::ram;
  shared.disks.page_cache = 16384_KiB;
  shared.server.raid.queue = 1;
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.resource, "server/I/O scheduler") << "it lets one request at a time to the controller";
  EXPECT_NE(result.bottleneck.sentence.find("of the time for server/disk"), std::string::npos)
      << result.bottleneck.sentence;
  SharedFilesScenario several = shared;
  several.server.raid.queue = 4;
  EXPECT_GT(run_of(several).throughput.per_second, 1.2 * result.throughput.per_second);
  SharedFilesScenario quicker = shared;
  quicker.server.raid.mechanics.average_seek = quicker.server.raid.mechanics.average_seek / 2;
  quicker.server.raid.mechanics.track_seek = quicker.server.raid.mechanics.track_seek / 2;
  quicker.server.raid.mechanics.revolution = quicker.server.raid.mechanics.revolution / 2;
  quicker.server.raid.media = quicker.server.raid.media * 2;
  EXPECT_GT(run_of(quicker).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(SharedFiles, WhoWaitsForALockWaitsForWhatItsHolderDoes) {
  // Machines that write one file in turn: each has what the one before it has written put onto the disks.
  SharedFilesScenario shared = writing();
  shared.server.raid.mechanics.revolution = 8ms;
  shared.mount.nodes = 3;
  shared.mount.lock = 100us;
  shared.warmup = 1s;
  shared.duration = 4s;
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.bottleneck.sentence.find("nodes/locks"), std::string::npos) << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.sentence.find("server/disk"), std::string::npos) << result.bottleneck.sentence;
  SharedFilesScenario no_messages = shared;
  no_messages.mount.lock = Time{0};
  SharedFilesScenario caching = shared;
  caching.server.raid.mechanics.write_cache = 8192_KiB;
  EXPECT_GT(run_of(caching).throughput.per_second, 2 * run_of(no_messages).throughput.per_second);
  // Where only messages take time, it is they that are waited for.
  shared.mount.lock = 100ms;
  EXPECT_NE(run_of(shared).bottleneck.sentence.find("for nodes/locks"), std::string::npos);
}

TEST(SharedFiles, WhoWaitsForALockWaitsForTheCopiesOfItsHolder) {
  // Nothing is written back while the machines copy, all of it on one core each, into the same file in turn.
  SharedFilesScenario shared = writing();
  shared.mount.nodes = 2;
  shared.stream->record = 16384_KiB;
  shared.node.copy = 20_MBps;
  shared.warmup = 1s;
  shared.duration = 8s;
  const RunResult result = run_of(shared);
  EXPECT_NE(result.bottleneck.sentence.find("for nodes/copying"), std::string::npos) << result.bottleneck.sentence;
  SharedFilesScenario faster = shared;
  faster.node.copy = faster.node.copy * 2;
  EXPECT_GT(run_of(faster).throughput.per_second, 1.3 * result.throughput.per_second);
}

TEST(SharedFiles, WhoWaitsForACoreToRegisterMemoryWaitsForThatCore) {
  // Mapping pages keeps the only core busy; registrations wait for it, and are short.
  SharedFilesScenario shared = small_cluster();
  shared.mount.movement = Movement::mapping;
  shared.mount.depth = 8;
  shared.disks.workers = 8;
  shared.stream->record = 1024_KiB;
  shared.mount.largest_request = 64_KiB;
  shared.node.cores = 1;
  shared.node.map_page = 100us;
  shared.node.register_region = 100us;
  const RunResult result = run_of(shared);
  EXPECT_GT(busy(result, "nodes/CPU"), 0.9);
  // Of 1700 us of a request on that core, 100 us.
  EXPECT_NEAR(busy(result, "nodes/NIC, one registration at a time"), 0.059, 0.01);
  EXPECT_EQ(result.bottleneck.resource, "nodes/CPU") << result.bottleneck.sentence;
}

TEST(SharedFiles, NothingIsHeldForMoreThanAllOfItsTime) {
  for (const IoScheduler scheduler : {IoScheduler::anticipatory, IoScheduler::cfq}) {
    for (const int nodes : {1, 4}) {
      for (const bool direct : {true, false}) {
        SharedFilesScenario shared = writing();
        shared.mount.nodes = nodes;
        shared.mount.direct = direct;
        shared.disks.scheduler = scheduler;
        shared.files.count = nodes;
        shared.duration = 5s;
        const std::string sentence = run_of(shared).bottleneck.sentence;
        const std::size_t of_that = sentence.find(" % of that for");
        if (of_that == std::string::npos) continue;
        const std::size_t begin = sentence.rfind(' ', of_that - 1);
        EXPECT_LE(std::stoi(sentence.substr(begin + 1)), 100) << sentence;
      }
    }
  }
}

TEST(SharedFiles, ASchedulerOfOneProcessIsHelpedByLargerRecordsWhereTheyCanGrow) {
  SharedFilesScenario shared = seeking();
  shared.disks.scheduler = IoScheduler::anticipatory;
  const RunResult small = run_of(shared);
  EXPECT_NE(small.bottleneck.sentence.find("; larger records would give"), std::string::npos)
      << small.bottleneck.sentence;
  shared.stream->record = shared.stream->record * 2;
  EXPECT_GT(run_of(shared).bandwidth.bytes_per_second, 1.5 * small.bandwidth.bytes_per_second);
  shared.stream->record = shared.mount.largest_request;
  EXPECT_EQ(run_of(shared).bottleneck.sentence.find("larger records"), std::string::npos);
}

}  // namespace
}  // namespace doorbell::model
