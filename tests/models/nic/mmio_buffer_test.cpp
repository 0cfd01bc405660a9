#include "models/nic/mmio_buffer.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Needed until it has been processed.
const OperationPlan& datagram() {
  static const OperationPlan plan;
  return plan;
}

TEST(MmioBuffer, KeepsAsManyAsItHasPlaces) {
  MmioBuffer buffer{2};
  QueuePair pair;
  EXPECT_TRUE(buffer.keeps(pair));
  EXPECT_TRUE(buffer.keeps(pair));
  buffer.processed(datagram());
  EXPECT_TRUE(buffer.keeps(pair));
  EXPECT_FALSE(buffer.keeps(pair));
}

TEST(MmioBuffer, AfterOneThatFoundNoRoomItsQueuePairIsReadUntilItIsEmpty) {
  MmioBuffer buffer{1};
  QueuePair late;
  QueuePair other;
  EXPECT_TRUE(buffer.keeps(late));
  EXPECT_FALSE(buffer.keeps(late));
  buffer.processed(datagram());
  buffer.processed(datagram());
  EXPECT_FALSE(buffer.keeps(late));
  buffer.processed(datagram());
  EXPECT_TRUE(buffer.keeps(other));
  buffer.processed(datagram());
  late.from_memory = false;
  EXPECT_TRUE(buffer.keeps(late));
}

TEST(MmioBuffer, WhatIsAcknowledgedIsNeededUntilThen) {
  MmioBuffer buffer{2};
  QueuePair pair;
  OperationPlan reliable;
  reliable.acknowledged = true;
  EXPECT_TRUE(buffer.keeps(pair));
  EXPECT_TRUE(buffer.keeps(pair));
  buffer.processed(reliable);
  EXPECT_FALSE(buffer.keeps(pair));
  pair.from_memory = false;
  buffer.acknowledged();
  buffer.acknowledged();
  EXPECT_TRUE(buffer.keeps(pair));
}

TEST(MmioBuffer, WhatIsNotKeptIsInLineAllTheSame) {
  MmioBuffer buffer{2};
  QueuePair first;
  QueuePair second;
  for (int i = 0; i < 4; ++i) static_cast<void>(buffer.keeps(first));
  buffer.processed(datagram());
  buffer.processed(datagram());
  EXPECT_FALSE(buffer.keeps(second));
}

/// A NIC with room for `places` WQEs by MMIO, which falls behind the core that posts.
HardwareProfile with_places(int places, Bytes read_ahead) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.mmio_wqes = places;
  hardware.nic.wqe_fetch_unit = 256_B;
  hardware.nic.wqe_stride = 128_B;
  hardware.nic.wqe_read_ahead = read_ahead;
  hardware.nic.pu_wqe = 200ns;
  return hardware;
}

/// Windows of `window` operations, each window posted when the one before is complete, on one queue pair of a NIC with
/// room for `places` WQEs by MMIO.
RunResult windows(Verb verb, int window, int places, Bytes read_ahead = 1_KiB) {
  const HardwareProfile hardware = with_places(places, read_ahead);
  PostStep step = post_window(verb, 8, window);
  if (verb == Verb::read) step.region = region(16, 64);
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(window)}), sink());
  scenario.measure.duration = 2000us;
  return run(scenario);
}

double lines_per_operation(const RunResult& result) {
  return counter(result, "client/PCIeRdCur").rate.per_second / result.throughput.per_second;
}

TEST(MmioBuffer, AWindowThatFitsIsNotReadFromMemory) {
  EXPECT_EQ(lines_per_operation(windows(Verb::write, 16, 16)), 0);
  EXPECT_GT(lines_per_operation(windows(Verb::write, 32, 16)), 0.5);
}

TEST(MmioBuffer, TheNextWindowFindsItsPlacesAgain) {
  // Half of 32 find room, and the others are read, two of them in four lines.
  EXPECT_NEAR(lines_per_operation(windows(Verb::write, 32, 16, 256_B)), 1, 0.25);
}

TEST(MmioBuffer, WhatIsReadInsteadIsBeyondWhatIsExpected) {
  const RunResult result = windows(Verb::write, 64, 4);
  EXPECT_EQ(counter(result, "client/PCIeRdCur beyond expected").count, counter(result, "client/PCIeRdCur").count);
}

