#include "models/nic/rdma_nic.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

const HardwareProfile machine = attentive_machine();
constexpr Time switch_latency = 200ns;

// ---- latencies of an unloaded operation, added up by hand ----------------------------------------------------------

/// From the last store of the WQE until its message is complete in the port of the other side.
Time outbound(const VerbPath& path) {
  return path.service(Phase::post, Side::requester, Resource::pcie_downstream, Per::operation) + machine.pcie.latency +
         machine.nic.pu_wqe + path.service(Phase::transmit, Side::requester, Resource::nic_transmit, Per::operation) +
         machine.nic.latency + switch_latency +
         path.service(Phase::transmit, Side::responder, Resource::port_receive, Per::operation);
}

/// Through the receiving NIC.
Time inbound(const VerbPath& path, Phase phase, Side side) {
  return machine.nic.latency + path.service(phase, side, Resource::nic_receive, Per::operation) +
         path.service(phase, side, Resource::nic_receive, Per::signal);
}

/// From the NIC into memory, visible to a core.
Time into_memory(const VerbPath& path, Phase phase, Side side) {
  return path.service(phase, side, Resource::pcie_upstream, Per::operation) + machine.pcie.latency +
         machine.root_complex.write_latency;
}

/// A DMA read of the responder, from its first request to its data.
Time remote_read(Bytes size) {
  const TlpTrain requests = read_request_tlps(machine.pcie, size);
  return occupancy(machine.pcie, requests) / requests.tlps + machine.pcie.latency * 2 +
         machine.root_complex.read_latency + occupancy(machine.pcie, completion_tlps(machine.pcie, size));
}

/// From a response's data at the responder until requester's core can see the completion.
Time back(const VerbPath& path) {
  return path.service(Phase::reply, Side::responder, Resource::nic_transmit, Per::operation) + machine.nic.latency +
         switch_latency + path.service(Phase::reply, Side::requester, Resource::port_receive, Per::operation) +
         inbound(path, Phase::complete, Side::requester) + into_memory(path, Phase::complete, Side::requester) +
         path.service(Phase::complete, Side::requester, Resource::pcie_upstream, Per::signal);
}

/// A server that collects what a client posts every 100 us.
Scenario lonely(const PostStep& step, Transport transport, Channel channel) {
  return scenario_of(machine, program(queue_pairs(transport), {step, compute(100us)}),
                     program(queue_pairs(Transport::ud), {collect(channel)}));
}

/// Expects that the second message is collected exactly `latency` after it was posted. The first one also makes the NIC
/// fetch RECVs.
void expect_visible_after(const Scenario& scenario, Time latency) {
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  const ProgramStatistics& server = statistics(simulation, "server");
  run_to_change(simulation, [&] { return server.operations; });
  const Time posted = run_to_change(simulation, [&] { return client.calls; });
  simulation.calendar().run_until(posted + latency - 1_ps);
  EXPECT_EQ(server.operations, 1U) << "visible too early";
  simulation.calendar().run_until(posted + latency);
  EXPECT_EQ(server.operations, 2U) << "not visible in time";
}

TEST(RdmaNic, UnloadedSendIsVisibleToThePicosecond) {
  for (const std::int64_t payload : {0, 8, 100}) {
    const PostStep step = post(Verb::send, payload);
    const VerbPath path = path_of(step, queue_pairs(Transport::ud), machine);
    expect_visible_after(lonely(step, Transport::ud, Channel::completion_queue),
                         outbound(path) + inbound(path, Phase::deliver, Side::responder) +
                             into_memory(path, Phase::deliver, Side::responder));
  }
}

TEST(RdmaNic, UnloadedWriteIsVisibleToThePicosecond) {
  for (const Transport transport : {Transport::uc, Transport::rc}) {
    const PostStep step = post(Verb::write, 64);
    const VerbPath path = path_of(step, queue_pairs(transport), machine);
    expect_visible_after(lonely(step, transport, Channel::memory),
                         outbound(path) + inbound(path, Phase::deliver, Side::responder) +
                             into_memory(path, Phase::deliver, Side::responder));
  }
}

