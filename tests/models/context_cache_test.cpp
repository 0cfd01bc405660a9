#include "models/context_cache.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/fixture.hpp"
#include "models/queue_pair.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(ContextCache, KeepsWhatFits) {
  ContextCache cache{4, 1, 100ns, 1, "nic"};
  std::vector<QueuePair> pairs(4);
  for (const QueuePair& pair : pairs) static_cast<void>(cache.ready(pair, 0ns));
  EXPECT_EQ(cache.misses(), 4U);
  for (const QueuePair& pair : pairs) EXPECT_EQ(cache.ready(pair, 1us), 1us);
  EXPECT_EQ(cache.misses(), 4U);
}

TEST(ContextCache, FetchesSoManyAtATime) {
  std::vector<QueuePair> pairs(4);
  ContextCache one{8, 1, 100ns, 1, "nic"};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(one.ready(pairs[static_cast<std::size_t>(i)], 0ns), 100ns * (i + 1));
  ContextCache two{8, 2, 100ns, 1, "nic"};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(two.ready(pairs[static_cast<std::size_t>(i)], 0ns), 100ns * (i / 2 + 1));
}

TEST(ContextCache, LaterWorkWaitsForTheSameFetch) {
  ContextCache cache{2, 1, 100ns, 1, "nic"};
  const QueuePair pair;
  EXPECT_EQ(cache.ready(pair, 0ns), 100ns);
  EXPECT_EQ(cache.ready(pair, 40ns), 100ns);
  EXPECT_EQ(cache.misses(), 1U);
}

TEST(ContextCache, HitsInProportionToItsShareOfEvenlyUsedContexts) {
  ContextCache cache{64, 16, 1ns, 1, "nic"};
  std::vector<QueuePair> pairs(256);
  core::RandomStream random{1, "choice"};
  constexpr int uses = 40000;
  for (int i = 0; i < uses; ++i) static_cast<void>(cache.ready(pairs[random.below(pairs.size())], 10ns * i));
  EXPECT_NEAR(static_cast<double>(cache.misses()) / uses, 0.75, 0.01);
}

/// Four machines of four threads READ from each other over `count` queue pairs per thread.
RunResult all_to_all(int count, int contexts, int fetches) {
  PostStep step = post_window(Verb::read, 32, 16);
  step.to = "client";
  step.destination = Destination::others;
  step.signal_every = 1;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc, count), {step, await(1)}, 4), sink(), 4);
  HardwareProfile& hardware = hardware_of(scenario, "client");
  hardware.nic.qp_contexts = contexts;
  hardware.nic.context_fetches = fetches;
  return run(scenario);
}

TEST(ContextCache, CostsNothingWhereAllContextsFit) {
  const RunResult fits = all_to_all(8, 64, 1);  // 32 of its own and 32 that others are connected to
  const RunResult huge = all_to_all(8, 1 << 20, 1);
  EXPECT_EQ(fits.throughput.per_second, huge.throughput.per_second);
  for (const CounterReading& counter : fits.counters) EXPECT_EQ(counter.name.find("contexts"), std::string::npos);
}

TEST(ContextCache, AFetchAtATimeLimitsTheNicToOneRoundTripPerMiss) {
  const RunResult result = all_to_all(64, 16, 1);
  // At least three of the four uses of a READ miss: the requester's twice and the responder's once.
  const double round_trip = 446e-9;
  const double reads_per_machine = result.throughput.per_second / 4;
  EXPECT_LT(reads_per_machine, 1 / (2.5 * round_trip));
  EXPECT_GT(reads_per_machine, 1 / (3.5 * round_trip));
  EXPECT_GT(all_to_all(64, 16, 32).throughput.per_second, 5 * result.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
