// Once a simulation has seen its largest queues, it allocates nothing more, whatever it simulates.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "models/dma/dma_simulation.hpp"
#include "models/programs/simulation.hpp"
#include "scenario/load.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace doorbell::model {
namespace {

void expect_no_allocation_per_operation(const std::string& name, const std::vector<std::string>& sets) {
  const auto points =
      scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/" + name + ".json", {.sets = sets, .seed = {}});
  Simulation simulation{points.front().scenario};
  simulation.calendar().run_until(std::chrono::milliseconds{10});
  simulation.measure(Time::max());
  const std::uint64_t before = allocations;
  simulation.calendar().run_until(std::chrono::milliseconds{13});
  const std::uint64_t allocated = allocations - before;
  const std::uint64_t operations = simulation.program(points.front().scenario.measure.program).statistics.operations;
  EXPECT_GT(operations, 1000U) << name;
  // Now and then a random queue grows longer than ever before; nothing is allocated per operation.
  EXPECT_LE(allocated * 1000, operations) << name;
}

TEST(SteadyState, SequencerOfHeaderOnlySendsAllocatesNothingPerOperation) {
  expect_no_allocation_per_operation("kalia16/fig07_spec_s0", {"programs.worker.threads=10"});
}

TEST(SteadyState, SequencerOfBatchedRpcsAllocatesNothingPerOperation) {
  expect_no_allocation_per_operation("kalia16/fig07_batching_3qp", {"programs.worker.threads=6"});
}

TEST(SteadyState, AtomicsAllocateNothingPerOperation) {
  expect_no_allocation_per_operation("kalia16/table4_atomic_z4096", {"seed=2"});
}

TEST(SteadyState, CompletionsOfWindowsArePolledAndForgotten) {
  const auto points = scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/rcswarm_cib_read.json",
                                     {.sets = {"machines.node.count=2", "programs.worker.threads=1"}, .seed = {}});
  Simulation simulation{points.front().scenario};
  simulation.calendar().run_until(std::chrono::milliseconds{2});
  simulation.measure(Time::max());
  const std::uint64_t before = allocations;
  // Twice as many as until now, and twice as many again: the completion queues of ten queue pairs, if they were only
  // filled, would grow twenty times. Now and then another queue grows longer than ever before.
  simulation.calendar().run_until(std::chrono::milliseconds{8});
  EXPECT_LT(allocations - before, 10U);
  EXPECT_GT(simulation.program("worker").statistics.operations, 10'000U);
}

TEST(SteadyState, ATargetWithDrivesAllocatesNothingPerRequest) {
  expect_no_allocation_per_operation("today/nvme_target", {"sweep=[]", "programs.client.loop.0.post.mix.0.share=0.3"});
}

TEST(SteadyState, RelayedRequestsAllocateNothing) {
  expect_no_allocation_per_operation("today/replicated_log",
                                     {"sweep=[]", "programs.leader.loop.2.post.relay.at_least=1"});
}

TEST(SteadyState, WhatArrivesAllocatesNothing) {
  expect_no_allocation_per_operation("today/replicated_log_open", {"sweep=[]"});
}

TEST(SteadyState, ADeviceBesideCoresAllocatesNothingPerRequest) {
  auto points = scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hostnet/disks.json",
                               {.sets = {"dma.cores.work=change", "dma.cores.count=6", "sweep=[]"}, .seed = {}});
  const auto allocated_in = [&](Time duration) {
    DmaScenario scenario = std::get<model::DmaScenario>(points.front().scenario.instead);
    scenario.duration = duration;
    const std::uint64_t before = allocations;
    EXPECT_GT(DmaSimulation(scenario, 1).run().operations, 5'000U);
    return allocations - before;
  };
  const std::uint64_t once = allocated_in(std::chrono::microseconds{300});
  EXPECT_LE(allocated_in(std::chrono::microseconds{600}), once + 4);
}

}  // namespace
}  // namespace doorbell::model
