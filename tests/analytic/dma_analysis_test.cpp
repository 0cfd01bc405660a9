#include "analytic/dma_analysis.hpp"

#include <gtest/gtest.h>

#include "analytic/bound_of.hpp"
#include "core/random.hpp"
#include "models/dma_device.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace model;

TEST(DmaAnalysis, AReadAlone) {
  DmaScenario scenario = dma_device();
  scenario.cached = Warmth::host;
  const Bounds bounds = analyze(scenario);
  EXPECT_EQ(bounds.unloaded_latency, 486500_ps);
  EXPECT_EQ(bounds.bottleneck, "requests in flight");
  scenario.in_flight = 100;
  EXPECT_EQ(analyze(scenario).bottleneck, "read tags");
  EXPECT_NEAR(analyze(scenario).throughput.millions(), 32 / 0.4615, 0.01);
}

TEST(DmaAnalysis, AWriteAndAReadOfTheSamePlace) {
  DmaScenario scenario = dma_device();
  scenario.work = DmaWork::write_then_read;
  EXPECT_EQ(analyze(scenario).unloaded_latency, 74ns + 486500_ps + 122ns);
}

TEST(DmaAnalysis, AReadOfWhatHasJustBeenWrittenHoldsItsTagsForNoMemory) {
  DmaScenario scenario = dma_device();
  const auto hold = [&](DmaWork work, Bytes window) {
    scenario.work = work;
    scenario.window = window;
    for (const Bound& bound : analyze(scenario).bounds) {
      if (bound.resource == "read tags") return to_nanoseconds(bound.demand);
    }
    return 0.0;
  };
  const Bytes beyond_the_cache{1LL << 30};
  EXPECT_DOUBLE_EQ(hold(DmaWork::write_then_read, beyond_the_cache), hold(DmaWork::write_then_read, 8_KiB));
  EXPECT_GT(hold(DmaWork::read, beyond_the_cache), hold(DmaWork::write_then_read, beyond_the_cache) + 50);
}

TEST(DmaAnalysis, RequestsOfOneReadHoldTheirTagsOneAfterTheOther) {
  DmaScenario scenario = dma_device();
  scenario.cached = Warmth::host;
  scenario.size = 1_KiB;
  // Each of two requests of 512 B: 3 ns, there and back, 200 ns in the host, eight completions of 84 B, 64 ns into the
  // device's memory and 40 ns.
  EXPECT_EQ(testing::bound_of(analyze(scenario), "read tags").demand, 2 * (3ns + 200ns + 200ns + 84ns + 64ns + 40ns));
}

TEST(DmaAnalysis, AReadOfManyRequestsTakesAsLongAsTheyTellAlone) {
  Scenario scenario;
  DmaScenario& dma = scenario.instead.emplace<DmaScenario>(dma_device());
  dma.cached = Warmth::host;
  dma.window = 1024_KiB;
  dma.hardware.memory.cache.size = Bytes{1 << 24};
  dma.hardware.pcie.read_tags = 1024;
  dma.hardware.pcie.nonposted_header_credits = 1024;
  dma.duration = 5ms;
  for (const Bandwidth memory : {Bandwidth{1e9}, Bandwidth{8e9}}) {
    dma.hardware.dma_engine.memory = memory;
    for (const Bytes size : {512_B, 4_KiB, 256_KiB}) {
      dma.size = size;
      const double simulated = to_seconds(run(scenario).latency.mean);
      EXPECT_NEAR(simulated / to_seconds(analyze(dma).unloaded_latency), 1, 0.001)
          << size.count << " B, " << memory.bytes_per_second;
    }
  }
}

TEST(DmaAnalysis, ACreditIsTakenForARoundTripToTheRootComplex) {
  Scenario scenario;
  DmaScenario& dma = scenario.instead.emplace<DmaScenario>(dma_device());
  dma.cached = Warmth::host;
  dma.in_flight = 64;
  for (const int credits : {1, 3}) {
    for (const Bytes size : {64_B, 2_KiB}) {
      dma.hardware.pcie.nonposted_header_credits = credits;
      dma.size = size;
      const Bounds bounds = analyze(dma);
      EXPECT_EQ(bounds.bottleneck, "non-posted credits");
      const double bound = bounds.throughput.per_second;
      EXPECT_NEAR(run(scenario).throughput.per_second, bound, bound * 0.02) << credits << ' ' << size.count;
    }
  }
}

TEST(DmaAnalysis, WalksBeyondTheReachOfTheIoTlb) {
  DmaScenario scenario = dma_device();
  scenario.in_flight = 100;
  scenario.iommu_page = 4_KiB;
  scenario.window = 256_KiB;
  EXPECT_EQ(analyze(scenario).bottleneck, "read tags");
  scenario.window = Bytes{64 << 20};
  EXPECT_EQ(analyze(scenario).bottleneck, "IOMMU page walks");
}

/// Reads of memory beyond all caches.
Scenario uncached() {
  Scenario scenario;
  DmaScenario& dma = scenario.instead.emplace<DmaScenario>(dma_device());
  dma.window = Bytes{1LL << 30};
  dma.warmup = 200us;
  dma.duration = 4ms;
  return scenario;
}