TEST(RdmaNic, UnloadedDoorbellAddsTheFetchOfTheWqe) {
  PostStep step = post(Verb::send, 8);
  step.method = PostMethod::doorbell;
  const VerbPath path = path_of(step, queue_pairs(Transport::ud), machine);
  const Bytes wqe = wqe_bytes(machine.nic, path.operation);
  const Time doorbell = path.service(Phase::post, Side::requester, Resource::pcie_downstream, Per::call);
  expect_visible_after(lonely(step, Transport::ud, Channel::completion_queue),
                       doorbell + remote_read(wqe) + machine.nic.pu_doorbell + outbound(path) +
                           inbound(path, Phase::deliver, Side::responder) +
                           into_memory(path, Phase::deliver, Side::responder));
}

/// Expects that every operation of a client with one in flight takes exactly `latency` behind the post.
void expect_completed_after(const PostStep& step, Time latency) {
  const Time posting = path_of(step, queue_pairs(Transport::rc), machine)
                           .service(Phase::post, Side::requester, Resource::core, Per::operation);
  const Scenario scenario = scenario_of(machine, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const core::LatencyHistogram& measured = statistics(simulation, "client").latency;
  EXPECT_GT(measured.count(), 100U);
  EXPECT_EQ(measured.percentile(0), posting + latency);
  EXPECT_EQ(measured.maximum(), posting + latency);
}

TEST(RdmaNic, UnloadedReadTakesBothDirectionsAndADmaRead) {
  for (const std::int64_t payload : {8, 64, 1024}) {
    PostStep step = post_window(Verb::read, payload, 1);
    step.region = region(16, payload);
    const VerbPath path = path_of(step, queue_pairs(Transport::rc), machine);
    expect_completed_after(step, outbound(path) + inbound(path, Phase::deliver, Side::responder) +
                                     remote_read(Bytes{payload}) + back(path) + machine.nic.read_response_latency +
                                     machine.cpu.poll_cqe);
  }
}

TEST(RdmaNic, UnloadedReadOf0BTakesBothDirectionsAndNoDma) {
  const PostStep step = post_window(Verb::read, 0, 1);
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), machine);
  expect_completed_after(step, outbound(path) + inbound(path, Phase::deliver, Side::responder) + back(path) +
                                   machine.nic.read_response_latency + machine.cpu.poll_cqe);
}

TEST(RdmaNic, ReadOfARegionLargerThanTheCacheGoesToDram) {
  PostStep step = post_window(Verb::read, 64, 1);
  step.region = region(1 << 20, 64);
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), machine);
  const Time longer = machine.root_complex.read_latency_dram - machine.root_complex.read_latency;
  expect_completed_after(step, outbound(path) + inbound(path, Phase::deliver, Side::responder) + remote_read(64_B) +
                                   longer + back(path) + machine.nic.read_response_latency + machine.cpu.poll_cqe);
}

TEST(RdmaNic, UnloadedAtomicTakesBothDirectionsAndTheLockForOneDmaRead) {
  PostStep step = post_atomic(1, 8);
  step.window = 1;
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), machine);
  expect_completed_after(step, outbound(path) + inbound(path, Phase::deliver, Side::responder) + remote_read(8_B) +
                                   back(path) + machine.cpu.poll_cqe);
}

TEST(RdmaNic, UnloadedReliableWriteCompletesWithItsAck) {
  const PostStep step = post_window(Verb::write, 28, 1);
  const VerbPath path = path_of(step, queue_pairs(Transport::rc), machine);
  const Time ack = machine.nic.tx_message + machine.nic.latency + switch_latency +
                   path.service(Phase::reply, Side::requester, Resource::port_receive, Per::operation) +
                   machine.nic.latency + machine.nic.rx_message + machine.nic.rx_dma +
                   occupancy(machine.pcie, write_tlps(machine.pcie, machine.nic.cqe)) + machine.pcie.latency +
                   machine.root_complex.write_latency;
  expect_completed_after(step,
                         outbound(path) + inbound(path, Phase::deliver, Side::responder) + ack + machine.cpu.poll_cqe);
}

