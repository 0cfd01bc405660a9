#include "models/dma/dma_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/common/bottleneck.hpp"
#include "models/dma_device.hpp"
#include "models/fixture.hpp"
#include "models/level.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RunResult simulate(const DmaScenario& dma, std::uint64_t seed = 1) {
  Scenario scenario;
  scenario.instead = dma;
  scenario.seed = seed;
  return run(scenario);
}

DmaScenario many(DmaWork work) {
  DmaScenario scenario = dma_device();
  scenario.work = work;
  scenario.in_flight = 100;
  scenario.cached = Warmth::host;
  return scenario;
}

TEST(DmaSimulation, OneAtATimeIsTheLatencyOfOne) {
  DmaScenario scenario = dma_device();
  scenario.cached = Warmth::host;
  const RunResult result = simulate(scenario);
  EXPECT_NEAR(to_nanoseconds(result.latency.mean), 486.5, 0.01);
  EXPECT_NEAR(result.throughput.millions(), 1 / 0.4865, 0.02);
}

TEST(DmaSimulation, TagsLimitSmallReadsByLittlesLaw) {
  const RunResult result = simulate(many(DmaWork::read));
  EXPECT_NEAR(result.throughput.millions(), 32 / 0.4615, 0.3);
  EXPECT_EQ(result.bottleneck.limit, Limit::read_tags);
}

TEST(DmaSimulation, TheEngineLimitsSmallWrites) {
  const RunResult result = simulate(many(DmaWork::write));
  EXPECT_NEAR(result.throughput.millions(), 50, 0.1);
  EXPECT_EQ(result.bottleneck.limit, Limit::device);
}

TEST(DmaSimulation, TheLinkLimitsLargeOnes) {
  for (const DmaWork work : {DmaWork::read, DmaWork::write}) {
    DmaScenario scenario = many(work);
    scenario.size = 2_KiB;
    const RunResult result = simulate(scenario);
    const double header = work == DmaWork::write ? 24.0 / 256 : 20.0 / 64;
    EXPECT_NEAR(result.bandwidth.bytes_per_second, 8e9 / (1 + header), 8e9 * 0.005);
    EXPECT_EQ(result.bottleneck.limit, Limit::dma_bandwidth);
  }
}

TEST(DmaSimulation, ReadsAndWritesShareNothingButTheWayUp) {
  DmaScenario scenario = many(DmaWork::alternating);
  scenario.size = 512_B;
  const RunResult both = simulate(scenario);
  // 560 B of writes and 24 B of requests.
  EXPECT_LE(both.bandwidth.bytes_per_second, 8e9 * 512 / 584 * 1.001);
  EXPECT_NEAR(both.throughput.per_second, 2 * both.bandwidth.bytes_per_second / 512, both.throughput.per_second * 0.01);
}

TEST(DmaSimulation, WriteThenReadWaitsForTheWrite) {
  DmaScenario scenario = dma_device();
  scenario.work = DmaWork::write_then_read;
  const RunResult result = simulate(scenario);
  // The write takes 74 ns; the request arrives 28 ns after it, and waits for the rest of 150 ns.
  EXPECT_NEAR(to_nanoseconds(result.latency.mean), 74 + 486.5 + (150 - 28), 0.01);
}

TEST(DmaSimulation, ReadsOfWhatTheDeviceWroteComeFromItsShareOfTheCache) {
  DmaScenario scenario = dma_device();
  scenario.cached = Warmth::device;
  scenario.duration = 2ms;
  scenario.window = Bytes{1 << 17};
  const double all = to_nanoseconds(simulate(scenario).latency.mean);
  scenario.window = Bytes{1 << 19};
  const double quarter = to_nanoseconds(simulate(scenario).latency.mean);
  EXPECT_NEAR(all, 486.5, 0.01);
  EXPECT_NEAR(quarter - all, 80 * 0.75, 3);
}

