#include "models/nic/operation_plan.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

const HardwareProfile plain_machine = connect_ib();

OperationPlan plan_of(const PostStep& step, Transport transport) {
  return make_plan(operation_of(step, queue_pairs(transport), step.batch, plain_machine, {plain_machine, sink()}),
                   plain_machine, plain_machine);
}

Time sum(const std::vector<Time>& times) {
  Time total{0};
  for (const Time time : times) total += time;
  return total;
}

TEST(OperationPlan, AgreesWithTheVerbPathItWasMadeFrom) {
  for (const Verb verb : {Verb::send, Verb::write}) {
    for (const int batch : {1, 8}) {
      const PostStep step = post(verb, 60, batch);
      const OperationPlan plan = plan_of(step, Transport::uc);
      const VerbPath path = path_of(step, queue_pairs(Transport::uc), plain_machine);
      const Per per = batch == 1 ? Per::operation : Per::call;
      EXPECT_EQ(plan.by_doorbell, batch > 1);
      EXPECT_EQ(sum(plan.mmio_writes), path.service(Phase::post, Side::requester, Resource::pcie_downstream, per));
      EXPECT_EQ(plan.core_per_wqe, path.service(Phase::post, Side::requester, Resource::core, Per::operation));
      EXPECT_EQ(plan.core_per_call, path.service(Phase::post, Side::requester, Resource::core, Per::call));
      EXPECT_EQ(plan.request.transmit, plain_machine.nic.tx_message + transfer_time(60_B, plain_machine.nic.data_path));
      EXPECT_EQ(plan.request.port_transmit, transfer_time(plan.request.network, plain_machine.port.bandwidth));
      Time written{0};
      for (int i = 0; i < plan.deliver.count; ++i) written += plan.deliver.items[static_cast<std::size_t>(i)].service;
      EXPECT_EQ(written, path.service(Phase::deliver, Side::responder, Resource::pcie_upstream, Per::operation));
    }
  }
}

TEST(OperationPlan, OneMmioWritePerLineOrOnePerDoorbell) {
  EXPECT_EQ(plan_of(post(Verb::send, 0), Transport::ud).mmio_writes.size(), 1U);
  EXPECT_EQ(plan_of(post(Verb::send, 60), Transport::ud).mmio_writes.size(), 2U);
  EXPECT_EQ(plan_of(post(Verb::send, 60, 16), Transport::ud).mmio_writes.size(), 1U);
}

TEST(OperationPlan, WhatIsDeliveredDependsOnTheVerb) {
  EXPECT_EQ(plan_of(post(Verb::send, 0), Transport::ud).deliver.count, 1);   // CQE
  EXPECT_EQ(plan_of(post(Verb::send, 60), Transport::ud).deliver.count, 2);  // payload and CQE
  EXPECT_EQ(plan_of(post(Verb::write, 60), Transport::uc).deliver.count, 1);
  EXPECT_EQ(plan_of(post(Verb::write, 0), Transport::uc).deliver.count, 0);
  PostStep tells = post(Verb::write, 0);
  tells.immediate = true;
  EXPECT_EQ(plan_of(tells, Transport::uc).deliver.count, 1) << "only the CQE";
  EXPECT_EQ(plan_of(tells, Transport::uc).request.receive, plan_of(post(Verb::send, 0), Transport::uc).request.receive);
  EXPECT_EQ(plan_of(post(Verb::read, 60), Transport::rc).deliver.count, 0);
  EXPECT_TRUE(plan_of(post(Verb::send, 60), Transport::ud).recv_prefetch.has_value());
  EXPECT_FALSE(plan_of(post(Verb::write, 60), Transport::uc).recv_prefetch.has_value());
}