// ---- order ---------------------------------------------------------------------------------------------------------

TEST(RdmaNic, ANoticeDoesNotOvertakeTheDataBeforeIt) {
  PostStep data = post(Verb::write, 65536);
  data.inlined = false;
  const PostStep notice = post(Verb::send, 8);
  const Scenario scenario = scenario_of(machine, program(queue_pairs(Transport::rc), {data, notice, compute(100us)}),
                                        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue)}));
  Simulation simulation{scenario};
  const ProgramStatistics& server = statistics(simulation, "server");
  EXPECT_GT(run_to_change(simulation, [&] { return server.operations; }),
            transfer_time(64_KiB, machine.port.bandwidth));
}

// ---- pipelines -----------------------------------------------------------------------------------------------------

TEST(RdmaNic, TheOutboundPipelineLimitsHeaderOnlySends) {
  HardwareProfile hardware = machine;
  hardware.nic.tx_message = 50ns;
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::ud, 2), {post(Verb::send, 0, 16)}, 8), sink(8)));
  EXPECT_NEAR(result.throughput.per_second, rate_of(50ns), rate_of(50ns) * 0.02);
  EXPECT_GT(busy(result, "client/NIC transmit pipeline"), 0.99);
  EXPECT_EQ(result.bottleneck.limit, Limit::nic);
}

TEST(RdmaNic, TheInboundPipelineLimitsByMessagesAndTheirDmas) {
  HardwareProfile hardware = machine;
  hardware.nic.rx_message = 30ns;
  hardware.nic.rx_dma = 20ns;
  hardware.port.receive_buffer = 4_KiB;  // full before measuring begins, so that senders feel the limit
  const auto rate = [&](std::int64_t payload) {
    const Program client = program(queue_pairs(Transport::ud, 2), {post(Verb::send, payload, 16)}, 8);
    return run(scenario_of(hardware, client, sink(8))).throughput.per_second;
  };
  EXPECT_NEAR(rate(0), rate_of(50ns), rate_of(50ns) * 0.02);  // the CQE
  EXPECT_NEAR(rate(8), rate_of(70ns), rate_of(70ns) * 0.02);  // payload and CQE
}

TEST(RdmaNic, MessagesWaitForTheirRecvsWhereTheLinkHasNoRoomForThem) {
  // Reads of RECVs share the link with what is written: without them it would carry an eighth more messages.
  PostStep step = post(Verb::send, 8);
  Scenario scenario = scenario_of(machine, program(queue_pairs(Transport::ud, 4), {step}, 4), sink(4));
  HardwareProfile& server = hardware_of(scenario, "server");
  server.pcie.lane_bandwidth = 100_MBps;
  server.nic.recv_prefetch = 2;
  scenario.measure.warmup = 4ms;
  scenario.measure.duration = 1ms;
  const VerbPath path =
      make_path(operation_of(step, queue_pairs(Transport::ud, 4), 1, machine, {server, sink()}), machine, server);
  const double rate = rate_of(path.demand(Side::responder, Resource::pcie_upstream));
  EXPECT_NEAR(run(scenario).throughput.per_second, rate, rate * 0.02);
}

TEST(RdmaNic, ReadRequestsTakeTheOutboundPipelineLonger) {
  HardwareProfile hardware = machine;
  hardware.nic.tx_message = 20ns;
  hardware.nic.tx_read_request = 60ns;
  hardware.nic.max_outstanding_reads = 64;
  PostStep step = post(Verb::read, 8, 16);
  step.region = region(16, 64);
  const RunResult result = run(scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step}, 8), sink()));
  EXPECT_NEAR(result.throughput.per_second, rate_of(80ns), rate_of(80ns) * 0.02);
}

