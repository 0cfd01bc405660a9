#include "models/nic/verb_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/fixture.hpp"
#include "models/verb_paths.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace verb_paths;
// ---- the numbers of the paper --------------------------------------------------------------------------------------

TEST(VerbPath, TenWqesOf65BytesTake1800BytesByMmioAnd1534ByDoorbell) {
  // A UC WRITE of 29 B has a WQE of 36 + 29 = 65 B, padded to two lines.
  Operation operation = write(Transport::uc, 29);
  const VerbPath by_mmio = path_of(operation);
  EXPECT_EQ(wire(by_mmio, Phase::post, Side::requester, Resource::pcie_downstream) * 10, 1800_B);

  operation.method = PostMethod::doorbell;
  operation.batch = 10;
  const VerbPath by_doorbell = path_of(operation);
  EXPECT_EQ(wire(by_doorbell, Phase::post, Side::requester, Resource::pcie_downstream), 34_B);
  EXPECT_EQ(wire(by_doorbell, Phase::fetch, Side::requester, Resource::pcie_downstream), 1500_B);
}

TEST(VerbPath, ADisplacedWqeIsReadForTheRequestAndAgainForTheResponse) {
  const auto lines_read = [](Operation operation) {
    operation.displaced = true;
    int lines = 0;
    for (const PathStep& step : path_of(operation).steps) {
      if (step.label.starts_with("read WQE again")) lines += step.cache_lines;
    }
    return lines;
  };
  ASSERT_EQ(machine.nic.wqe_fetch_unit, 64_B);
  EXPECT_EQ(lines_read(read(8)), 1 + 1);
  EXPECT_EQ(lines_read(fetch_add()), 1 + 1);
  EXPECT_EQ(lines_read(write(Transport::rc, 8)), 1);
  EXPECT_EQ(lines_read(send(8, PostMethod::mmio)), 2);  // a WQE of 128 B
  // What the NIC has fetched for a doorbell it keeps until it sends the request.
  Operation fetched = read(8);
  fetched.method = PostMethod::doorbell;
  EXPECT_EQ(lines_read(fetched), 1);
  EXPECT_TRUE(can_be_displaced(fetched));
  EXPECT_EQ(lines_read(send(8)), 0);
  EXPECT_FALSE(can_be_displaced(send(8)));
}

TEST(VerbPath, ADisplacedWqeOfAReadPassesTheTransmitPipelineOnceMoreForEachTime) {
  HardwareProfile slow = machine;
  slow.nic.tx_displaced = 20ns;
  const auto turns = [&](Operation operation) {
    const auto demand = [&] {
      return make_path(operation, slow, slow).demand(Side::requester, Resource::nic_transmit);
    };
    const Time kept = demand();
    operation.displaced = true;
    return demand() - kept;
  };
  EXPECT_EQ(turns(read(8)), 2 * 20ns);
  EXPECT_EQ(turns(write(Transport::rc, 8)), Time{0});
}

struct Lines {
  std::int64_t payload;
  std::int64_t lines;
};

TEST(VerbPath, UdSendWqeLinesByPayload) {
  for (const auto& [size, lines] :
       {Lines{0, 1}, {1, 2}, {60, 2}, {61, 3}, {124, 3}, {125, 4}, {188, 4}, {189, 5}, {252, 5}, {253, 6}, {256, 6}}) {
    EXPECT_EQ(wqe_bytes(machine.nic, send(size)), Bytes{64 * lines}) << size << " B";
  }
}

TEST(VerbPath, ConnectedWriteWqeLinesByPayload) {
  for (const Transport transport : {Transport::uc, Transport::rc}) {
    for (const auto& [size, lines] : {Lines{1, 1}, {28, 1}, {29, 2}, {92, 2}, {93, 3}, {156, 3}, {157, 4}}) {
      EXPECT_EQ(wqe_bytes(machine.nic, write(transport, size)), Bytes{64 * lines}) << size << " B";
    }
  }
}