TEST(DmaSimulation, PageWalksLimitBeyondTheReachOfTheIoTlb) {
  DmaScenario scenario = many(DmaWork::read);
  scenario.iommu_page = 4_KiB;
  scenario.window = 256_KiB;
  const RunResult within = simulate(scenario);
  EXPECT_EQ(within.bottleneck.limit, Limit::read_tags);
  scenario.window = Bytes{64 << 20};
  const RunResult beyond = simulate(scenario);
  EXPECT_NEAR(beyond.throughput.millions(), 6 / 0.3, 0.3);
  EXPECT_EQ(beyond.bottleneck.limit, Limit::page_walks);
  scenario.iommu_page = Bytes{2 << 20};
  EXPECT_EQ(simulate(scenario).bottleneck.limit, Limit::read_tags) << "32 pages";
}

TEST(DmaSimulation, ResultsOfPageWalksWaitBehindCompletions) {
  DmaScenario scenario = many(DmaWork::read);
  scenario.iommu_page = 4_KiB;
  scenario.window = Bytes{64 << 20};
  const auto left = [&](Bytes size) {
    scenario.size = size;
    scenario.hardware.iommu.completion_queue = 0_B;
    const double rate = simulate(scenario).throughput.per_second;
    scenario.hardware.iommu.completion_queue = 512_B;
    return simulate(scenario).throughput.per_second / rate;
  };
  EXPECT_LT(left(256_B), 0.9);
  EXPECT_GT(left(64_B), left(256_B)) << "which fill the link less";
}

TEST(DmaSimulation, CountsTheLinesThatItReadsAndWrites) {
  DmaScenario scenario = many(DmaWork::alternating);
  scenario.size = 100_B;
  scenario.offset = 60_B;
  const RunResult result = simulate(scenario);
  ASSERT_EQ(result.counters.front().name, "host/PCIeRdCur");
  EXPECT_NEAR(result.counters[0].rate.per_second, result.throughput.per_second / 2 * 3,
              result.throughput.per_second * 0.02);
  EXPECT_NEAR(result.counters[1].rate.per_second, result.throughput.per_second / 2 * 3,
              result.throughput.per_second * 0.02);
}

TEST(DmaSimulation, SaysWhenItHasNotSettled) {
  DmaScenario scenario = many(DmaWork::read);
  EXPECT_TRUE(simulate(scenario).warnings.empty());
  scenario.window = 64_KiB * 1024;
  scenario.in_flight = 5000;  // each waits for far longer than the time simulated
  scenario.size = 64_KiB;
  const RunResult result = simulate(scenario);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("steady state"), std::string::npos);
}

TEST(DmaSimulation, TheSameSeedGivesTheSame) {
  DmaScenario scenario = many(DmaWork::alternating);
  scenario.iommu_page = 4_KiB;
  scenario.window = Bytes{1 << 20};
  EXPECT_EQ(simulate(scenario, 7).operations, simulate(scenario, 7).operations);
  EXPECT_EQ(simulate(scenario, 7).latency.mean, simulate(scenario, 7).latency.mean);
}

TEST(DmaSimulation, MoreTagsWalkersAndCacheAreNeverSlower) {
  DmaScenario scenario = many(DmaWork::read);
  scenario.iommu_page = 4_KiB;
  scenario.window = Bytes{4 << 20};
  const double before = simulate(scenario).throughput.per_second;
  for (const auto improve : {+[](DmaMachine& machine) { machine.pcie.read_tags *= 2; },
                             +[](DmaMachine& machine) { machine.iommu.walkers *= 2; },
                             +[](DmaMachine& machine) { machine.iommu.entries *= 2; },
                             +[](DmaMachine& machine) { machine.memory.cache.size = Bytes{8 << 20}; }}) {
    DmaScenario better = scenario;
    improve(better.hardware);
    EXPECT_GE(simulate(better).throughput.per_second, before * 0.995);
  }
}

/// A device that writes to memory, and cores.
DmaScenario beside(int cores, CoreWork work) {
  DmaScenario scenario = many(DmaWork::write);
  scenario.cached = Warmth::cold;
  scenario.size = 256_B;
  scenario.window = Bytes{1 << 20};
  scenario.pattern = AddressPattern::sequential;
  scenario.hardware.memory.cache.device_share = 0_B;
  scenario.hardware.memory.channels = one_channel();
  scenario.hardware.memory.channels->write_queue = 32;
  scenario.hardware.memory.channels->drain_at = 16;
  scenario.hardware.memory.channels->drain_to = 4;
  scenario.hardware.pcie.posted_header_credits = 23;
  scenario.hardware.core = streaming_core();
  if (cores > 0) scenario.cores = CoreLoad{cores, work};
  return scenario;
}

