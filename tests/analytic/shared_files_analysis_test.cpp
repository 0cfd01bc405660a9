#include "analytic/shared_files_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "analytic/bound_of.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace doorbell::model;
using testing::bound_of;

double share(const SharedFilesScenario& shared) {
  return run_of(shared).bandwidth.bytes_per_second / analyze(shared).bandwidth.bytes_per_second;
}

TEST(SharedFilesAnalysis, MeetsTheSimulationWithOneRequestInFlight) {
  for (const Bytes record : {12_KiB, 48_KiB, 64_KiB, 128_KiB, 256_KiB, 512_KiB}) {
    for (const SynchronizedSend send : {SynchronizedSend::none, SynchronizedSend::multiple}) {
      SharedFilesScenario shared = small_cluster();
      shared.stream->record = record;
      shared.disks.synchronized = send;
      shared.server.cpu.request = 100us;
      shared.server.raid.command = 200us;
      shared.server.nic.message = 50us;
      shared.server.nic.latency = 30us;
      shared.node.request = 40us;
      shared.node.call = 10us;
      EXPECT_NEAR(share(shared), 1, 0.02) << record.count;
    }
  }
}

struct Variant {
  std::string name;
  std::function<void(SharedFilesScenario&)> change;
  double least;  ///< Of what the closed form allows.
};

class SharedFilesVariant : public ::testing::TestWithParam<Variant> {};

TEST_P(SharedFilesVariant, IsNeverFasterThanItsClosedForm) {
  SharedFilesScenario shared = small_cluster();
  shared.files.size = Bytes{64 << 20};
  GetParam().change(shared);
  const double part = share(shared);
  EXPECT_LE(part, 1.01);
  EXPECT_GE(part, GetParam().least);
}

void cache(SharedFilesScenario& shared) {
  shared.mount.direct = false;
  shared.mount.page_cache = Bytes{256 << 20};
  shared.node.page = 1us;
}

