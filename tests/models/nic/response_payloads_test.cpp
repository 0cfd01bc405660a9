#include "models/nic/response_payloads.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/long_messages.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

PostStep long_read(std::int64_t packets, int window) { return post_window(Verb::read, packets * packet_bytes, window); }

/// Time that a packet of a long response takes on the narrowest of links and wire.
Time read_packet() {
  const VerbPath path = path_of(long_read(1, 1), queue_pairs(Transport::rc), connect_ib());
  return std::max({path.demand(Side::responder, Resource::pcie_downstream),
                   path.demand(Side::responder, Resource::port_transmit),
                   path.demand(Side::requester, Resource::pcie_upstream)});
}

TEST(ResponsePayloads, AShortReadWaitsForAFewPacketsOfLongOnes) {
  for (const int window : {1, 16}) {
    const RunResult result = run(beside(loop_of(post_window(Verb::read, 16, 1)), loop_of(long_read(256, window))));
    EXPECT_LT(result.latency.p99, wait_for_packets(read_packet()) + 5us) << window;
  }
}

TEST(ResponsePayloads, QueuePairsTakeTurnsPacketByPacket) {
  // By request, the first would get a fifth of the link.
  const RunResult result = run(beside(loop_of(long_read(64, 16)), loop_of(long_read(256, 16))));
  EXPECT_NEAR(result.throughput.per_second * 64, rate_of(read_packet()) / 2, rate_of(read_packet()) * 0.05);
}

TEST(ResponsePayloads, LongReadsFillTheLink) {
  for (const std::int64_t packets : {16, 17, 256}) {
    EXPECT_NEAR(packets_alone(long_read(packets, 16)), rate_of(read_packet()), rate_of(read_packet()) * 0.03)
        << packets;
  }
}

TEST(ResponsePayloads, OfOnePacketAreReadNoFurtherAheadThanThePortHasRoom) {
  // PCI Express could go on for as long as requests come, and half as fast as it does the port sends.
  HardwareProfile hardware = connect_ib();
  hardware.port.bandwidth = Bandwidth{hardware.port.bandwidth.bytes_per_second / 4};
  const PostStep step = long_read(1, 64);
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(), 8);
  scenario.measure.warmup = 150us;
  scenario.measure.duration = 150us;
  const RunResult result = run(scenario);
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), hardware);
  const double needed =
      result.throughput.per_second * to_seconds(path.demand(Side::responder, Resource::pcie_downstream));
  EXPECT_GT(busy(result, "server/ports transmit"), 0.99);
  EXPECT_NEAR(busy(result, "server/PCIe downstream"), needed, 0.03);
}

TEST(ResponsePayloads, WithOneTagReadsGoOneByOne) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.read_tags = 1;
  const PostStep step = post_window(Verb::read, 16, 16);
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), hardware);
  const Time one = path.demand(Side::responder, Resource::pcie_upstream) +
                   path.demand(Side::responder, Resource::pcie_downstream) + hardware.pcie.latency * 2 +
                   hardware.root_complex.read_latency;
  const Program reader = program(queue_pairs(Transport::rc), {step, await(1)});
  const RunResult result = run(scenario_of(hardware, reader, sink(), 8));
  EXPECT_NEAR(result.throughput.per_second, rate_of(one), rate_of(one) * 0.02);
}

TEST(ResponsePayloads, APortWithoutRoomDoesNotHoldUpTheOther) {
  // At least the half that goes by the other port; taking turns with what waits for the first, it would be a sixth.
  EXPECT_GT(beside_a_narrow_machine(long_read(64, 16)), 0.5);
}

TEST(ResponsePayloads, AllTagsAreTakenWhetherOrNotPacketsTakeAWholeNumberOfTimesAsMany) {
  // A packet takes 32 requests. Two ports would ask for two packets.
  const auto with_tags = [](int tags, double short_reads) {
    HardwareProfile hardware = connect_ib();
    hardware.port.ports = 1;
    hardware.pcie.max_read_request = Bytes{128};
    hardware.pcie.read_tags = tags;
    PostStep reads = long_read(1, 16);
    reads.mix = {{.share = short_reads, .verb = Verb::read, .payload = 16_B, .region = {}}};
    const Program reader = program(queue_pairs(Transport::rc), {reads, await(1)}, 4);
    Scenario scenario = scenario_of(hardware, reader, sink(), 2);
    scenario.measure.duration = 4ms;
    return run(scenario);
  };
  for (const double short_reads : {0.0, 0.5}) {
    const double with_one = with_tags(1, short_reads).throughput.per_second;
    for (const int tags : {5, 7, 12}) {
      const RunResult result = with_tags(tags, short_reads);
      EXPECT_NEAR(result.throughput.per_second / (tags * with_one), 1, 0.06) << tags << ", " << short_reads;
      EXPECT_EQ(result.bottleneck.resource, "server/PCIe read tags") << result.bottleneck.sentence;
    }
  }
}

}  // namespace
}  // namespace doorbell::model