TEST(RdmaNic, OnlyTheLastPacketOfASignaledReplyStartsACqe) {
  HardwareProfile hardware = machine;
  hardware.nic.rx_dma = 50ns;
  for (const Verb verb : {Verb::write, Verb::read}) {
    for (const std::int64_t payload : {8, 16384}) {
      for (const int signal_every : {1, 64}) {
        PostStep step = post(verb, payload);
        step.inlined = false;
        step.signal_every = signal_every;
        step.region = region(16, payload);
        const QueuePairs pairs = queue_pairs(Transport::rc);
        Scenario scenario = scenario_of(hardware, program(pairs, {step}), sink());
        scenario.measure.duration = 1ms;
        const RunResult result = run(scenario);
        const VerbPath path = path_of(step, pairs, hardware);
        const auto expected = [&](Side side) {
          return to_seconds(path.demand(side, Resource::nic_receive)) * result.throughput.per_second;
        };
        SCOPED_TRACE(::testing::Message() << static_cast<int>(verb) << ' ' << payload << ' ' << signal_every);
        const double replies = expected(Side::requester);
        const double requests = expected(Side::responder);
        EXPECT_NEAR(busy(result, "client/NIC receive pipeline"), replies, 0.02 * replies);
        EXPECT_NEAR(busy(result, "server/NIC receive pipeline"), requests, 0.02 * requests);
      }
    }
  }
}

// ---- what a run uses is what its verb path says --------------------------------------------------------------------

struct Kind {
  Transport transport;
  Verb verb;
  std::int64_t payload;
  PostMethod method;
  int batch;
};

class RdmaNicUse : public testing::TestWithParam<Kind> {
 protected:
  static PostStep posted_step() {
    PostStep step = post(GetParam().verb, GetParam().payload, GetParam().batch);
    step.method = GetParam().method;
    step.signal_every = 32;
    if (step.verb == Verb::read) step.region = region(16, 256);
    if (step.verb == Verb::fetch_add) step.region = region(4096, 8);
    return step;
  }
};

TEST_P(RdmaNicUse, OfEveryResourceIsDemandTimesRate) {
  const PostStep step = posted_step();
  HardwareProfile hardware = machine;
  hardware.port.ports = 1;
  hardware.nic.max_fetch = 1;  // WQEs of several doorbells would need fewer requests than those of each
  const QueuePairs pairs = queue_pairs(GetParam().transport);
  Scenario scenario = scenario_of(hardware, program(pairs, {step}, 2), sink(2));
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 1ms;
  const RunResult result = run(scenario);
  const VerbPath path = path_of(step, pairs, hardware);
  const double rate = result.throughput.per_second;
  ASSERT_GT(rate, 1e6);
  const auto expect_use = [&](const char* name, Side side, Resource resource) {
    const double expected = to_seconds(path.demand(side, resource)) * rate;
    EXPECT_NEAR(busy(result, name), expected, 0.001 + 0.01 * expected) << name;
  };
  expect_use("client/PCIe downstream", Side::requester, Resource::pcie_downstream);
  expect_use("client/PCIe upstream", Side::requester, Resource::pcie_upstream);
  expect_use("server/PCIe downstream", Side::responder, Resource::pcie_downstream);
  expect_use("server/PCIe upstream", Side::responder, Resource::pcie_upstream);
  expect_use("client/NIC transmit pipeline", Side::requester, Resource::nic_transmit);
  expect_use("server/NIC transmit pipeline", Side::responder, Resource::nic_transmit);
  expect_use("client/NIC receive pipeline", Side::requester, Resource::nic_receive);
  expect_use("server/NIC receive pipeline", Side::responder, Resource::nic_receive);
  expect_use("client/ports transmit", Side::requester, Resource::port_transmit);
  expect_use("client/ports receive", Side::requester, Resource::port_receive);
  expect_use("server/ports transmit", Side::responder, Resource::port_transmit);
  expect_use("server/ports receive", Side::responder, Resource::port_receive);
}