TEST(VerbPath, HerdRequestsOfThePaperTakeOneAndTwoLines) {
  EXPECT_EQ(wqe_bytes(machine.nic, write(Transport::uc, 17)), 64_B);   // GET: 53 B
  EXPECT_EQ(wqe_bytes(machine.nic, write(Transport::uc, 50)), 128_B);  // PUT: 86 B
  EXPECT_EQ(wqe_bytes(machine.nic, send(32)), 128_B);                  // response: 100 B
}

TEST(VerbPath, PayloadsThatAreNotInlineTakeAPointer) {
  Operation operation = write(Transport::uc, 4096);
  operation.inlined = false;
  EXPECT_EQ(wqe_bytes(machine.nic, operation), 64_B);  // 36 + 16 B
  EXPECT_EQ(wqe_bytes(machine.nic, read(4096)), 64_B);
}

TEST(VerbPath, OneMmioTlpPerLineOfTheWqe) {
  for (const std::int64_t size : {0, 60, 124, 256}) {
    const VerbPath path = path_of(send(size, PostMethod::mmio));
    const auto mmio = std::count_if(path.steps.begin(), path.steps.end(), [](const PathStep& step) {
      return step.phase == Phase::post && step.resource == Resource::pcie_downstream;
    });
    EXPECT_EQ(mmio, ceil_div(wqe_bytes(machine.nic, send(size)), 64_B)) << size;
    EXPECT_FALSE(std::any_of(path.steps.begin(), path.steps.end(),
                             [](const PathStep& step) { return step.phase == Phase::fetch; }));
  }
}

TEST(VerbPath, DmaLimitOfBatchedTwoLineSendsApproaches105Millions) {
  const VerbPath path = path_of(send(60, PostMethod::doorbell, 16));
  const double fetched =
      static_cast<double>(wire(path, Phase::fetch, Side::requester, Resource::pcie_downstream).count) / 16;
  EXPECT_NEAR(link_bandwidth(machine.pcie).bytes_per_second / fetched * 1e-6, 105.0, 0.05);
}

// ---- what does not happen ------------------------------------------------------------------------------------------

TEST(VerbPath, ReadsNeedNoDmaReadAtTheRequesterAndInlineWritesNone) {
  // Section 4.3: without WQE cache misses, PCIeRdCur stays at 0 for READs and inline WRITEs posted by MMIO.
  for (const Operation& operation :
       {read(8), write(Transport::rc, 8), write(Transport::uc, 8), send(8, PostMethod::mmio)}) {
    EXPECT_FALSE(touches(path_of(operation), Side::requester, Resource::root_complex));
  }
  Operation gathered = write(Transport::uc, 512);
  gathered.inlined = false;
  EXPECT_TRUE(touches(path_of(gathered), Side::requester, Resource::root_complex));
}

TEST(VerbPath, UnreliableOperationsHaveNoReply) {
  for (const Operation& operation : {send(8), write(Transport::uc, 8)}) {
    EXPECT_EQ(network(path_of(operation), Phase::reply), 0_B);
    EXPECT_FALSE(touches(path_of(operation), Side::responder, Resource::port_transmit));
  }
  EXPECT_GT(network(path_of(write(Transport::rc, 8)), Phase::reply), 0_B);
}

TEST(VerbPath, TheRespondersCoreDoesNothing) {
  for (const Operation& operation : {send(8), write(Transport::uc, 8), read(8), fetch_add()}) {
    EXPECT_EQ(path_of(operation).demand(Side::responder, Resource::core), 0ns);
  }
}

