// In steady state an event must not allocate: counted by replacing the global allocation functions.
#include "core/bounded_queue.hpp"
#include "core/fifo_server.hpp"
#include "core/process.hpp"
#include "core/random.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"
#include "core/token_pool.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <new>
#include <vector>

namespace {
thread_local std::uint64_t allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  // aligned_alloc wants a multiple of the alignment.
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
// What std::stable_sort asks for, and gives back to the one below.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

/// Allocations during `time` after a warm-up four times as long, in which buffers reach their sizes.
std::uint64_t allocations_in_steady_state(Calendar& calendar, Time time) {
  calendar.run_until(calendar.now() + 4 * time);
  const std::uint64_t before = allocations;
  const std::uint64_t executed = calendar.executed();
  calendar.run_until(calendar.now() + time);
  EXPECT_GT(calendar.executed() - executed, 10000U);
  return allocations - before;
}

TEST(Allocation, TheCounterCounts) {
  const std::uint64_t before = allocations;
  { const std::vector<int> memory(10); }
  EXPECT_EQ(allocations, before + 1);
}

struct Holder {
  Calendar& calendar;
  RandomStream random;
  EventId timer;
  void expire(std::uint64_t) {}
  void hop(std::uint64_t) {
    // Each hop also restarts a far timer: cancelled events must be recycled, too.
    calendar.cancel(timer);
    timer = calendar.after<&Holder::expire>(100_us, {}, *this);
    calendar.after<&Holder::hop>(random.exponential(100_ns), {}, *this);
  }
};

class AllocationPerSize : public testing::TestWithParam<std::size_t> {};

TEST_P(AllocationPerSize, NoneByCallbacks) {
  Calendar calendar;
  std::deque<Holder> holders;
  for (std::size_t i = 0; i < GetParam(); ++i) {
    Holder& holder = holders.emplace_back(Holder{calendar, RandomStream(i, "holder"), {}});
    holder.hop(0);
  }
  const Time time = 100_ns * static_cast<std::int64_t>(200'000 / GetParam() + 10);
  EXPECT_EQ(allocations_in_steady_state(calendar, time), 0U);
}

Process sleep(Calendar& calendar, RandomStream random) {
  for (;;) co_await delay(calendar, random.exponential(100_ns));
}

TEST_P(AllocationPerSize, NoneByProcesses) {
  Calendar calendar;
  for (std::size_t i = 0; i < GetParam(); ++i) start(calendar, sleep(calendar, RandomStream(i, "sleeper")));
  const Time time = 100_ns * static_cast<std::int64_t>(200'000 / GetParam() + 10);
  EXPECT_EQ(allocations_in_steady_state(calendar, time), 0U);
}

INSTANTIATE_TEST_SUITE_P(Pending, AllocationPerSize, testing::Values(1, 16, 40, 256, 4096));

struct Plant {
  Calendar calendar;
  QueuedFifoServer server{calendar};
  TokenPool tokens{calendar, 3};
  BoundedQueue<int> queue{calendar, 4};
  Signal signal{calendar};
};

Task<int> work(Plant& plant) {
  co_await plant.server.use(5_ns);
  co_return 7;
}
Process job(Plant& plant) {
  co_await plant.tokens.acquire();
  const int result = co_await work(plant);
  co_await plant.queue.push(result);
  plant.tokens.release();
  plant.signal.notify_all();
}
Process source(Plant& plant, RandomStream random) {
  for (;;) {
    co_await delay(plant.calendar, random.exponential(8_ns));
    start(plant.calendar, job(plant));
  }
}
Process sink(Plant& plant) {
  for (;;) {
    (void)co_await plant.queue.pop();
    co_await delay(plant.calendar, 5_ns);
  }
}
Process watcher(Plant& plant) {
  for (;;) co_await plant.signal.wait();
}

TEST(Allocation, NoneByProcessesThatComeAndGoThroughAllResources) {
  Plant plant;
  start(plant.calendar, sink(plant));
  start(plant.calendar, watcher(plant));
  start(plant.calendar, source(plant, RandomStream(1, "source")));
  // A long warm-up, since the longest queue of a random run comes late.
  plant.calendar.run_until(20000_us);
  EXPECT_EQ(allocations_in_steady_state(plant.calendar, 100_us), 0U);
}

}  // namespace
}  // namespace doorbell::core