TEST(OperationPlan, OnlyReadsAndAtomicsReadRemotely) {
  EXPECT_FALSE(plan_of(post(Verb::write, 8), Transport::rc).remote_read.has_value());
  const OperationPlan read = plan_of(post(Verb::read, 256), Transport::rc);
  ASSERT_TRUE(read.remote_read.has_value());
  EXPECT_FALSE(read.remote_write.has_value());
  EXPECT_EQ(read.remote_read->cache_lines, 4);
  EXPECT_EQ(read.remote_read->latency, plain_machine.root_complex.read_latency);
  EXPECT_EQ(read.remote_read->completion, occupancy(plain_machine.pcie, completion_tlps(plain_machine.pcie, 256_B)));
  const OperationPlan atomic = plan_of(post_atomic(1, 8), Transport::rc);
  EXPECT_TRUE(atomic.remote_read.has_value());
  EXPECT_TRUE(atomic.remote_write.has_value());
  EXPECT_EQ(atomic.request.receive, read.request.receive + plain_machine.atomics.processing);
}

TEST(OperationPlan, OnlyReliableOperationsAreAcknowledged) {
  EXPECT_TRUE(plan_of(post(Verb::write, 8), Transport::rc).acknowledged);
  EXPECT_FALSE(plan_of(post(Verb::write, 8), Transport::uc).acknowledged);
  EXPECT_FALSE(plan_of(post(Verb::send, 8), Transport::ud).acknowledged);
  EXPECT_FALSE(plan_of(post(Verb::write, 8), Transport::rc).returned_payload.has_value());
  EXPECT_TRUE(plan_of(post(Verb::read, 8), Transport::rc).returned_payload.has_value());
}

TEST(OperationPlan, ReadsTakeTagsByTheLargestRequest) {
  EXPECT_EQ(plan_of(post(Verb::read, 512), Transport::rc).remote_read->tags, 1);
  EXPECT_EQ(plan_of(post(Verb::read, 513), Transport::rc).remote_read->tags, 2);
  EXPECT_EQ(plan_of(post(Verb::read, 4096), Transport::rc).remote_read->tags, 8);
}

TEST(OperationPlan, ObjectsThatCrossACacheLineTakeOneMore) {
  PostStep step = post(Verb::read, 32);
  step.region = region(64, 64);
  EXPECT_EQ(plan_of(step, Transport::rc).remote_read_at(4 * 64).cache_lines, 1);
  step.region->offset = 48_B;
  const OperationPlan across = plan_of(step, Transport::rc);
  EXPECT_EQ(across.remote_read_at(4 * 64 + 48).cache_lines, 2);
  step.region->stride = 512_B;
  const OperationPlan alike = plan_of(step, Transport::rc);
  EXPECT_EQ(alike.remote_read->completion, dma_read_cost(plain_machine.pcie, Time{0}, 32_B, 48).completion);
  EXPECT_TRUE(alike.remote_reads.empty());
}

TEST(OperationPlan, ObjectsThatLieAnyhowTakeWhatEachOfThemTakes) {
  for (const Verb verb : {Verb::read, Verb::write}) {
    PostStep step = post(verb, 32);
    step.region = region(64, 40);
    const OperationPlan plan = plan_of(step, verb == Verb::read ? Transport::rc : Transport::uc);
    for (std::int64_t object = 0; object < 64; ++object) {
      const std::int64_t address = object * 40;
      const int lines = address % 64 > 32 ? 2 : 1;
      EXPECT_EQ(verb == Verb::read ? plan.remote_read_at(address).cache_lines : plan.payload_at(address).cache_lines,
                lines)
          << address;
    }
  }
}