TEST(VerbPath, HeaderOnlyReceivesWriteOnlyACompletion) {
  const auto writes = [](const VerbPath& path) {
    return std::count_if(path.steps.begin(), path.steps.end(), [](const PathStep& step) {
      return step.side == Side::responder && step.tlps && step.tlps->kind == TlpKind::memory_write;
    });
  };
  EXPECT_EQ(writes(path_of(send(0))), 1);
  EXPECT_EQ(writes(path_of(send(8))), 2);
  EXPECT_EQ(path_of(send(8)).demand(Side::responder, Resource::nic_receive) -
                path_of(send(0)).demand(Side::responder, Resource::nic_receive),
            machine.nic.rx_dma + transfer_time(8_B, machine.nic.data_path));
}

TEST(VerbPath, PipelinesTakeMoreTimeForLongerWqesAndPayload) {
  HardwareProfile nic = machine;
  nic.nic.tx_line = 7ns;
  nic.nic.data_path = 1000_MBps;
  const auto transmit = [&](const Operation& operation) {
    return make_path(operation, nic, nic).demand(Side::requester, Resource::nic_transmit);
  };
  EXPECT_EQ(transmit(send(0)), nic.nic.tx_message);
  EXPECT_EQ(transmit(send(60)), nic.nic.tx_message + 7ns + 60ns);        // 128 B of WQE
  EXPECT_EQ(transmit(send(124)), nic.nic.tx_message + 7ns * 2 + 124ns);  // 192 B of WQE
  Operation read{.transport = Transport::rc, .verb = Verb::read, .payload = 256_B};
  EXPECT_EQ(make_path(read, nic, nic).demand(Side::responder, Resource::nic_transmit), nic.nic.tx_response + 256ns);
}

TEST(VerbPath, EachPacketOfAResponseTakesATurn) {
  HardwareProfile nic = machine;
  nic.nic.data_path = 1000_MBps;
  nic.port.mtu = 1024_B;
  const auto expect_turns = [&](std::int64_t payload, int turns) {
    const Operation operation = read(payload);
    EXPECT_EQ(make_path(operation, nic, nic).demand(Side::responder, Resource::nic_transmit),
              nic.nic.tx_response * turns + transfer_time(operation.payload, nic.nic.data_path))
        << payload;
  };
  expect_turns(8, 1);
  expect_turns(1024, 1);
  expect_turns(1025, 2);
  expect_turns(2048, 2);
}

TEST(VerbPath, OnlyWhoAsksForALongReadTakesTwoTurns) {
  HardwareProfile nic = machine;
  nic.nic.long_read = 256_B;
  const auto transmits = [&](std::int64_t payload, Side side) {
    return make_path(read(payload), nic, nic).demand(side, Resource::nic_transmit);
  };
  const Time once = nic.nic.tx_message + nic.nic.tx_read_request;
  EXPECT_EQ(transmits(256, Side::requester), once);
  EXPECT_EQ(transmits(257, Side::requester), once * 2);
  EXPECT_EQ(transmits(257, Side::responder), nic.nic.tx_response + transfer_time(257_B, nic.nic.data_path));
  nic.nic.long_read = 0_B;
  EXPECT_EQ(transmits(1 << 20, Side::requester), once);
}

TEST(VerbPath, ASendTakesARecvAndAWriteDoesNot) {
  HardwareProfile nic = machine;
  const auto receive = [&](const Operation& operation) {
    return make_path(operation, nic, nic).demand(Side::responder, Resource::nic_receive);
  };
  Operation write{.transport = Transport::uc, .verb = Verb::write, .payload = 8_B};
  const Time write_before = receive(write);
  const Time send_before = receive(send(8));
  nic.nic.rx_recv = 21ns;
  EXPECT_EQ(receive(write), write_before);
  EXPECT_EQ(receive(send(8)), send_before + 21ns);
}

TEST(VerbPath, InlineReceivesSaveADmaWrite) {
  Operation regular = send(32);
  Operation inlined = regular;
  inlined.inline_receive = true;
  HardwareProfile nic = machine;
  nic.nic.rx_inline = 3ns;
  const auto demand = [&](const Operation& operation, Resource resource) {
    return make_path(operation, nic, nic).demand(Side::responder, resource);
  };
  EXPECT_EQ(demand(regular, Resource::nic_receive) - demand(inlined, Resource::nic_receive), nic.nic.rx_dma - 3ns);
  EXPECT_LT(demand(inlined, Resource::pcie_upstream), demand(regular, Resource::pcie_upstream));
}