TEST_P(RdmaNicUse, OfCacheLinesIsWhatTheCountersCount) {
  const PostStep step = posted_step();
  const QueuePairs pairs = queue_pairs(GetParam().transport);
  Scenario scenario = scenario_of(machine, program(pairs, {step}, 2), sink(2));
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 1ms;
  const RunResult result = run(scenario);
  const VerbPath path = path_of(step, pairs, machine);
  const auto expect_lines = [&](const char* name, Side side, TlpKind kind) {
    double lines = 0;
    for (const PathStep& part : path.steps) {
      if (part.side == side && part.tlps && part.tlps->kind == kind)
        lines += part.cache_lines * path.per_operation(part.per);
    }
    const double expected = lines * result.throughput.per_second;
    EXPECT_NEAR(counter(result, name).rate.per_second, expected, 1e5 + 0.01 * expected) << name;
  };
  expect_lines("client/PCIeRdCur", Side::requester, TlpKind::memory_read);
  expect_lines("server/PCIeRdCur", Side::responder, TlpKind::memory_read);
  // MMIO writes touch no cache lines, so that the writes counted are the device's.
  expect_lines("client/PCIeItoM", Side::requester, TlpKind::memory_write);
  expect_lines("server/PCIeItoM", Side::responder, TlpKind::memory_write);
}

INSTANTIATE_TEST_SUITE_P(RdmaNic, RdmaNicUse,
                         testing::Values(Kind{Transport::ud, Verb::send, 0, PostMethod::mmio, 1},
                                         Kind{Transport::ud, Verb::send, 60, PostMethod::doorbell, 16},
                                         Kind{Transport::uc, Verb::send, 8, PostMethod::doorbell, 4},
                                         Kind{Transport::uc, Verb::write, 28, PostMethod::mmio, 1},
                                         Kind{Transport::uc, Verb::write, 156, PostMethod::doorbell, 8},
                                         Kind{Transport::rc, Verb::write, 28, PostMethod::doorbell, 16},
                                         Kind{Transport::rc, Verb::send, 0, PostMethod::mmio, 1},
                                         Kind{Transport::uc, Verb::write, 0, PostMethod::mmio, 1},
                                         Kind{Transport::rc, Verb::write, 0, PostMethod::doorbell, 16},
                                         Kind{Transport::rc, Verb::read, 0, PostMethod::mmio, 1},
                                         Kind{Transport::rc, Verb::read, 0, PostMethod::doorbell, 16},
                                         Kind{Transport::rc, Verb::read, 64, PostMethod::mmio, 1},
                                         Kind{Transport::rc, Verb::read, 256, PostMethod::doorbell, 16},
                                         Kind{Transport::rc, Verb::fetch_add, 8, PostMethod::doorbell, 16},
                                         Kind{Transport::rc, Verb::fetch_add, 8, PostMethod::mmio, 1}));

// ---- WQEs displaced from the NIC -----------------------------------------------------------------------------------

TEST(RdmaNic, ReadsAreReadAgainWhenMoreAreInFlightThanTheNicKeeps) {
  PostStep step = post_window(Verb::read, 8, 64);
  step.region = region(16, 64);
  HardwareProfile hardware = machine;
  const auto lines_per_operation = [&] {
    const RunResult result = run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink()));
    return counter(result, "client/PCIeRdCur").rate.per_second / result.throughput.per_second;
  };
  EXPECT_EQ(lines_per_operation(), 0);
  hardware.nic.wqe_cache = 4;
  EXPECT_GT(lines_per_operation(), 0.5);
}

