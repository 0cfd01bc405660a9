// What goes in comes out, and more of it never costs less.
#include <gtest/gtest.h>

#include <utility>

#include "models/fixture.hpp"
#include "models/nic/operation_plan.hpp"
#include "models/verb_paths.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace verb_paths;

TEST(VerbPathConservation, EveryPayloadByteCrossesEveryLinkOnce) {
  for (const std::int64_t size : {1, 8, 64, 100, 256, 1000, 5000}) {
    const Bytes bytes{size};
    EXPECT_EQ(payload(path_of(write(Transport::uc, size)), Side::responder, TlpKind::memory_write, Phase::deliver),
              bytes);
    EXPECT_EQ(payload(path_of(send(size)), Side::responder, TlpKind::memory_write, Phase::deliver),
              bytes + machine.nic.cqe);
    EXPECT_EQ(payload(path_of(read(size)), Side::responder, TlpKind::completion, Phase::execute), bytes);
    EXPECT_EQ(payload(path_of(read(size)), Side::requester, TlpKind::memory_write, Phase::complete), bytes);
    Operation gathered = write(Transport::uc, size);
    gathered.inlined = false;
    EXPECT_EQ(payload(path_of(gathered), Side::requester, TlpKind::completion, Phase::process), bytes);
  }
}

// InfiniBand Architecture Specification, volume 1, C9-88.
TEST(VerbPathConservation, ReadsAndWritesOf0BCrossNoLinkOfTheResponder) {
  for (const Operation& operation : {read(0), write(Transport::rc, 0), write(Transport::uc, 0)}) {
    const VerbPath path = path_of(operation);
    for (const Resource resource : {Resource::pcie_downstream, Resource::pcie_upstream, Resource::root_complex})
      EXPECT_FALSE(touches(path, Side::responder, resource));
    for (const PathStep& step : path.steps) {
      if (step.phase == Phase::post || !step.tlps) continue;
      EXPECT_EQ(step.label, "CQE");
    }
  }
  EXPECT_EQ(network(path_of(read(0)), Phase::reply), network(path_of(write(Transport::rc, 0)), Phase::reply))
      << "the response has the headers of an ACK";
}

TEST(VerbPathConservation, ASendOf0BTakesARecvAndWritesACqe) {
  Operation empty = send(0);
  empty.inlined = false;
  const VerbPath path = path_of(empty);
  EXPECT_EQ(payload(path, Side::responder, TlpKind::memory_write, Phase::deliver), machine.nic.cqe);
  EXPECT_EQ(payload(path, Side::responder, TlpKind::completion, Phase::deliver),
            machine.nic.recv_wqe * machine.nic.recv_prefetch);
  EXPECT_EQ(payload(path, Side::requester, TlpKind::completion, Phase::process), 0_B);
}

TEST(VerbPathConservation, OperationsOf0BReachNoMemoryInARun) {
  for (const auto& [transport, verb] :
       {std::pair{Transport::rc, Verb::read}, {Transport::rc, Verb::write}, {Transport::uc, Verb::write}}) {
    PostStep step = post(verb, 0, 4);
    step.inlined = false;
    step.region = region(64, 1 << 22);
    HardwareProfile hardware = machine;
    hardware.nic.translations = 1;  // more would be fetched with every page that is touched
    const Scenario scenario = scenario_of(hardware, program(queue_pairs(transport), {step}), sink());
    Simulation simulation{scenario};
    simulation.calendar().run_until(100us);
    EXPECT_GT(statistics(simulation, "client").posted, 100U);
    RdmaNic& server = simulation.machine_set("server").instances.front()->nic();
    EXPECT_GT(server.receive_pipeline().jobs(), 100U);
    EXPECT_EQ(server.dma().upstream().jobs() + server.dma().downstream().jobs(), 0U);
    EXPECT_EQ(server.dma().lines_read() + server.dma().lines_written(), 0U);
    ASSERT_TRUE(server.translations());
    EXPECT_EQ(server.translations()->misses(), 0U);
  }
}

/// Of the messages of a phase, as one side's port counts them.
Bytes on_the_wire(const VerbPath& path, Phase phase, Resource port) {
  Bytes sum{0};
  for (const PathStep& step : path.steps) {
    if (step.phase == phase && step.resource == port) sum += step.network;
  }
  return sum;
}

