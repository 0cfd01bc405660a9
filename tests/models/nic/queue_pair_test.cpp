#include "models/nic/queue_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

template <std::size_t count> std::array<Message, count> messages_of(const OperationPlan& plan) {
  std::array<Message, count> messages;
  for (Message& message : messages) message.plan = &plan;
  return messages;
}

TEST(QueuePair, WqesLeaveInTheOrderInWhichTheyWerePosted) {
  const OperationPlan plan;
  auto messages = messages_of<5>(plan);
  QueuePair pair;
  for (int round = 0; round < 2; ++round) {
    for (Message& message : messages) pair.append(&message);
    for (Message& message : messages) EXPECT_EQ(pair.take(), &message);
    EXPECT_EQ(pair.first, nullptr);
  }
}

TEST(QueuePair, AppendingWhileTakingKeepsTheOrder) {
  const OperationPlan plan;
  auto messages = messages_of<4>(plan);
  QueuePair pair;
  pair.append(&messages[0]);
  pair.append(&messages[1]);
  EXPECT_EQ(pair.take(), &messages[0]);
  pair.append(&messages[2]);
  EXPECT_EQ(pair.take(), &messages[1]);
  EXPECT_EQ(pair.take(), &messages[2]);
  pair.append(&messages[3]);
  EXPECT_EQ(pair.take(), &messages[3]);
}

TEST(QueuePair, EachWqeHasANumberAndThePlaceThatItNeeds) {
  OperationPlan small;
  small.wqe_place = 64_B;
  OperationPlan large;
  large.wqe_place = 192_B;
  auto messages = messages_of<3>(small);
  messages[1].plan = &large;
  QueuePair pair;
  for (Message& message : messages) pair.append(&message);
  EXPECT_EQ(pair.posted, 3U);
  EXPECT_EQ(messages[2].wqe, 2U);
  EXPECT_EQ(messages[1].wqe_begin, 64_B);
  EXPECT_EQ(messages[2].wqe_begin, 256_B);
  EXPECT_EQ(pair.posted_to, 320_B);
}

TEST(QueuePair, ACompletionThatWasOvertakenTakesNothingBack) {
  QueuePair pair;
  pair.completions.push({5, 10ns});
  pair.completions.push({4, 20ns});
  pair.poll_completion();
  EXPECT_EQ(pair.reclaimed, 6U);
  pair.poll_completion();
  EXPECT_EQ(pair.reclaimed, 6U);
}

// ---- depth and selective signaling ---------------------------------------------------------------------------------

struct Outstanding {
  std::uint64_t most = 0;
  std::uint64_t completed = 0;
};

/// The most WQEs posted and not acknowledged that were ever seen, with an ACK that takes very long.
Outstanding watch_outstanding(int depth, int signal_every, int batch = 1) {
  PostStep step = post(Verb::write, 8, batch);
  step.signal_every = signal_every;
  step.method = batch == 1 ? PostMethod::mmio : PostMethod::doorbell;
  QueuePairs pairs = queue_pairs(Transport::rc);
  pairs.depth = depth;
  Scenario scenario = scenario_of(attentive_machine(), program(pairs, {step}), sink());
  scenario.fabric.switch_latency = 50us;
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  Outstanding seen;
  for (Time now{0}; now < 5ms; now += 1us) {
    simulation.calendar().run_until(now);
    const std::uint64_t posted = client.calls * static_cast<std::uint64_t>(batch);
    seen.most = std::max(seen.most, posted - client.work_requests);
  }
  seen.completed = client.work_requests;
  return seen;
}

TEST(QueuePair, NeverHoldsMoreThanItsDepth) {
  for (const int depth : {1, 2, 7, 16, 64}) {
    EXPECT_EQ(watch_outstanding(depth, 1).most, static_cast<std::uint64_t>(depth));
  }
  EXPECT_EQ(watch_outstanding(32, 1, 8).most, 32U);
}

TEST(QueuePair, ItsDepthOverTheRoundTripIsItsRate) {
  for (const int depth : {1, 4, 16}) {
    const Outstanding seen = watch_outstanding(depth, 1);
    // Two crossings of 50 us each, and about 1.5 us in the machines.
    const double expected = 5e-3 / 101.5e-6 * depth;
    EXPECT_NEAR(static_cast<double>(seen.completed), expected, 2 * depth + 0.01 * expected) << depth;
  }
}

