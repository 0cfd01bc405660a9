// Atomics that wait for locks keep windows and queue pairs full: more in flight would only wait.
#include "models/programs/atomic_waits.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Four threads with so many atomics in flight each, over one queue pair each, on objects at this distance.
RunResult adding(int window, std::int64_t stride, int queue_pairs_of_each = 1) {
  PostStep step = post_atomic(1024, stride, 1);
  step.window = window;
  step.signal_every = 1;
  step.region->pattern = AddressPattern::random;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc, queue_pairs_of_each), {step, await(1)}, 4), sink());
  scenario.measure.warmup = 200us;
  scenario.measure.duration = 2ms;
  return run(scenario);
}

TEST(AtomicWaits, FewLocksLimitThoughWindowsAreFull) {
  // At 1 KiB apart their low 12 bits leave four locks.
  const RunResult result = adding(8, 1024);
  EXPECT_EQ(result.bottleneck.resource, "server/atomic engines") << result.bottleneck.sentence;
  EXPECT_NE(result.bottleneck.sentence.find("client/window of client"), std::string::npos)
      << result.bottleneck.sentence;
  const double rate = result.throughput.per_second;
  EXPECT_LT(adding(16, 1024).throughput.per_second, 1.1 * rate);
  EXPECT_GT(adding(8, 8).throughput.per_second, 1.3 * rate) << "512 locks";
}

TEST(AtomicWaits, FewLocksLimitThoughQueuePairsAreFull) {
  const RunResult result = adding(32, 1024);
  EXPECT_EQ(result.bottleneck.resource, "server/atomic engines") << result.bottleneck.sentence;
  // Twice as many queue pairs use more engines, which is worth a tenth.
  EXPECT_LT(adding(32, 1024, 2).throughput.per_second, 1.2 * result.throughput.per_second);
}

TEST(AtomicWaits, WithManyLocksTheWindowLimits) {
  const RunResult result = adding(2, 8);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
  EXPECT_GT(adding(4, 8).throughput.per_second, 1.6 * result.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