TEST(MmioBuffer, TheWayToAnAckTakesPlacesOfRcAndNotOfUc) {
  const auto lines = [](Transport transport) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.mmio_wqes = 16;
    hardware.nic.pu_wqe = 1ns;  // faster than the core that posts
    Scenario scenario = scenario_of(
        hardware, program(queue_pairs(transport), {post_window(Verb::write, 8, 64), await(1), compute(0ns, 100ns)}),
        sink());
    scenario.fabric.switch_latency = 5us;  // an ACK takes longer than 16 posts
    scenario.measure.duration = 2000us;
    return lines_per_operation(run(scenario));
  };
  EXPECT_GT(lines(Transport::rc), 0.5);
  EXPECT_EQ(lines(Transport::uc), 0);
}

TEST(MmioBuffer, AMixLeavesNothingBehind) {
  // WRITEs that are needed until their ACKs, and READs that are not kept: places that leaked would be missing soon.
  for (const auto& [first, second] : {std::pair{Verb::read, Verb::write}, std::pair{Verb::write, Verb::read}}) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.mmio_wqes = 40;
    PostStep step = post_window(first, 8, 32);
    step.method = PostMethod::mmio;
    step.region = region(16, 64);
    step.mix = {{.share = 0.5, .verb = second, .payload = 8_B, .region = region(16, 64)}};
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    scenario.measure.duration = 2000us;
    EXPECT_EQ(counter(run(scenario), "client/PCIeRdCur").count, 0U);
  }
}

TEST(MmioBuffer, ReadsAreNotKeptInIt) { EXPECT_EQ(lines_per_operation(windows(Verb::read, 16, 1)), 0); }

TEST(MmioBuffer, EveryWqeOfALongWindowIsReadOnce) {
  // Two WQEs in four lines. What is read before the core has written it, at the beginning, matters less and less.
  const double hundred = lines_per_operation(windows(Verb::write, 100, 1));
  const double thousand = lines_per_operation(windows(Verb::write, 1000, 1));
  EXPECT_GT(hundred, thousand);
  EXPECT_GE(thousand, 2 * 0.99);
  EXPECT_LT(thousand, 2 * 1.03);
}

TEST(MmioBuffer, WhoReadsFurtherAheadReadsMoreInVain) {
  const double little = lines_per_operation(windows(Verb::write, 32, 1, 256_B));
  const double much = lines_per_operation(windows(Verb::write, 32, 1, 2_KiB));
  EXPECT_GT(much, little);
  EXPECT_GE(little, 2 * 0.97);
}

TEST(MmioBuffer, QueuePairsWithFewWqesEachReadLittleAhead) {
  // Windows of 8 on four queue pairs, each of which has two WQEs at most: they lie in one unit of 256 B or in two.
  const HardwareProfile hardware = with_places(1, 4_KiB);
  Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::rc, 4), {post_window(Verb::write, 8, 8), await(1)}), sink());
  scenario.measure.duration = 2000us;
  const double lines = lines_per_operation(run(scenario));
  EXPECT_GE(lines, 1.9);
  EXPECT_LE(lines, 4) << "one unit for each at most";
}

TEST(MmioBuffer, AfterALongWindowShortOnesAreReadLessFarAhead) {
  const HardwareProfile hardware = with_places(1, 4_KiB);
  std::vector<Step> loop{post_window(Verb::write, 8, 64), await(64)};
  for (int i = 0; i < 8; ++i) loop.insert(loop.end(), {post_window(Verb::write, 8, 2), await(2)});
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), std::move(loop)), sink());
  scenario.measure.duration = 2000us;
  // 64 with two lines each; then 64, 32, 16, 8 and four times 4 lines. Always 64 would make 8 for each of the 80.
  EXPECT_LT(lines_per_operation(run(scenario)), 4.5);
}

TEST(MmioBuffer, NothingIsLost) {
  for (const int places : {1, 3, 16, 1000}) {
    const RunResult result = windows(Verb::write, 64, places);
    EXPECT_GT(result.throughput.per_second, 1e6) << places;
    EXPECT_NEAR(counter(result, "server/PCIeItoM").rate.per_second, result.throughput.per_second,
                result.throughput.per_second * 0.01)
        << places;
  }
}

}  // namespace
}  // namespace doorbell::model