TEST(VerbPath, AcknowledgementsOccupyBothPipelines) {
  Operation write{.transport = Transport::rc, .verb = Verb::write, .payload = 8_B, .signal_every = 1};
  const VerbPath path = make_path(write, machine, machine);
  EXPECT_EQ(path.demand(Side::responder, Resource::nic_transmit), machine.nic.tx_message);
  EXPECT_EQ(path.demand(Side::requester, Resource::nic_receive), machine.nic.rx_message + machine.nic.rx_dma);
  write.signal_every = 4;  // only every fourth ACK makes a CQE
  EXPECT_EQ(make_path(write, machine, machine).demand(Side::requester, Resource::nic_receive),
            machine.nic.rx_message + machine.nic.rx_dma / 4);
}

TEST(VerbPath, FindingWhatAReplyBelongsToTakesTheTimeThatItsDmasLeave) {
  HardwareProfile nic = machine;
  nic.nic.data_path = Bandwidth{1e15};
  const auto receive = [&](Verb verb, int signal_every, Time lookup) {
    nic.nic.rx_lookup = lookup;
    const Operation operation{.transport = Transport::rc, .verb = verb, .payload = 8_B, .signal_every = signal_every};
    return make_path(operation, nic, nic).demand(Side::requester, Resource::nic_receive) - nic.nic.rx_message;
  };
  const Time dma = nic.nic.rx_dma;
  constexpr int seldom = 1 << 30;
  for (const Time lookup : {Time{0}, dma, dma * 3 / 2, dma * 3}) {
    EXPECT_EQ(receive(Verb::read, seldom, lookup), std::max(dma, lookup));
    EXPECT_EQ(receive(Verb::read, 1, lookup), std::max(dma * 2, lookup));
    EXPECT_EQ(receive(Verb::write, seldom, lookup), Time{0});
    EXPECT_EQ(receive(Verb::write, 1, lookup), std::max(dma, lookup));
  }
}

// ---- errors --------------------------------------------------------------------------------------------------------

TEST(VerbPath, TransportsThatLackAVerbThrow) {
  for (const auto& [transport, verb] : {std::pair{Transport::ud, Verb::write},
                                        {Transport::ud, Verb::read},
                                        {Transport::uc, Verb::read},
                                        {Transport::ud, Verb::fetch_add},
                                        {Transport::uc, Verb::compare_swap}}) {
    EXPECT_THROW((void)path_of({.transport = transport, .verb = verb, .payload = 8_B}), std::invalid_argument);
  }
  for (const Transport transport : {Transport::rc, Transport::uc, Transport::ud}) {
    EXPECT_NO_THROW((void)path_of({.transport = transport, .verb = Verb::send, .payload = 8_B}));
  }
}

TEST(VerbPath, ABatchCannotBePostedByMmio) {
  EXPECT_THROW((void)path_of(send(8, PostMethod::mmio, 2)), std::invalid_argument);
  EXPECT_NO_THROW((void)path_of(send(8, PostMethod::mmio, 1)));
}

// ---- bookkeeping ---------------------------------------------------------------------------------------------------

TEST(VerbPath, DemandWeighsStepsByHowOftenTheyHappen) {
  Operation operation = send(8, PostMethod::doorbell, 4);
  operation.signal_every = 8;
  const VerbPath path = path_of(operation);
  EXPECT_DOUBLE_EQ(path.per_operation(Per::call), 0.25);
  EXPECT_DOUBLE_EQ(path.per_operation(Per::operation), 1);
  EXPECT_DOUBLE_EQ(path.per_operation(Per::signal), 0.125);
  EXPECT_DOUBLE_EQ(path.per_operation(Per::prefetch), 0.125);
  // 20 ns per WQE, 10 + 20 ns per doorbell of 4, 20 ns per CQE of 8.
  EXPECT_EQ(path.demand(Side::requester, Resource::core), 20ns + 7500_ps + 2500_ps);
  // 75 ns per WQE, 5 ns per doorbell of 4.
  EXPECT_EQ(path.demand(Side::requester, Resource::processing_unit), 76250_ps);
}