INSTANTIATE_TEST_SUITE_P(
    , SharedFilesVariant,
    ::testing::Values(Variant{"staging", [](auto& s) { s.mount.movement = Movement::staging; }, 0.95},
                      Variant{"mapping",
                              [](auto& s) {
                                s.mount.movement = Movement::mapping;
                                s.node.map_page = 5us;
                                s.node.register_region = 100us;
                              },
                              0.95},
                      Variant{"mapping_of_many_requests",
                              [](auto& s) {
                                s.mount.movement = Movement::mapping;
                                s.mount.depth = 8;
                                s.mount.largest_request = 64_KiB;
                                s.disks.workers = 8;
                                s.stream->record = 1024_KiB;
                                s.node.cores = 4;
                                s.node.register_region = 1ms;
                              },
                              0.85},  // each call begins and ends with requests that wait for data
                      Variant{"requests_in_flight",
                              [](auto& s) {
                                s.stream->record = 4096_KiB;
                                s.mount.depth = 4;
                              },
                              0.9},
                      Variant{"machines_with_files_of_their_own",
                              [](auto& s) {
                                s.mount.nodes = 3;
                                s.files.count = 3;
                              },
                              0.2},
                      Variant{"machines_with_one_file", [](auto& s) { s.mount.nodes = 3; }, 0.95},
                      Variant{"read_ahead", [](auto& s) { cache(s); }, 0.8},
                      Variant{"read_ahead_of_short_calls",
                              [](auto& s) {
                                cache(s);
                                s.stream->record = 4_KiB;
                                s.mount.largest_request = 64_KiB;
                              },
                              0.5},
                      Variant{"read_before",
                              [](auto& s) {
                                cache(s);
                                s.stream->again = true;
                              },
                              0.98},
                      Variant{"read_before_by_more_processes_than_cores",
                              [](auto& s) {
                                cache(s);
                                s.stream->again = true;
                                s.stream->record = 1024_KiB;
                                s.stream->processes = 4;
                                s.node.cores = 1;
                                s.node.page = 16us;
                              },
                              0.98},
                      Variant{"read_before_over_slow_front_side_buses",
                              [](auto& s) {
                                cache(s);
                                s.stream->again = true;
                                s.stream->record = 1024_KiB;
                                s.node.bus.front_side = 100_MBps;
                              },
                              0.98},
                      Variant{"from_the_servers_cache_by_its_busy_core",
                              [](auto& s) {
                                s.stream->again = true;
                                s.disks.path = DataPath::ram;
                                s.disks.page_cache = Bytes{256 << 20};
                                s.mount.nodes = 4;
                                s.server.cpu.request = 2ms;
                              },
                              0.98},
                      // Equal copies, two bytes over the bus at 100 MB/s for each, end together, and are sent together
                      // over the bridge at 200 MB/s while the bus idles: 4/5.
                      Variant{"from_the_servers_cache_over_its_front_side_bus",
                              [](auto& s) {
                                s.stream->again = true;
                                s.disks.path = DataPath::ram;
                                s.disks.page_cache = Bytes{256 << 20};
                                s.mount.depth = 8;
                                s.stream->processes = 8;
                                s.disks.workers = 8;
                                s.server.bus.front_side = 100_MBps;
                              },
                              0.78},
                      Variant{"written_back",
                              [](auto& s) {
                                cache(s);
                                s.stream->operation = BlockOperation::write;
                              },
                              0.45},  // with revolutions that writes miss
                      Variant{"written_by_several",
                              [](auto& s) {
                                s.mount.nodes = 3;
                                s.disks.path = DataPath::ram;
                                s.disks.page_cache = Bytes{128 << 20};
                                s.files.size = Bytes{512 << 20};
                                s.stream->operation = BlockOperation::write;
                                s.stream->processes = 2;
                                s.duration = 4s;
                              },
                              0.3},
                      // With revolutions that writes miss.
                      Variant{"written_through", [](auto& s) { s.stream->operation = BlockOperation::write; }, 0.65},
                      Variant{"written_into_disks_caches",
                              [](auto& s) {
                                s.stream->operation = BlockOperation::write;
                                s.server.raid.mechanics.write_cache = 4096_KiB;
                              },
                              0.9},
                      Variant{"written_through_full_disks_caches",
                              [](auto& s) {
                                s.stream->operation = BlockOperation::write;
                                s.stream->processes = 4;
                                s.files.count = 4;
                                s.mount.depth = 4;
                                s.server.raid.media = 20_MBps;
                                s.server.raid.mechanics.write_cache = 4096_KiB;
                              },
                              0.9},
                      Variant{"written_again_into_disks_caches",
                              [](auto& s) {
                                s.stream->operation = BlockOperation::write;
                                s.files.size = Bytes{16 << 20};
                                s.server.raid.media = 5_MBps;
                                s.server.raid.mechanics.write_cache = 8192_KiB;
                              },
                              0.9},
                      Variant{"written_by_several_into_disks_caches",
                              [](auto& s) {
                                s.stream->operation = BlockOperation::write;
                                s.stream->processes = 4;
                                s.server.raid.media = 5_MBps;
                                s.server.raid.mechanics.write_cache = 1024_KiB;
                                s.duration = 4s;
                              },
                              0.1},
                      Variant{"servers_cache",
                              [](auto& s) {
                                s.disks.path = DataPath::ram;
                                s.disks.page_cache = Bytes{256 << 20};
                              },
                              0.8},
                      Variant{"through_memory", [](auto& s) { s.disks.path = DataPath::ram; }, 0.95},
                      Variant{"whole_files",
                              [](auto& s) {
                                cache(s);
                                s.stream.reset();
                                s.web = WebLoad{.processes = 2, .record = 1024_KiB};
                                s.files = {.count = 400, .size = 1024_KiB};
                                s.duration = 20s;
                              },
                              0.45},  // the bound lets both processes copy at once
                      Variant{"tiles",
                              [](auto& s) {
                                s.stream.reset();
                                s.tiles =
                                    TileLoad{.columns = 2, .rows = 2, .width = 1024, .height = 256, .element = 32_B};
                              },
                              0.7},
                      Variant{
                          "trace",
                          [](auto& s) {
                            s.stream.reset();
                            s.trace = TraceLoad{.file = "trace", .at_recorded_times = false, .requests = {}};
                            for (int i = 0; i < 50; ++i)
                              s.trace->requests.push_back({Time{0}, BlockOperation::read, Bytes{i * 262144}, 256_KiB});
                          },
                          0.9}),
    [](const ::testing::TestParamInfo<Variant>& variant) { return variant.param.name; });

TEST(SharedFilesAnalysis, ThroughMemoryTheServersBridgeIsCrossedTwice) {
  SharedFilesScenario shared = small_cluster();
  shared.disks.path = DataPath::ram;
  shared.mount.depth = 8;
  shared.stream->processes = 8;
  const Bounds bounds = analyze(shared);
  EXPECT_EQ(bounds.bottleneck, "server/host bridge");
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 100e6, 1);
}

