#include "models/dma/dma_engine.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/dma/dma_simulation.hpp"
#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// An engine with a link and a cached window; it takes down when requests end.
struct Rig {
  explicit Rig(const DmaScenario& scenario = dma_device())
      : memory{calendar,
               scenario.hardware.memory,
               scenario.hardware.iommu,
               {.size = scenario.window, .warmth = Warmth::host, .written = true},
               1,
               core::Priority{3}},
        link{calendar, scenario.hardware.pcie, RootComplexParameters{}, core::Priority{2}},
        engine{calendar,
               engine_of(scenario),
               dma_costs(scenario),
               link,
               core::Priority{1},
               [](void* self, std::uint64_t number) {
                 Rig& rig = *static_cast<Rig*>(self);
                 rig.ends.emplace_back(number, rig.calendar.now());
               },
               this} {
    link.attach(memory);
  }
  using Ends = std::vector<std::pair<std::uint64_t, Time>>;

  core::Calendar calendar;
  HostMemory memory;
  HostDma link;
  DmaEngine engine;
  Ends ends;
};

TEST(DmaEngine, AReadTakesTheLinkTheHostAndTheDevice) {
  Rig rig;
  rig.engine.read(0, 0);
  rig.calendar.run();
  // start, request of 24 B, link, cache, completion of 84 B, link, store and 64 B into the device's memory, signal
  const Time expected = 10ns + 3ns + 100ns + 200ns + 10500_ps + 100ns + 40ns + 8ns + 15ns;
  EXPECT_EQ(rig.ends, (Rig::Ends{{0, expected}}));
}

TEST(DmaEngine, AWriteEndsWhenItHasLeft) {
  Rig rig;
  rig.engine.write(0, 0);
  rig.calendar.run();
  EXPECT_EQ(rig.ends, (Rig::Ends{{0, 10ns + 30ns + 8ns + 11ns + 15ns}})) << "88 B on the link";
}

TEST(DmaEngine, CommandsAreTheLinkAndTheHostAlone) {
  DmaScenario scenario = dma_device();
  scenario.commands = true;
  Rig rig{scenario};
  rig.engine.read(0, 0);
  rig.calendar.run();
  EXPECT_EQ(rig.ends, (Rig::Ends{{0, 3ns + 100ns + 200ns + 10500_ps + 100ns}}));
}

TEST(DmaEngine, StartsRequestsOfAKindAtIntervals) {
  Rig rig;
  for (std::uint64_t i = 0; i < 3; ++i) rig.engine.write(i, 0);
  rig.engine.read(3, 4096);
  rig.calendar.run();
  ASSERT_EQ(rig.ends.size(), 4U);
  EXPECT_EQ(rig.ends[1].second - rig.ends[0].second, 20ns);
  EXPECT_EQ(rig.ends[2].second - rig.ends[1].second, 20ns);
  EXPECT_EQ(rig.ends[3].first, 3U);
}

TEST(DmaEngine, EachFurtherBurstOfAWriteDelaysTheNext) {
  DmaScenario scenario = dma_device();
  scenario.hardware.dma_engine.burst = 128_B;
  scenario.hardware.dma_engine.burst_interval = 17ns;
  const auto interval = [&](Bytes size) {
    scenario.size = size;
    Rig rig{scenario};
    rig.engine.write(0, 0);
    rig.engine.write(1, 4096);
    rig.calendar.run();
    return rig.ends[1].second - rig.ends[0].second;
  };
  EXPECT_EQ(interval(1_B), 20ns);
  EXPECT_EQ(interval(128_B), 20ns);
  EXPECT_EQ(interval(129_B), 37ns);
  EXPECT_EQ(interval(192_B), 37ns);
  EXPECT_EQ(interval(257_B), 54ns);
}

TEST(DmaEngine, AReadThatEndsWithinAWordDelaysTheNext) {
  DmaScenario scenario = dma_device();
  scenario.hardware.dma_engine.word = 8_B;
  const auto ends = [&](Bytes size, Time partial) {
    scenario.size = size;
    scenario.hardware.dma_engine.partial_word = partial;
    Rig rig{scenario};
    rig.engine.read(0, 0);
    rig.engine.read(1, 4096);
    rig.calendar.run();
    return rig.ends;
  };
  EXPECT_EQ(ends(64_B, 100ns), ends(64_B, 0ns)) << "whole words";
  EXPECT_EQ(ends(63_B, 100ns)[0], ends(63_B, 0ns)[0]) << "nobody waits for the last word";
  for (const Bytes size : {1_B, 63_B, 65_B}) {
    const Rig::Ends two = ends(size, 100ns);
    EXPECT_EQ(two[1].second - two[0].second, 100ns) << size.count;
  }
}

