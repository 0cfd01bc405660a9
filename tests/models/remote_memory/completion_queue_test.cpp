#include "models/remote_memory/completion_queue.hpp"

#include <gtest/gtest.h>

#include "models/counter.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RunResult with(CompletionMode mode, int max_retry = 0, int depth = 1) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.block->depth = depth;
  remote.access.completion.mode = mode;
  remote.access.completion.max_retry = max_retry;
  return run_of(remote);
}

TEST(CompletionQueue, AnEventCostsAnInterrupt) {
  EXPECT_NEAR(per_operation(with(CompletionMode::event), "host/interrupts"), 1, 0.02);
  EXPECT_NEAR(per_operation(with(CompletionMode::event, 0, 32), "host/interrupts"), 1, 0.02);
}

TEST(CompletionQueue, ABatchSharesOne) {
  const double batched = per_operation(with(CompletionMode::event_batch, 0, 32), "host/interrupts");
  EXPECT_LT(batched, 0.5);
  EXPECT_GE(batched, 1.0 / 32 - 0.01);
}

TEST(CompletionQueue, PollingNeedsNone) {
  const RunResult busy = with(CompletionMode::busy);
  EXPECT_EQ(per_operation(busy, "host/interrupts"), 0);
  EXPECT_NEAR(level(busy, "host/running threads"), 1, 0.01);
}

TEST(CompletionQueue, AnInterruptDelaysACompletion) {
  // 1 us until the handler runs, and 1 us of its own.
  const Time polled = with(CompletionMode::busy).latency.p50;
  const Time event = with(CompletionMode::event).latency.p50;
  EXPECT_NEAR(to_nanoseconds(event - polled), 2000, 60);
}

TEST(CompletionQueue, AHandlerHasNoTimeFromTheInterruptOn) {
  const RunResult result = with(CompletionMode::event, 0, 32);
  EXPECT_EQ(result.bottleneck.resource, "host/busiest completion handler");
  EXPECT_NEAR(result.bottleneck.busy, 1, 0.01);
  // 1 us until it runs and 1 us for the interrupt, 50 ns for the poll, and the next request.
  EXPECT_NEAR(1e9 / result.throughput.per_second, 2550 + to_nanoseconds(connect_ib().cpu.poll_cqe), 200);
}

TEST(CompletionQueue, AdaptivePollingLiesBetween) {
  const RunResult event = with(CompletionMode::event);
  const RunResult none = with(CompletionMode::adaptive, 0);
  const RunResult patient = with(CompletionMode::adaptive, 10'000);
  EXPECT_NEAR(none.throughput.per_second, event.throughput.per_second, event.throughput.per_second * 0.02);
  const double busy = with(CompletionMode::busy).throughput.per_second;
  EXPECT_NEAR(patient.throughput.per_second, busy, busy * 0.02);
  EXPECT_LT(level(none, "host/running threads"), level(patient, "host/running threads"));
  EXPECT_EQ(per_operation(patient, "host/interrupts"), 0);
}

TEST(CompletionQueue, PatienceVariesAsItsPollsDo) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.access.completion.mode = CompletionMode::adaptive;
  // Numbers of polls with which some rounds end too early and some do not.
  const auto in_between = [&](double variation) {
    remote.hardware.cpu.variation = variation;
    int found = 0;
    for (int retries = 20; retries <= 120; retries += 4) {
      remote.access.completion.max_retry = retries;
      const double interrupts = per_operation(run_of(remote), "host/interrupts");
      if (interrupts > 0.02 && interrupts < 0.98) ++found;
    }
    return found;
  };
  EXPECT_EQ(in_between(0), 0);
  EXPECT_GE(in_between(0.5), 2);
}

TEST(CompletionQueue, PollingForATimeIsLikePollingForSoManyTimes) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.access.completion.mode = CompletionMode::timer;
  remote.access.completion.timer = 1ms;
  const RunResult timed = run_of(remote);
  EXPECT_LT(per_operation(timed, "host/interrupts"), 0.02);
  remote.access.completion.timer = 0ns;
  EXPECT_NEAR(per_operation(run_of(remote), "host/interrupts"), 1, 0.02);
}

TEST(CompletionQueue, PollingForATimeEndsWithIt) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  const Time cycle = run_of(remote).latency.p50;  // by polling
  remote.access.completion.mode = CompletionMode::timer;
  remote.access.completion.timer = cycle * 3 / 5;
  EXPECT_NEAR(per_operation(run_of(remote), "host/interrupts"), 1, 0.02);
  remote.access.completion.timer = cycle * 6 / 5;
  EXPECT_NEAR(per_operation(run_of(remote), "host/interrupts"), 0.5, 0.01) << "one more comes in time";
}