TEST(DmaSimulation, WritesThatPassTheChannelsAreNotFasterThanThese) {
  const RunResult result = simulate(beside(0, CoreWork::read));
  EXPECT_LT(result.bandwidth.bytes_per_second, 64 / 3e-9 * 1.001);
  EXPECT_NEAR(level(result, "memory (GBps)"), result.bandwidth.bytes_per_second / 1e9, 0.3);
}

TEST(DmaSimulation, CoresThatReadAreSlowedDownByADeviceThatWrites) {
  DmaScenario scenario = beside(2, CoreWork::read);
  const double together = level(simulate(scenario), "cores (GBps)");
  scenario.in_flight = 0;
  const RunResult alone = simulate(scenario);
  EXPECT_LT(together, 0.95 * level(alone, "cores (GBps)"));
  EXPECT_EQ(alone.operations, 0U);
  EXPECT_TRUE(alone.warnings.empty()) << "nobody asked the device for anything";
}

TEST(DmaSimulation, CoresAloneReadWhatTheChannelsMove) {
  DmaScenario scenario = beside(2, CoreWork::read);
  scenario.in_flight = 0;
  const RunResult result = simulate(scenario);
  const double moved = level(result, "memory (GBps)");
  EXPECT_NEAR(level(result, "cores (GBps)"), moved, moved * 0.01);
}

TEST(DmaSimulation, CoresThatChangeMemoryTakeBandwidthFromADeviceThatWrites) {
  const double alone = simulate(beside(0, CoreWork::change)).bandwidth.bytes_per_second;
  const RunResult result = simulate(beside(6, CoreWork::change));
  EXPECT_LT(result.bandwidth.bytes_per_second, 0.8 * alone);
  EXPECT_GT(level(result, "memory channels full of writes (%)"), 80);
  EXPECT_EQ(result.bottleneck.resource, "memory channels");
}

TEST(DmaSimulation, MemoryChannelsThatHaveSomethingToDoDoNotLimitWhereMoreCreditsFindThemInTime) {
  DmaScenario scenario = beside(1, CoreWork::read);
  scenario.hardware.dma_engine.write_interval = 5ns;
  scenario.hardware.pcie.lanes = 32;
  scenario.hardware.pcie.posted_header_credits = 12;
  scenario.hardware.memory.channels->banks = 32;
  const RunResult result = simulate(scenario);
  EXPECT_GT(busy(result, "memory channels"), saturated);
  EXPECT_EQ(result.bottleneck.resource, "posted credits") << result.bottleneck.sentence;
  DmaScenario more = scenario;
  more.hardware.memory.channels->channels = 2;
  EXPECT_LT(simulate(more).throughput.per_second, 1.1 * result.throughput.per_second);
  scenario.hardware.pcie.posted_header_credits = 15;
  EXPECT_GT(simulate(scenario).throughput.per_second, 1.15 * result.throughput.per_second);
}

TEST(DmaSimulation, SeveralStreamsUseMoreRowsAtATime) {
  DmaScenario scenario = beside(0, CoreWork::read);
  const auto rows = [&] {
    const RunResult result = simulate(scenario);
    return std::ranges::find(result.counters, "host/rows opened", &CounterReading::name)->rate.per_second;
  };
  const double one = rows();
  scenario.streams = 16;
  EXPECT_GT(rows(), 1.2 * one);
  scenario.streams = 4097;
  EXPECT_THROW(simulate(scenario), std::invalid_argument) << "the window has room for 4096 requests";
}

TEST(DmaSimulation, CoresNeedMemoryChannelsAndACore) {
  DmaScenario scenario = beside(1, CoreWork::read);
  scenario.hardware.core.reset();
  EXPECT_THROW(simulate(scenario), std::invalid_argument);
  scenario = beside(1, CoreWork::read);
  scenario.hardware.memory.channels.reset();
  EXPECT_THROW(simulate(scenario), std::invalid_argument);
}

}  // namespace
}  // namespace doorbell::model