TEST(SharedFilesAnalysis, ARequestTakesAsLongAsTheDiskWithMostOfIt) {
  struct Spread {
    Bytes record;
    Bytes on_one_disk;  ///< On average over where the requests of a stream lie.
  };
  // Stripes of 64 KiB on four disks. Of four requests of 48 KiB two are cut into 32 and 16.
  for (const Spread& spread : {Spread{32_KiB, 32_KiB}, Spread{64_KiB, 64_KiB}, Spread{48_KiB, 40_KiB},
                               Spread{96_KiB, 64_KiB}, Spread{128_KiB, 64_KiB}, Spread{240_KiB, 64_KiB}}) {
    SharedFilesScenario shared = small_cluster();
    shared.server.raid.interface = 10_MBps;
    shared.stream->record = spread.record;
    const double alone =
        static_cast<double>(spread.on_one_disk.count) / 10e6 + static_cast<double>(spread.record.count) / 300e6;
    EXPECT_NEAR(to_seconds(bound_of(analyze(shared), "nodes/requests in flight").demand) / alone, 1, 1e-3)
        << spread.record.count;
  }
}

TEST(SharedFilesAnalysis, EveryMachineHasItsOwnBusesAndRequests) {
  SharedFilesScenario shared = small_cluster();
  const Bounds one = analyze(shared);
  shared.mount.nodes = 3;
  const Bounds three = analyze(shared);
  for (const char* name : {"nodes/NIC link", "nodes/requests in flight", "nodes/processes"})
    EXPECT_NEAR(bound_of(three, name).limit.per_second, 3 * bound_of(one, name).limit.per_second, 1e-6) << name;
  EXPECT_EQ(bound_of(three, "server/NIC link").limit, bound_of(one, "server/NIC link").limit);
}

TEST(SharedFilesAnalysis, SaysThatLocksAreLeftOut) {
  SharedFilesScenario shared = small_cluster();
  shared.server.raid.mechanics.revolution = Time{0};
  shared.mount.nodes = 1;
  EXPECT_TRUE(analyze(shared).left_out.empty());
  shared.mount.lock = std::chrono::microseconds{50};
  EXPECT_EQ(analyze(shared).left_out.size(), 1U);
  shared.mount.lock = Time{0};
  shared.stream->operation = BlockOperation::write;
  EXPECT_TRUE(analyze(shared).left_out.empty()) << "nobody else wants what it writes";
  shared.mount.nodes = 2;
  EXPECT_EQ(analyze(shared).left_out.size(), 1U);
}

TEST(SharedFilesAnalysis, NamesTheRevolutionsThatWritesMiss) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 1;
  const auto names_them = [&shared] {
    const std::vector<std::string> left_out = analyze(shared).left_out;
    return std::any_of(left_out.begin(), left_out.end(),
                       [](const std::string& what) { return what.starts_with("revolutions"); });
  };
  EXPECT_FALSE(names_them());
  shared.stream->operation = BlockOperation::write;
  EXPECT_TRUE(names_them());
  shared.server.raid.mechanics.write_cache = 1024_KiB;
  EXPECT_FALSE(names_them());
  shared.server.raid.mechanics.write_cache = 4_KiB;
  EXPECT_TRUE(names_them()) << "it takes none of them";
}

/// Four disks of 1 MB/s that can hold 64 MiB each, and a stream of 100 MB/s.
TEST(SharedFilesAnalysis, WriteCachesHoldOnlyWhatFits) {
  SharedFilesScenario shared = small_cluster();
  shared.stream->operation = BlockOperation::write;
  shared.stream->record = 4096_KiB;
  shared.mount.depth = 8;
  shared.disks.workers = 8;
  shared.files.size = Bytes{100LL << 30};
  shared.duration = 60s;
  const Time bridge = bound_of(analyze(shared), "server/host bridge").demand;
  shared.server.raid.media = 1_MBps;
  shared.server.raid.mechanics.write_cache = Bytes{64 << 20};
  shared.warmup = 1ms;
  const Bounds bounds = analyze(shared);
  EXPECT_EQ(bounds.bottleneck, "server/disks");
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 4 * (1e6 + (64 << 20) / 60.0), 1e3);
  EXPECT_NEAR(share(shared), 0.98, 0.03);
  EXPECT_EQ(bound_of(bounds, "server/host bridge").demand, bridge) << "all goes to the disks";
  ASSERT_FALSE(bounds.left_out.empty());
  EXPECT_TRUE(bounds.left_out.back().starts_with("what the write caches of the disks hold"));
  // They are full by the time the measurement begins.
  shared.warmup = 10s;
  EXPECT_LT(share(shared), 0.6);
}