TEST(CompletionQueue, PollingForATimeEndsEvenWhereThereAlwaysIsMore) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.block->depth = 32;
  remote.access.completion.mode = CompletionMode::timer;
  remote.access.completion.budget = 1;
  remote.access.completion.timer = 2us;
  const RunResult result = run_of(remote);
  EXPECT_GT(per_operation(result, "host/interrupts"), 0.05);
}

TEST(CompletionQueue, PollersPassTheLockOfTheirQueueOn) {
  const auto latency = [](int pollers, Time transfer) {
    RemoteMemoryScenario remote = one_at_a_time(4_KiB);
    remote.access.completion.threads_per_queue = pollers;
    remote.software.lock.transfer = transfer;
    return to_nanoseconds(run_of(remote).latency.p50);
  };
  EXPECT_EQ(latency(1, 500ns), latency(1, 50ns)) << "one has it for itself";
  EXPECT_NEAR(latency(3, 150ns) - latency(3, 50ns), 2 * 100, 60);
}

TEST(CompletionQueue, NobodyPassesALockOnWhereNobodyPollsForEver) {
  for (const CompletionMode mode : {CompletionMode::adaptive, CompletionMode::timer, CompletionMode::event}) {
    RemoteMemoryScenario remote = one_at_a_time(4_KiB);
    remote.access.completion.mode = mode;
    const Time alone = run_of(remote).latency.p50;
    remote.access.completion.threads_per_queue = 8;
    EXPECT_EQ(run_of(remote).latency.p50, alone) << static_cast<int>(mode);
  }
}

TEST(CompletionQueue, EveryQueueHasPollersOfItsOwn) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.access.peers = 4;
  EXPECT_NEAR(level(run_of(remote), "host/running threads"), 4, 0.05);
  remote.access.completion.shared_queues = 1;
  EXPECT_NEAR(level(run_of(remote), "host/running threads"), 1, 0.05);
  remote.access.completion.threads_per_queue = 3;
  EXPECT_NEAR(level(run_of(remote), "host/running threads"), 3, 0.05);
}

/// Pollers on one hardware thread, of two queues or of one.
RunResult on_one_cpu(int queues, int pollers_of_each, bool slices) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  remote.hardware.cpu.cores = 1;
  remote.hardware.cpu.threads_per_core = 1;
  remote.access.peers = 2;
  remote.access.stripe = 4_KiB;  // to one and the other in turn
  remote.access.completion.shared_queues = queues;
  remote.access.completion.threads_per_queue = pollers_of_each;
  remote.software.lock.transfer = 0ns;
  if (slices) {
    remote.software.scheduler = {.latency = 6ms, .granularity = 750us, .wakeup_granularity = 1ms, .tick = 1ms};
  }
  remote.duration = 300ms;
  return run_of(remote);
}

TEST(CompletionQueue, APollerSeesNothingUntilItsTurn) {
  const RunResult turns = on_one_cpu(2, 1, true);
  EXPECT_NEAR(static_cast<double>(counter(turns, "host/context switches").count), 300.0 / 3, 2);
  // A request goes to the peer whose poller is away, and waits for the next turn.
  EXPECT_NEAR(turns.throughput.per_second, 1 / 3e-3, 7);
  EXPECT_NEAR(to_nanoseconds(turns.latency.p50) / 1e6, 3, 0.1);
  EXPECT_GT(on_one_cpu(2, 1, false).throughput.per_second, 100'000);
}

TEST(CompletionQueue, OfThePollersOfAQueueTheOneWhoseTurnItIsSees) {
  const RunResult turns = on_one_cpu(1, 2, true);
  EXPECT_GT(counter(turns, "host/context switches").count, 50U);
  EXPECT_GT(turns.throughput.per_second, on_one_cpu(1, 2, false).throughput.per_second);
  EXPECT_LT(turns.latency.p99, 100us);
}

TEST(CompletionQueue, InUserSpaceAnEventAlsoWakesAThread) {
  const auto took = [](CompletionMode mode) {
    RemoteMemoryScenario remote = one_at_a_time(4_KiB);
    remote.access.space = AddressSpace::user;
    remote.access.completion.mode = mode;
    return run_of(remote).latency.p50;
  };
  // 0.5 us to wake it and 1 us to switch to it, beside the interrupt.
  EXPECT_NEAR(to_nanoseconds(took(CompletionMode::event) - took(CompletionMode::busy)), 2000 + 1500, 60);
}

TEST(CompletionQueue, APollerSeesWhatHasComeAfterHalfARound) {
  RemoteMemoryScenario remote = one_at_a_time(4_KiB);
  const Time before = run_of(remote).latency.p50;
  remote.software.driver.poll += 200ns;
  EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.p50 - before), 100 + 200, 20) << "and the poll that finds it";
}

}  // namespace
}  // namespace doorbell::model
