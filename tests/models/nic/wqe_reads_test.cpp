#include "models/nic/wqe_reads.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

HardwareProfile with_unit(Bytes unit) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.wqe_fetch_unit = unit;
  hardware.nic.wqe_cache_place = unit;
  return hardware;
}

TEST(WqeReads, SmallUnitsAreReadWithoutLoss) {
  const HardwareProfile hardware = with_unit(64_B);
  WqeReads reads{hardware};
  for (const std::int64_t wqes : {1, 3, 16}) {
    for (const std::int64_t first : {0, 1, 17}) {
      const Bytes from = 128_B * first;
      EXPECT_EQ(reads.between(from, from + 128_B * wqes, from + 12800_B).cache_lines, 2 * wqes);
    }
  }
}

TEST(WqeReads, LargeUnitsAreReadWholeAndAligned) {
  const HardwareProfile hardware = with_unit(256_B);
  WqeReads reads{hardware};
  const auto lines = [&reads](std::int64_t first, std::int64_t wqes, std::int64_t end) {  // of 64 B: four to a unit
    return reads.between(64_B * first, 64_B * (first + wqes), 64_B * end).cache_lines;
  };
  EXPECT_EQ(lines(0, 1, 100), 4);
  EXPECT_EQ(lines(0, 4, 100), 4);
  EXPECT_EQ(lines(1, 4, 100), 8);  // across a boundary
  EXPECT_EQ(lines(3, 2, 100), 8);
  EXPECT_EQ(lines(4, 4, 100), 4);
  EXPECT_EQ(lines(0, 16, 100), 16);
  // Of the last unit what is there.
  EXPECT_EQ(lines(0, 1, 1), 1);
  EXPECT_EQ(lines(1, 1, 2), 2);
  EXPECT_EQ(lines(1, 4, 5), 5);
  EXPECT_EQ(lines(4, 1, 7), 3);
}

TEST(WqeReads, CostWhatADmaReadOfTheirSizeCosts) {
  const HardwareProfile hardware = with_unit(64_B);
  const DmaReadCost read = WqeReads{hardware}.between(0_B, 2048_B, 2048_B);
  EXPECT_EQ(read.request, occupancy(hardware.pcie, read_request_tlps(hardware.pcie, 2048_B)));
  EXPECT_EQ(read.completion, occupancy(hardware.pcie, completion_tlps(hardware.pcie, 2048_B)));
  EXPECT_EQ(read.latency, hardware.root_complex.read_latency);
  EXPECT_EQ(read.tags, 4);
}

TEST(WqeReads, ReadingAheadBeginsAtAUnitAndTakesOneWqeAtLeast) {
  const HardwareProfile hardware = with_unit(256_B);
  WqeReads reads{hardware};
  const auto ahead = [&reads](Bytes length, std::int64_t first) {
    return reads.ahead(128_B * first, 128_B * (first + 1), length);
  };
  EXPECT_EQ(ahead(1_KiB, 0).end, 1024_B);
  EXPECT_EQ(ahead(1_KiB, 1).end, 1024_B);
  EXPECT_EQ(ahead(1_KiB, 2).end, 1280_B);
  EXPECT_EQ(ahead(1_KiB, 1).cost.cache_lines, 16);
  EXPECT_EQ(ahead(64_B, 0).end, 128_B);
  EXPECT_EQ(ahead(64_B, 0).cost.cache_lines, 2);
  EXPECT_EQ(ahead(64_B, 1).end, 256_B);
  EXPECT_EQ(ahead(64_B, 1).cost.cache_lines, 4);
}

TEST(WqeReads, APlaceOfTheCacheEndsWithTheUnitThatAWqeEndsIn) {
  const HardwareProfile hardware = with_unit(256_B);
  const WqeReads reads{hardware};
  EXPECT_EQ(reads.end_of_place(64_B), 256_B);
  EXPECT_EQ(reads.end_of_place(256_B), 256_B);
  EXPECT_EQ(reads.end_of_place(320_B), 512_B);
}

// Every second WQE has three slots instead of one: the queue is as long as if all had two.
TEST(WqeReads, WqesOfAQueueTakeThePlaceThatEachNeeds) {
  const auto lines_per_wqe = [](std::int64_t payload, double share, std::int64_t other) {
    PostStep step = post(Verb::write, payload, 16);
    step.method = PostMethod::doorbell;
    if (share > 0) step.mix = {{.share = share, .verb = Verb::write, .payload = Bytes{other}, .region = {}}};
    Scenario scenario = scenario_of(with_unit(64_B), program(queue_pairs(Transport::uc), {step}), sink());
    scenario.measure.duration = 2ms;  // much longer than a fetch, of which one may be counted and its WQEs not
    const RunResult result = run(scenario);
    return counter(result, "client/PCIeRdCur").rate.per_second / result.throughput.per_second;
  };
  EXPECT_NEAR(lines_per_wqe(16, 0, 0), 1, 0.02);
  EXPECT_NEAR(lines_per_wqe(144, 0, 0), 3, 0.02);
  EXPECT_NEAR(lines_per_wqe(16, 0.5, 144), 2, 0.04);
  EXPECT_NEAR(lines_per_wqe(16, 1, 144), 3, 0.02);
}

TEST(WqeReads, AResponsesWqeThatWasNotYetThereHasNotBeenReadAgainWithThoseBeforeIt) {
  // READs one at a time, far apart, whose WQEs the cache has lost: four share a unit of 256 B.
  HardwareProfile hardware = steady_machine();
  hardware.nic.wqe_cache = 1;
  hardware.nic.wqe_cache_place = 256_B;
  hardware.nic.wqe_fetch_unit = 256_B;
  const Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::rc), {compute(1s), post(Verb::read, 8)}), sink());
  Simulation simulation{scenario};
  RdmaNic& nic = simulation.machine_set("client").instances.front()->nic();
  QueuePair& pair = *simulation.program("client").threads.front()->queue_pairs()[0][0];
  for (const std::uint64_t there : {1, 2, 3, 4, 1}) {  // WQEs of the unit
    Message* message = simulation.messages().take();
    message->plan = &std::get<PostPlan>(simulation.program("client").steps[1]).plans.front().own.single;
    message->queue_pair = &pair;
    message->responder = &simulation.machine_set("server").instances.front()->nic();
    message->ticket = nic.wqe_cache().insert();
    pair.append(message);
    pair.unit->accept(pair,
                      {.arrival = simulation.calendar().now(), .plan = message->plan, .wqes = 1, .fetched = true});
    run_to_change(simulation, [&] { return nic.transmit_pipeline().jobs(); });
    nic.wqe_cache().occupy();  // by another queue pair's WQE, after the request has left and before the response
    const std::uint64_t before = nic.dma().lines_read();
    simulation.calendar().run_until(simulation.calendar().now() + 100us);
    EXPECT_EQ(nic.dma().lines_read() - before, there) << "the unit, as far as it is there";
  }
}

}  // namespace
}  // namespace doorbell::model
