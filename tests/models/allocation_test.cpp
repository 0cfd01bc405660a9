// In steady state an operation must not allocate: counted by replacing the global allocation functions.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "models/fixture.hpp"

namespace {
thread_local std::uint64_t allocations = 0;
thread_local std::uint64_t releases = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  // aligned_alloc wants a multiple of the alignment.
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

void counted_release(void* memory) {
  if (memory != nullptr) ++releases;
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { counted_release(memory); }
void operator delete(void* memory, std::size_t) noexcept { counted_release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { counted_release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { counted_release(memory); }

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

struct Count {
  std::uint64_t allocations = 0;
  std::uint64_t releases = 0;
  std::uint64_t operations = 0;
};

/// What is allocated and freed in `time`, after a warm-up in which buffers and pools reach their sizes.
Count count_in_steady_state(const Scenario& scenario, Time warmup, Time time) {
  Simulation simulation{scenario};
  simulation.calendar().run_until(warmup);
  const std::uint64_t operations = statistics(simulation, "client").operations;
  const std::uint64_t allocations_before = allocations;
  const std::uint64_t releases_before = releases;
  simulation.calendar().run_until(warmup + time);
  return {allocations - allocations_before, releases - releases_before,
          statistics(simulation, "client").operations - operations};
}

void expect_no_allocation(const Scenario& scenario, Time warmup = 2ms, Time time = 1ms) {
  const Count count = count_in_steady_state(scenario, warmup, time);
  EXPECT_GT(count.operations, 2000U);
  EXPECT_EQ(count.allocations, 0U) << "in " << count.operations << " operations";
  EXPECT_EQ(count.releases, 0U) << "in " << count.operations << " operations";
}

TEST(ModelAllocation, TheCounterCounts) {
  const std::uint64_t allocations_before = allocations;
  const std::uint64_t releases_before = releases;
  { const std::vector<int> memory(10); }
  EXPECT_EQ(allocations, allocations_before + 1);
  EXPECT_EQ(releases, releases_before + 1);
}

/// The networked sequencer of the paper's section 4: header-only SENDs both ways.
Scenario sequencer() {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  QueuePairs responses = queue_pairs(Transport::ud, 3);
  responses.depth = 2048;
  PostStep request = post_window(Verb::send, 0, 16, 16);
  request.destination = Destination::fixed;
  return scenario_of(
      hardware, program(queue_pairs(Transport::ud), {request, await(1)}, 14),
      program(responses, {collect(Channel::completion_queue, 32), increment(false), replenish(), answer(0, 32)}, 10),
      5);
}

TEST(ModelAllocation, NoneByTheSequencer) { expect_no_allocation(sequencer(), 3ms, 500us); }

TEST(ModelAllocation, NoneByRequestsInMemoryAndAnswersInBatches) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  QueuePairs responses = queue_pairs(Transport::ud);
  responses.ports = PortUse::all;
  CollectStep sweep = collect(Channel::memory, 32);
  sweep.per_item = 5ns;
  expect_no_allocation(scenario_of(hardware,
                                   program(queue_pairs(Transport::uc), {post_window(Verb::write, 8, 16), await(0)}, 8),
                                   program(responses, {sweep, answer(8, 32)}, 3), 2));
}

TEST(ModelAllocation, NoneByStreamsOfSends) {
  for (const int batch : {1, 16}) {
    expect_no_allocation(scenario_of(
        connect_ib(), program(queue_pairs(Transport::ud, 2), {post(Verb::send, 60, batch)}, 8), sink(2), 2));
  }
}

TEST(ModelAllocation, NoneByStreamsOfReads) {
  PostStep step = post(Verb::read, 64, 16);
  step.region = region(16, 256);
  expect_no_allocation(scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step}, 4), sink(), 2));
}

TEST(ModelAllocation, NoneByAtomics) {
  // The engines that wait for one lock are at most all of them: few, so that every lock has had its longest queue.
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 4;
  PostStep step = post_atomic(64, 8, 16);
  step.region->pattern = AddressPattern::random;
  expect_no_allocation(scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step}, 4), sink(), 2));
}

TEST(ModelAllocation, NoneByReliableWritesToACollectingServer) {
  CollectStep sweep = collect(Channel::memory, 32);
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::write, 8, 16), await(1)}, 4),
                  program(queue_pairs(Transport::ud, 2), {sweep, answer(8, 32)}, 2));
  expect_no_allocation(scenario);
}

TEST(ModelAllocation, NoneWhilePortsAreBlocked) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.rx_message = 100ns;
  hardware.port.receive_buffer = Bytes{4096};
  expect_no_allocation(
      scenario_of(hardware, program(queue_pairs(Transport::ud, 2), {post(Verb::send, 60, 16)}, 8), sink(2), 3));
}

}  // namespace
}  // namespace doorbell::model
