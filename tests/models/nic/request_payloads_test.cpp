#include "models/nic/request_payloads.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/long_messages.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

PostStep long_write(std::int64_t packets, int window) {
  PostStep step = post_window(Verb::write, packets * packet_bytes, window);
  step.inlined = false;
  return step;
}

/// Time that a packet of a long WRITE takes on the narrower of link and wire.
Time written_packet() {
  const VerbPath path = path_of(long_write(1, 1), queue_pairs(Transport::rc), connect_ib());
  return std::max(path.demand(Side::requester, Resource::pcie_downstream),
                  path.demand(Side::requester, Resource::port_transmit));
}

TEST(RequestPayloads, AShortMessageWaitsForAFewPacketsOfALongOne) {
  for (const std::int64_t packets : {64, 1024}) {
    const RunResult result = run(beside(loop_of(post_window(Verb::write, 16, 1)), loop_of(long_write(packets, 4))));
    EXPECT_LT(result.latency.p99, wait_for_packets(written_packet()) + 5us) << packets;
  }
}

TEST(RequestPayloads, LongMessagesOfTwoUnitsAdvanceTogether) {
  // By message, the shorter ones would get a fifth of the link.
  const RunResult result = run(beside(loop_of(long_write(64, 8)), loop_of(long_write(256, 8))));
  EXPECT_NEAR(result.throughput.per_second * 64, rate_of(written_packet()) / 2, rate_of(written_packet()) * 0.05);
}

TEST(RequestPayloads, LongMessagesFillTheLink) {
  for (const std::int64_t packets : {2, 16, 17, 256}) {
    EXPECT_NEAR(packets_alone(long_write(packets, 4)), rate_of(written_packet()), rate_of(written_packet()) * 0.02)
        << packets;
  }
}

TEST(RequestPayloads, NothingOvertakesAPayloadOfItsQueuePair) {
  // The second WRITE is inline and could leave at once.
  const Program writer = program(queue_pairs(Transport::rc), {long_write(8, 1), post_window(Verb::write, 16, 1)});
  const Scenario scenario =
      scenario_of(connect_ib(), writer, program(queue_pairs(Transport::ud), {collect(Channel::memory)}));
  Simulation simulation{scenario};
  const ProgramStatistics& server = statistics(simulation, "server");
  EXPECT_GT(run_to_change(simulation, [&] { return server.operations; }), written_packet() * 8);
}

TEST(RequestPayloads, UnitsThatWaitedForThePayloadDoNotOutrunThePipeline) {
  constexpr int pairs = 8;
  for (const int places : {1, 2, 16}) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.tx_queue = places;
    hardware.nic.tx_message = 800ns;
    Scenario scenario = scenario_of(hardware, loop_of(post_window(Verb::read, 8, 1)), sink());
    PostStep write = post_window(Verb::write, 64, 64);
    write.inlined = false;
    write.signal_every = 1;
    write.to = "memory";
    scenario.programs.emplace_back("memory", on("client", sink()));
    scenario.programs.emplace_back("writer",
                                   on("server", program(queue_pairs(Transport::uc, 2), {write, await(1)}, pairs / 2)));
    scenario.measure.warmup = 1ms;
    scenario.measure.duration = 4ms;
    // Before the response: what the queue holds, and what each unit hands over.
    EXPECT_LT(run(scenario).latency.mean, hardware.nic.tx_message * (places + 2 * pairs) + 4us) << places;
  }
}

TEST(RequestPayloads, APortWithoutRoomDoesNotHoldUpTheOther) {
  // At least the half that goes by the other port; taking turns with what waits for the first, it would be a sixth.
  EXPECT_GT(beside_a_narrow_machine(long_write(64, 8)), 0.5);
}

}  // namespace
}  // namespace doorbell::model