// InfiniBand Architecture Specification, volume 1, section 9.3: packets are no longer than the path's MTU.
TEST(VerbPathConservation, WhatIsSentArrivesWhicheverMachineHasTheSmallerMtu) {
  HardwareProfile small = machine;
  small.port.mtu = 256_B;
  Operation gathered = write(Transport::uc, 5000);
  gathered.inlined = false;
  for (const Operation& operation : {read(5000), gathered, fetch_add()}) {
    const VerbPath by_small = make_path(operation, small, machine);
    const VerbPath by_large = make_path(operation, machine, small);
    const VerbPath both = make_path(operation, small, small);
    for (const Phase phase : {Phase::transmit, Phase::reply}) {
      const Bytes sent = on_the_wire(both, phase, Resource::port_transmit);
      for (const VerbPath& path : {by_small, by_large, both}) {
        EXPECT_EQ(on_the_wire(path, phase, Resource::port_transmit), sent);
        EXPECT_EQ(on_the_wire(path, phase, Resource::port_receive), sent);
      }
    }
    EXPECT_EQ(make_plan(operation, machine, small).reply.port_receive,
              make_plan(operation, machine, small).reply.port_transmit);
  }
}

TEST(VerbPathConservation, TheFetchReadsAllWqesOfTheBatch) {
  for (const int batch : {1, 2, 16, 32}) {
    const VerbPath path = path_of(send(60, PostMethod::doorbell, batch));
    EXPECT_EQ(payload(path, Side::requester, TlpKind::completion, Phase::fetch), 128_B * batch);
  }
}

// rdma_bench, libmlx5: 180 B go down instead of 34 B, and the NIC reads one WQE less.
TEST(VerbPathConservation, TheLastWqeOfAListGoesByMmio) {
  Operation list = send(60, PostMethod::doorbell, 16);
  list.last_by_mmio = true;
  const VerbPath path = path_of(list);
  EXPECT_EQ(wire(path, Phase::post, Side::requester, Resource::pcie_downstream), 180_B);
  EXPECT_EQ(payload(path, Side::requester, TlpKind::completion, Phase::fetch), 128_B * 15);
}

TEST(VerbPathConservation, WqesLongerThanABlueFlameBufferAreReadAfterADoorbell) {
  const QueuePairs pairs{};
  HardwareProfile hardware = machine;
  hardware.mmio.last_of_list = true;
  PostStep step;
  step.verb = Verb::send;
  for (const auto& [payload, fits] : {std::pair{188, true}, {189, false}}) {
    step.payload = Bytes{payload};
    const Operation one = operation_of(step, pairs, 1, hardware, {hardware, sink()});
    EXPECT_EQ(one.method, fits ? PostMethod::mmio : PostMethod::doorbell) << payload;
    EXPECT_FALSE(one.last_by_mmio);
    EXPECT_EQ(operation_of(step, pairs, 4, hardware, {hardware, sink()}).last_by_mmio, fits) << payload;
  }
  hardware.mmio.last_of_list = false;
  step.payload = 8_B;
  EXPECT_FALSE(operation_of(step, pairs, 4, hardware, {hardware, sink()}).last_by_mmio);
}

TEST(VerbPathConservation, WqesLieAtFixedDistancesUnlessTheyAreLonger) {
  HardwareProfile hardware = machine;
  hardware.nic.wqe_stride = 128_B;
  for (const auto& [size, place] : {std::pair{0, 128}, {60, 128}, {61, 192}}) {
    const Operation operation = send(size, PostMethod::doorbell, 4);
    EXPECT_EQ(payload(make_path(operation, hardware, hardware), Side::requester, TlpKind::completion, Phase::fetch),
              Bytes{place * 4});
  }
}

TEST(VerbPathConservation, AtomicsReadAndWriteOneWordUnderTheLock) {
  const VerbPath path = path_of(fetch_add());
  EXPECT_EQ(payload(path, Side::responder, TlpKind::completion, Phase::execute), 8_B);
  EXPECT_EQ(payload(path, Side::responder, TlpKind::memory_write, Phase::execute), 8_B);
  const Time held = path.demand(Side::responder, Resource::atomic_lock);
  EXPECT_GT(held, machine.pcie.latency * 2 + machine.root_complex.read_latency);
  EXPECT_LT(held, machine.pcie.latency * 2 + machine.root_complex.read_latency + 10ns);
  Operation in_dram = fetch_add();
  in_dram.in_dram = true;
  EXPECT_EQ(path_of(in_dram).demand(Side::responder, Resource::atomic_lock) - held,
            machine.root_complex.read_latency_dram - machine.root_complex.read_latency);
}