TEST(DmaAnalysis, OneAtATimeMeetsFewerLongRefreshesThanByChance) {
  Scenario scenario = uncached();
  DmaScenario& dma = *scenario.find<DmaScenario>();
  for (const Time refresh : {Time{350ns}, Time{3us}, Time{6us}}) {
    dma.hardware.memory.refresh = RefreshParameters{.ranks = 1, .interval = 7800ns, .time = refresh};
    const RunResult result = run(scenario);
    const double bound = analyze(dma).throughput.per_second;
    EXPECT_LE(result.throughput.per_second, bound + result.throughput_ci95.per_second) << to_nanoseconds(refresh);
    EXPECT_GE(result.throughput.per_second, 0.95 * bound) << to_nanoseconds(refresh);
  }
}

TEST(DmaAnalysis, WhoHasWaitedForAWalkHardlyWaitsForTheRead) {
  Scenario scenario = uncached();
  DmaScenario& dma = *scenario.find<DmaScenario>();
  dma.iommu_page = 4_KiB;
  for (const Time walk : {Time{300ns}, Time{2us}, Time{5us}}) {
    dma.hardware.iommu.walk = walk;
    for (const Time refresh : {Time{350ns}, Time{3us}, Time{6us}}) {
      dma.hardware.memory.refresh = RefreshParameters{.ranks = 1, .interval = 7800ns, .time = refresh};
      const RunResult result = run(scenario);
      EXPECT_LE(result.throughput.per_second,
                analyze(dma).throughput.per_second * 1.01 + result.throughput_ci95.per_second)
          << to_nanoseconds(walk) << " " << to_nanoseconds(refresh);
    }
  }
}

/// With few tags, a request's parts follow one another: one of them waits for the walk, and finds the page for the
/// rest.
TEST(DmaAnalysis, PartsOfAReadWaitForOneWalkPerPage) {
  for (const int tags : {1, 2, 4, 8, 32}) {
    for (const Bytes size : {1_KiB, 2_KiB, 4_KiB, 16_KiB}) {
      for (const int in_flight : {1, 16}) {
        Scenario scenario = uncached();
        DmaScenario& dma = *scenario.find<DmaScenario>();
        dma.iommu_page = 4_KiB;
        dma.size = size;
        dma.in_flight = in_flight;
        dma.hardware.pcie.read_tags = tags;
        dma.hardware.pcie.max_read_request = 128_B;
        dma.duration = 4ms;
        const double bound = analyze(dma).throughput.per_second;
        const double simulated = run(scenario).throughput.per_second;
        EXPECT_LE(simulated, bound * 1.005) << tags << ' ' << size.count << ' ' << in_flight;
        EXPECT_GE(simulated, bound * 0.65) << tags << ' ' << size.count << ' ' << in_flight;
      }
    }
  }
}

TEST(DmaAnalysis, EachCompletionTakesTheEngine) {
  DmaScenario scenario = dma_device();
  scenario.size = 256_B;
  scenario.hardware.dma_engine.completion = 50ns;
  EXPECT_EQ(testing::bound_of(analyze(scenario), "DMA engine, completions").demand, 4 * 50ns);
  scenario.offset = 32_B;
  EXPECT_EQ(testing::bound_of(analyze(scenario), "DMA engine, completions").demand, 5 * 50ns);
}

/// The closed form against simulations: a bound at least nearly, and near.
TEST(DmaAnalysis, BoundsSimulationsOfAllKinds) {
  core::RandomStream random{11, "scenarios"};
  int near = 0;
  constexpr int runs = 400;
  for (int i = 0; i < runs; ++i) {
    Scenario scenario;
    DmaScenario& dma = scenario.instead.emplace<model::DmaScenario>(dma_device());
    dma.work = static_cast<DmaWork>(random.below(4));
    dma.size = Bytes{static_cast<std::int64_t>(1 + random.below(3000))};
    dma.offset = Bytes{static_cast<std::int64_t>(random.below(64))};
    dma.window = Bytes{static_cast<std::int64_t>(4096ULL << random.below(12))};
    dma.pattern = static_cast<AddressPattern>(random.below(2));
    dma.in_flight = 1 << random.below(8);
    dma.cached = static_cast<Warmth>(random.below(3));
    dma.remote = random.chance(0.3);
    dma.commands = random.chance(0.3);
    if (random.chance(0.5)) dma.iommu_page = 4_KiB;
    if (random.chance(0.5)) dma.hardware.iommu.completion_queue = 512_B;
    if (random.chance(0.5)) dma.hardware.dma_engine.completion = 15ns;
    dma.warmup = 200us;
    dma.duration = 400us;
    const double simulated = run(scenario).throughput.per_second;
    const double bound = analyze(dma).throughput.per_second;
    SCOPED_TRACE(::testing::Message() << i << ": work " << static_cast<int>(dma.work) << " size " << dma.size.count
                                      << " window " << dma.window.count << " in flight " << dma.in_flight << " page "
                                      << dma.iommu_page.count << " pattern " << static_cast<int>(dma.pattern)
                                      << " cached " << static_cast<int>(dma.cached));
    EXPECT_LE(simulated, bound * 1.03);
    if (simulated > 0.8 * bound) ++near;
  }
  EXPECT_GT(near, runs * 8 / 10);
}

}  // namespace
}  // namespace doorbell::analytic