TEST(QueuePair, SelectiveSignalingKeepsLessThanTwoRoundsOutstanding) {
  for (const int every : {2, 4, 16}) {
    const std::uint64_t most = watch_outstanding(1024, every).most;
    EXPECT_LT(most, static_cast<std::uint64_t>(2 * every)) << every;
    EXPECT_GE(most, static_cast<std::uint64_t>(every)) << every;
  }
}

TEST(QueuePair, AFullWindowPollsByRoundsToo) {
  // READs whose end the program sees in memory; before the last of a round it polls the CQE of the round's first.
  const auto rate = [](int window, int signal_every) {
    PostStep step = post_window(Verb::read, 8, window);
    step.signal_every = signal_every;
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
    scenario.measure.duration = 1ms;
    return run(scenario);
  };
  const double round_trip = to_seconds(rate(1, 64).latency.mean);
  // Rounds of 4 keep between 3 and 6 under way, however large the window.
  EXPECT_LE(rate(32, 4).throughput.per_second, 6.1 / round_trip);
  EXPECT_GE(rate(32, 4).throughput.per_second, 2 / round_trip);
  EXPECT_LT(rate(32, 4).throughput.per_second, rate(32, 64).throughput.per_second * 0.8);
  // A window that is smaller than a round does not notice it.
  EXPECT_NEAR(rate(4, 64).throughput.per_second, rate(4, 32).throughput.per_second,
              rate(4, 64).throughput.per_second * 0.01);
}

TEST(QueuePair, SelectiveSignalingNeverExceedsTheDepth) {
  for (const int depth : {4, 5, 7, 8}) {
    const Outstanding seen = watch_outstanding(depth, 4);
    EXPECT_LE(seen.most, static_cast<std::uint64_t>(depth)) << depth;
    EXPECT_GT(seen.completed, 100U) << depth;
  }
}

TEST(QueuePair, CallsAsLongAsASignalingRoundGoOn) {
  for (const int batch : {8, 16, 17, 40}) EXPECT_GT(watch_outstanding(64, 16, batch).completed, 500U) << batch;
}

TEST(QueuePair, OneCqePerSignaledWqe) {
  for (const int every : {1, 2, 8, 32}) {
    PostStep step = post(Verb::send, 0, 1);
    step.signal_every = every;
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step}), sink());
    scenario.measure.duration = 1ms;
    const RunResult result = run(scenario);
    // By MMIO and without payload to return, CQEs are all that the client's NIC writes.
    const double expected = result.throughput.per_second / every;
    EXPECT_NEAR(counter(result, "client/PCIeItoM").rate.per_second, expected, 1e4 + expected * 0.01) << every;
  }
}

TEST(QueuePair, LongerRoundsAreNeverSlower) {
  // With a round trip to memory for each CQE, short rounds wait for it.
  HardwareProfile hardware = connect_ib();
  hardware.nic.pu_wqe = 1ns;
  double last = 0;
  for (const int every : {2, 4, 16, 64}) {
    PostStep step = post(Verb::send, 0);
    step.signal_every = every;
    const double rate =
        run(scenario_of(hardware, program(queue_pairs(Transport::ud), {step}), sink())).throughput.per_second;
    EXPECT_GE(rate, last * 0.99) << every;
    last = rate;
  }
}

TEST(QueuePair, MoreQueuePairsAreNeverSlower) {
  HardwareProfile hardware = connect_ib();
  // Otherwise two cores lose more by waiting for the completions of many units than the NIC gains.
  hardware.root_complex.completion_queue = 0_B;
  double last = 0;
  for (const int count : {1, 2, 3, 4, 8}) {
    PostStep step = post(Verb::send, 8, 8);
    const double rate = run(scenario_of(hardware, program(queue_pairs(Transport::ud, count), {step}, 2), sink(2)))
                            .throughput.per_second;
    EXPECT_GE(rate, last * 0.99) << count;
    last = rate;
  }
}

}  // namespace
}  // namespace doorbell::model