TEST(VerbPathConservation, MorePayloadIsNeverCheaper) {
  const auto total = [](const VerbPath& path) {
    Time sum{0};
    for (const Side side : {Side::requester, Side::responder}) {
      for (int i = 0; i < resource_count; ++i) sum += path.demand(side, static_cast<Resource>(i));
    }
    return sum;
  };
  for (const PostMethod method : {PostMethod::mmio, PostMethod::doorbell}) {
    for (const Verb verb : {Verb::send, Verb::write, Verb::read}) {
      Time before{0};
      for (std::int64_t size = 0; size <= 1024; ++size) {
        const Time demand =
            total(path_of({.transport = Transport::rc, .verb = verb, .payload = Bytes{size}, .method = method}));
        EXPECT_GE(demand, before) << size << " B";
        before = demand;
      }
    }
  }
}

TEST(VerbPathConservation, DoublingTheBatchNeverCostsMorePerOperation) {
  // Only doubling: one WQE more may need one read request more.
  for (int i = 0; i < resource_count; ++i) {
    Time before = Time::max();
    for (int batch = 1; batch <= 64; batch *= 2) {
      const Time demand =
          path_of(send(60, PostMethod::doorbell, batch)).demand(Side::requester, static_cast<Resource>(i));
      EXPECT_LE(demand, before) << name_of(static_cast<Resource>(i)) << " at " << batch;
      before = demand;
    }
  }
}

/// What a plan gives to each packet, and what moves packet by packet, are the same steps.
void expect_whole(Verb verb, std::int64_t payload, const HardwareProfile& hardware) {
  Operation long_one = read(payload);
  long_one.verb = verb;
  long_one.inlined = false;
  long_one.method = PostMethod::doorbell;
  const OperationPlan last = make_plan(long_one, hardware, hardware);
  ASSERT_NE(last.part, nullptr);
  const OperationPlan& full = *last.part;
  const auto all = [&](auto of) { return of(full) * (last.parts - 1) + of(last); };
  Time wire{0};
  Time links{0};
  const VerbPath path = make_path(long_one, hardware, hardware);
  for (const PathStep& step : path.steps) {
    if (!moves_payload(long_one, step)) continue;
    if (step.resource == Resource::port_transmit) wire += step.service;
    if (step.tlps) links += step.service;
  }
  const auto packet = [&](const OperationPlan& plan) { return verb == Verb::read ? plan.reply : plan.request; };
  const auto reading = [&](const OperationPlan& plan) { return verb == Verb::read ? *plan.remote_read : *plan.gather; };
  const auto writing = [&](const OperationPlan& plan) {
    return verb == Verb::read ? *plan.returned_payload : plan.deliver.items[0];
  };
  EXPECT_EQ(all([&](const OperationPlan& plan) { return packet(plan).port_transmit; }), wire);
  EXPECT_EQ(all([&](const OperationPlan& plan) {
              return reading(plan).request + reading(plan).completion + writing(plan).service;
            }),
            links);
  const std::int64_t request = std::min(hardware.port.mtu, hardware.pcie.max_read_request).count;
  EXPECT_EQ(reading(full).tags, hardware.port.mtu.count / request);
  EXPECT_EQ(all([&](const OperationPlan& plan) { return reading(plan).tags; }), (payload + request - 1) / request);
  EXPECT_GE(writing(full).tlps, 1);
  EXPECT_GE(writing(last).tlps, 1);
}

TEST(VerbPathConservation, PacketsTogetherAreTheWholeMessage) {
  for (const Bytes mtu : {256_B, 1024_B, 4096_B}) {
    for (const std::int64_t payload : {4097, 8192, 10'000, 64 * 1024}) {
      HardwareProfile hardware = machine;
      hardware.port.mtu = mtu;
      SCOPED_TRACE(testing::Message() << payload << " B in packets of " << mtu.count);
      for (const Verb verb : {Verb::send, Verb::write, Verb::read}) expect_whole(verb, payload, hardware);
    }
  }
  EXPECT_EQ(parts_of(path_of(read(4096))), 1);
  EXPECT_EQ(make_plan(read(4096), machine, machine).part, nullptr);
  EXPECT_EQ(parts_of(path_of(read(4097))), 2);
}

}  // namespace
}  // namespace doorbell::model