TEST(VerbPath, ServiceSumsMatchingStepsOnce) {
  const VerbPath path = path_of(send(60, PostMethod::mmio));
  EXPECT_EQ(path.service(Phase::post, Side::requester, Resource::core, Per::operation), 20ns + 2 * 10ns + 20ns);
  EXPECT_EQ(path.service(Phase::post, Side::requester, Resource::core, Per::call), 0ns);
  EXPECT_EQ(path.service(Phase::transmit, Side::responder, Resource::port_receive, Per::operation),
            path.service(Phase::transmit, Side::requester, Resource::port_transmit, Per::operation));
}

TEST(VerbPath, PacketsCarryTheHeadersOfTheirTransport) {
  const auto bytes = [](std::int64_t size, const PacketHeaders& headers) {
    return message_bytes(machine.port, Bytes{size}, headers);
  };
  EXPECT_EQ(network(path_of(send(8)), Phase::transmit), bytes(8, {.datagram = true}));
  EXPECT_EQ(network(path_of(write(Transport::uc, 8)), Phase::transmit), bytes(8, {.remote_address = true}));
  EXPECT_EQ(network(path_of(read(64)), Phase::transmit), bytes(0, {.remote_address = true}));
  EXPECT_EQ(network(path_of(read(64)), Phase::reply), bytes(64, {.acknowledge = true}));
  EXPECT_EQ(network(path_of(write(Transport::rc, 8)), Phase::reply), bytes(0, {.acknowledge = true}));
  EXPECT_EQ(network(path_of(fetch_add()), Phase::transmit), bytes(0, {.atomic = true}));
  Operation immediate = send(0);
  immediate.immediate = true;
  EXPECT_EQ(network(path_of(immediate), Phase::transmit), bytes(0, {.datagram = true, .immediate = true}));
}

TEST(VerbPath, CacheLinesAreCountedWhereTheHostIsTouched) {
  const auto lines = [](const VerbPath& path, TlpKind kind, Phase phase) {
    int total = 0;
    for (const PathStep& step : path.steps) {
      if (step.tlps && step.tlps->kind == kind && step.phase == phase) total += step.cache_lines;
    }
    return total;
  };
  EXPECT_EQ(lines(path_of(send(60, PostMethod::doorbell, 16)), TlpKind::memory_read, Phase::fetch), 32);
  EXPECT_EQ(lines(path_of(send(60, PostMethod::doorbell, 16)), TlpKind::completion, Phase::fetch), 0);
  EXPECT_EQ(lines(path_of(read(100)), TlpKind::memory_read, Phase::execute), 2);
  EXPECT_EQ(lines(path_of(write(Transport::uc, 28)), TlpKind::memory_write, Phase::deliver), 1);
}

TEST(VerbPath, PhasesComeInOrderOnEverySide) {
  // An operation's CQE may come while its packet is under way, but no step goes back in the life of the operation.
  for (const Operation& operation :
       {send(60, PostMethod::doorbell, 16), write(Transport::rc, 28), read(64), fetch_add()}) {
    const VerbPath path = path_of(operation);
    EXPECT_TRUE(std::is_sorted(path.steps.begin(), path.steps.end(),
                               [](const PathStep& a, const PathStep& b) { return a.phase < b.phase; }));
  }
}

TEST(VerbPath, ResourcesHaveDistinctNames) {
  std::set<std::string_view> names;
  for (int i = 0; i < resource_count; ++i) names.insert(name_of(static_cast<Resource>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(resource_count));
}

}  // namespace
}  // namespace doorbell::model