TEST(DmaEngine, TakesOneCompletionAfterTheOther) {
  DmaScenario scenario = dma_device();
  const auto ends = [&](Bytes offset, Time each) {
    scenario.offset = offset;
    scenario.hardware.dma_engine.completion = each;
    Rig rig{scenario};
    rig.engine.read(0, offset.count);
    rig.engine.read(1, 4096 + offset.count);
    rig.calendar.run();
    return rig.ends;
  };
  const Rig::Ends one = ends(0_B, 50ns);
  EXPECT_EQ(one[1].second - one[0].second, 50ns);
  const Rig::Ends two = ends(32_B, 50ns);
  EXPECT_EQ(two[1].second - two[0].second, 100ns) << "two cache lines";
  // It begins with the first byte of 104 on the link.
  EXPECT_EQ(two[0].second - ends(32_B, 0ns)[0].second, 100ns - 13ns);
  EXPECT_EQ(ends(0_B, 10ns), ends(0_B, 0ns)) << "the link is slower";
}

TEST(DmaEngine, LeavesAGapAfterEachTlpThatItSends) {
  DmaScenario scenario = dma_device();
  const DmaCosts without = dma_costs(scenario).at(0);
  scenario.hardware.dma_engine.tlp_gap = 8_B;
  const DmaCosts with = dma_costs(scenario).at(0);
  EXPECT_EQ(with.read.request - without.read.request, 1ns) << "8 GB/s";
  EXPECT_EQ(with.write.service - without.write.service, 1ns);
  EXPECT_EQ(with.read.completion, without.read.completion) << "the root complex sends these";
  scenario.size = 512_B;
  EXPECT_EQ(dma_costs(scenario).at(0).write.service, transfer_time(Bytes{2 * (256 + 24 + 8)}, {8e9}));
}

TEST(DmaEngine, TlpsEndAtMultiplesOfTheLargestPayload) {
  DmaScenario scenario = dma_device();
  scenario.size = 128_B;
  const DmaCostTable costs = dma_costs(scenario);
  EXPECT_EQ(costs.at(0).write.tlps, 1);
  EXPECT_EQ(costs.at(128).write.tlps, 1);
  EXPECT_EQ(costs.at(192).write.tlps, 2) << "crosses 256";
  EXPECT_EQ(costs.at(448).read.tags, 2) << "crosses 512";
  EXPECT_EQ(costs.at(512 + 192).write.tlps, 2);
  // Every other object of 192 B crosses a multiple of 256.
  scenario.offset = 4_B;
  scenario.work = DmaWork::write;
  scenario.in_flight = 64;
  scenario.hardware.dma_engine.write_interval = 1ns;
  const double rate = DmaSimulation{scenario, 1}.run(nullptr).throughput.per_second;
  EXPECT_NEAR(rate, 8e9 / (128 + 1.5 * 24), 0.01 * rate);
}

TEST(DmaEngine, TagsStayTakenUntilTheDataAreInTheDevice) {
  DmaScenario scenario = dma_device();
  scenario.hardware.pcie.read_tags = 1;
  Rig rig{scenario};
  rig.engine.read(0, 0);
  rig.engine.read(1, 64);
  rig.calendar.run();
  ASSERT_EQ(rig.ends.size(), 2U);
  EXPECT_EQ(rig.ends[1].second - rig.ends[0].second, 3ns + 100ns + 200ns + 10500_ps + 100ns + 48ns);
}

TEST(DmaEngine, LeavesAGapAfterEachRequestOfARead) {
  DmaScenario scenario = dma_device();
  scenario.size = 2_KiB;  // four requests
  const Time without = dma_costs(scenario).at(0).read.request;
  scenario.hardware.dma_engine.tlp_gap = 16_B;
  EXPECT_EQ(dma_costs(scenario).at(0).read.request, without + 4 * 2ns);
}

}  // namespace
}  // namespace doorbell::model