TEST(OperationPlan, ObjectsThatCrossAReadCompletionBoundaryTakeOneMoreCompletion) {
  ASSERT_EQ(plain_machine.pcie.read_completion_boundary, 128_B);
  const auto cost = [](std::int64_t size, std::int64_t offset) {
    PostStep step = post(Verb::read, size);
    step.region = region(64, 256);
    step.region->offset = Bytes{offset};
    return plan_of(step, Transport::rc).remote_read_at(3 * 256 + offset);
  };
  EXPECT_EQ(cost(64, 64), cost(64, 0));
  const Time header = occupancy(plain_machine.pcie, completion_tlps(plain_machine.pcie, 64_B, 96)) -
                      occupancy(plain_machine.pcie, completion_tlps(plain_machine.pcie, 64_B, 0));
  ASSERT_GT(header, 0ns);
  EXPECT_EQ(cost(64, 96).completion, cost(64, 0).completion + header);
  EXPECT_NEAR(to_nanoseconds(cost(128, 64).completion - cost(128, 0).completion), to_nanoseconds(header), 2e-3)
      << "both are two whole cache lines";
  EXPECT_EQ(cost(128, 64).cache_lines, 2);
}

TEST(OperationPlan, ThePathTakesTheMeanOverObjects) {
  // Of two READs of 64 B that lie 96 B apart, from 0 on, the second crosses a boundary of 128 B, and so on: of four
  // begins (0, 96, 64, 32) one does.
  PostStep step = post(Verb::read, 64);
  step.region = region(64, 96);
  const OperationPlan plan = plan_of(step, Transport::rc);
  Time all{0};
  for (std::int64_t object = 0; object < 64; ++object) all += plan.remote_read_at(object * 96).completion;
  EXPECT_NEAR(to_nanoseconds(plan.remote_read->completion), to_nanoseconds(all) / 64, 1e-3);
  const Time aligned = dma_read_cost(plain_machine.pcie, Time{0}, 64_B, 0).completion;
  const Time across = dma_read_cost(plain_machine.pcie, Time{0}, 64_B, 96).completion;
  EXPECT_NEAR(to_nanoseconds(plan.remote_read->completion), to_nanoseconds(aligned * 3 + across) / 4, 1e-3);
}

TEST(OperationPlan, PartsOfALongReadHaveTogetherWhatTheWholeHas) {
  PostStep step = post(Verb::read, 100'000);
  step.region = region(64, 100'001);
  const OperationPlan plan = plan_of(step, Transport::rc);
  for (std::int64_t address = 0; address < 64; ++address) {
    const DmaReadCost whole = dma_read_cost(plain_machine.pcie, Time{0}, 100'000_B, address);
    const DmaReadCost& last = plan.remote_read_at(address);
    const DmaReadCost& part = plan.part->remote_read_at(address);
    EXPECT_EQ(part.completion * (plan.parts - 1) + last.completion, whole.completion);
    EXPECT_EQ(part.cache_lines * (plan.parts - 1) + last.cache_lines, whole.cache_lines);
  }
}

TEST(OperationPlan, UnknownCombinationsAreRefused) {
  EXPECT_THROW(static_cast<void>(plan_of(post(Verb::read, 8), Transport::uc)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(plan_of(post(Verb::write, 8), Transport::ud)), std::invalid_argument);
  PostStep step = post(Verb::send, 8, 4);
  step.method = PostMethod::mmio;
  EXPECT_THROW(static_cast<void>(plan_of(step, Transport::ud)), std::invalid_argument);
}

TEST(OperationPlan, TheLastWqeOfAListMayStandForTheDoorbell) {
  HardwareProfile hardware = plain_machine;
  hardware.mmio.last_of_list = true;
  const auto list_of = [&hardware](std::int64_t payload) {
    const PostStep step = post(Verb::send, payload, 16);
    return make_plan(operation_of(step, queue_pairs(Transport::ud), 16, hardware, {hardware, sink()}), hardware,
                     hardware);
  };
  EXPECT_TRUE(list_of(60).by_doorbell);
  EXPECT_TRUE(list_of(60).last_by_mmio);
  EXPECT_EQ(list_of(60).mmio_writes.size(), 2U);
  EXPECT_FALSE(list_of(189).last_by_mmio);  // five lines
  EXPECT_EQ(list_of(189).mmio_writes.size(), 1U);
}

}  // namespace
}  // namespace doorbell::model