TEST(SharedFilesAnalysis, AProcessWaitsForTheHeadsThatServeItsCall) {
  // Small files all over the disks, one after the other.
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.files.count = 200000;
  shared.files.size = 4_KiB;
  shared.web = WebLoad{.processes = 1, .record = 4_KiB};
  shared.duration = 5s;
  for (const int disks : {1, 4}) {
    shared.server.raid.disks = disks;
    const Bounds bounds = analyze(shared);
    const Time seek = shared.server.raid.mechanics.track_seek + shared.server.raid.mechanics.mean_rotation();
    // What the buffers of the disks hold needs none: 16 MiB of each disk at most, of 781 MiB.
    EXPECT_GE(bounds.unloaded_latency, seek * 9 / 10) << disks;
    EXPECT_LE(share(shared), 1.001) << disks;
    EXPECT_GT(share(shared), 0.6) << disks << ": seeks are longer than from track to track";
    EXPECT_EQ(bounds.bottleneck, disks == 1 ? "server/disks" : "nodes/processes");
  }
}

TEST(SharedFilesAnalysis, TheAnticipatorySchedulerHasOneRequestAtATime) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.depth = 8;
  shared.disks.workers = 8;
  shared.stream->record = 4096_KiB;
  shared.server.nic.sram = Bytes{64 << 20};
  shared.server.raid.command = 1ms;
  const Rate several = analyze(shared).throughput;
  shared.disks.scheduler = IoScheduler::anticipatory;
  EXPECT_LT(analyze(shared).throughput, several);
  EXPECT_EQ(analyze(shared).bottleneck, "server/I/O scheduler");
}

TEST(SharedFilesAnalysis, FilesThatFitAreLimitedByCopiesOnceTheyHaveBeenRead) {
  SharedFilesScenario shared = small_cluster();
  cache(shared);
  shared.node.page = 0us;
  shared.node.bus.memory = 4000_MBps;
  shared.stream->record = 1024_KiB;  // larger than the core's cache
  shared.files.size = Bytes{64 << 20};
  shared.stream->processes = 2;
  shared.stream->again = true;
  const Bounds bounds = analyze(shared);
  EXPECT_EQ(bounds.bottleneck, "nodes/copying");
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 500e6, 1) << "by both cores";
}

TEST(SharedFilesAnalysis, AFirstPassIsNotMadeInTheWarmUpAtTheSpeedOfTheSecond) {
  SharedFilesScenario shared = small_cluster();
  cache(shared);
  shared.files.size = Bytes{256 << 20};  // fits; the disks and the link need a second
  shared.warmup = 500ms;
  shared.duration = 400ms;
  SharedFilesScenario again = shared;
  again.stream->again = true;
  EXPECT_LE(analyze(shared).bandwidth.bytes_per_second, 301e6);
  EXPECT_GT(analyze(again).bandwidth.bytes_per_second, 600e6);
  EXPECT_GE(share(shared), 0.7);
}

TEST(SharedFilesAnalysis, ATraceAtRecordedTimesIsNoFasterThanItWas) {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  TraceLoad& trace = shared.trace.emplace(TraceLoad{.file = "trace", .at_recorded_times = true, .requests = {}});
  for (int i = 0; i < 200; ++i)
    trace.requests.push_back({i * Time{5ms}, BlockOperation::read, Bytes{i * 65536LL}, 64_KiB});
  const Bounds bounds = analyze(shared);
  EXPECT_EQ(bounds.bottleneck, "nodes/arrivals");
  EXPECT_NEAR(bounds.throughput.per_second, 200 / 0.995, 1e-3);
  EXPECT_LE(share(shared), 1);
  EXPECT_GE(share(shared), 0.98);
  trace.at_recorded_times = false;
  EXPECT_GT(analyze(shared).throughput, bounds.throughput);
}

TEST(SharedFilesAnalysis, AnEmptyTraceHasNoBounds) {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.trace = TraceLoad{.file = "trace", .at_recorded_times = true, .requests = {}};
  EXPECT_TRUE(analyze(shared).bounds.empty());
}

}  // namespace
}  // namespace doorbell::analytic