/// Cache lines read again per READ, by a NIC that reads 256 B at a time and has room for `cache` places of `place`.
double lines_read_again(int cache, Bytes place) {
  PostStep step = post_window(Verb::read, 8, 64);
  step.region = region(16, 64);
  HardwareProfile hardware = machine;
  hardware.nic.wqe_fetch_unit = 256_B;
  hardware.nic.wqe_cache = cache;
  hardware.nic.wqe_cache_place = place;
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4)));
  return counter(result, "client/PCIeRdCur beyond expected").rate.per_second / result.throughput.per_second;
}

TEST(RdmaNic, AThrashedCacheReadsEveryWqeForItsRequestAndForItsResponse) {
  EXPECT_NEAR(lines_read_again(8, 64_B), 2 * 4, 0.2);  // units of four lines
}

TEST(RdmaNic, APlaceOfAWholeUnitServesAllItsWqes) {
  EXPECT_LT(lines_read_again(8, 256_B), lines_read_again(8, 64_B) / 2);
}

TEST(RdmaNic, WhatIsReadAgainPassesThePipelineOnceMore) {
  PostStep step = post_window(Verb::read, 8, 64);
  step.region = region(16, 64);
  HardwareProfile hardware = machine;
  hardware.nic.wqe_cache = 4;
  hardware.nic.wqe_cache_place = 64_B;
  hardware.nic.tx_displaced = 1us;
  const RunResult result =
      run(scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 4), sink(4)));
  // For its request and for its response.
  EXPECT_LT(result.throughput.per_second, 1 / 1.9e-6);
  EXPECT_EQ(result.bottleneck.resource, "client/NIC transmit pipeline");
  EXPECT_EQ(result.bottleneck.limit, Limit::nic_memory);
}

TEST(RdmaNic, WhatIsReadAgainBringsMoreMisses) {
  // 4 x 64 READs are posted at any time. With a little too few places the first misses displace what others need, so
  // that nearly all miss at last.
  EXPECT_EQ(lines_read_again(1024, 64_B), 0);
  EXPECT_GT(lines_read_again(230, 64_B), 4);
}

TEST(RdmaNic, PacketsOfALongMessageStayInThePortUntilTheLinkTakesThem) {
  PostStep step = post_window(Verb::write, 64 * 4096, 8);
  step.inlined = false;
  Scenario scenario = scenario_of(machine, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  hardware_of(scenario, "server").pcie.lanes = 1;
  Simulation simulation{scenario};
  simulation.calendar().run_until(100us);
  std::uint64_t packets = 0;
  for (const auto& port : simulation.machines()[1].instances.front()->nic().ports())
    packets += port->transmitter().jobs();
  const double taken = link_bandwidth(hardware_of(scenario, "server").pcie).bytes_per_second * 100e-6;
  const auto buffer = static_cast<double>(machine.port.receive_buffer.count);
  EXPECT_LT(static_cast<double>(packets) * 4096, taken + buffer + 2 * 4096);
}

TEST(RdmaNic, APlaceIsReadOnceForTheRequestsAndOnceForTheResponsesOfItsWqes) {
  // Four lines for four WQEs.
  EXPECT_NEAR(lines_read_again(8, 256_B), 2, 0.1);
}

TEST(RdmaNic, MessagesOfAQueuePairStayInOrderWhateverTheyWaitFor) {
  PostStep step = post(Verb::write, 8);
  step.inlined = false;
  step.signal_every = 1;
  step.region = region(1000, 4096, AddressPattern::random);
  step.region->page = 4_KiB;
  Scenario scenario = scenario_of(machine, program(queue_pairs(Transport::rc), {step}, 8), sink());
  hardware_of(scenario, "server").nic.qp_contexts = 4;
  hardware_of(scenario, "server").nic.translations = 10;
  for (const int fetches : {16, 1}) {  // one at a time, translations come after contexts
    hardware_of(scenario, "server").nic.state_fetches = fetches;
    Simulation simulation{scenario};
    EXPECT_EQ(overtaken_cqes(simulation, "client", 2ms), 0) << fetches;
    EXPECT_GT(statistics(simulation, "client").operations, 1000U);
  }
}

}  // namespace
}  // namespace doorbell::model
