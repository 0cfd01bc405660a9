// Operations of several parts: which part comes next, where it goes, and what the whole takes.
#include "models/programs/follow_ups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/fixture.hpp"
#include "models/programs/thread.hpp"
#include "models/run.hpp"
#include "models/run_through.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

FollowUp following(Verb verb, double share = 1) {
  return {.share = share, .verb = verb, .payload = is_atomic(verb) ? 8_B : 32_B};
}

/// READs of 32 B with these parts behind them.
PostStep chained(int window, std::vector<FollowUp> then) {
  PostStep step = post_window(Verb::read, 32, window);
  step.signal_every = 1;
  step.then = std::move(then);
  return step;
}

Scenario asking(const PostStep& step, int machines = 1) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step, await(1)}), sink());
  scenario.machines.front().second.count = machines;
  scenario.measure.duration = 4ms;
  return scenario;
}

TEST(FollowUps, EachKindHasAListOfItsOwn) {
  PostStep step = chained(1, {});
  step.mix = {{.share = 0.2, .verb = Verb::fetch_add, .payload = 8_B, .region = {}, .then = {following(Verb::write)}},
              {.share = 0.2, .verb = Verb::read, .payload = 8_B, .region = {}},
              {.share = 0.2,
               .verb = Verb::read,
               .payload = 8_B,
               .region = {},
               .then = {following(Verb::read), following(Verb::fetch_add)}}};
  core::RandomStream random{1, "test"};
  const FollowUpList list{step};
  EXPECT_EQ(list.first(0, random), std::nullopt);
  EXPECT_EQ(list.first(1, random), 0U);
  EXPECT_EQ(list.next(0, random), std::nullopt);
  EXPECT_EQ(list.first(2, random), std::nullopt);
  EXPECT_EQ(list.first(3, random), 1U);
  EXPECT_EQ(list.next(1, random), 2U);
  EXPECT_EQ(list.next(2, random), std::nullopt);
  EXPECT_DOUBLE_EQ(mean_parts(step), 1 + 0.2 + 0.2 * 2);
}

TEST(FollowUps, WhatIsNotNeededIsLeftOut) {
  core::RandomStream random{1, "test"};
  const PostStep step = chained(1, {following(Verb::read, 0), following(Verb::read, 0.25), following(Verb::read)});
  const FollowUpList list{step};
  int with_second = 0;
  constexpr int draws = 10'000;
  for (int i = 0; i < draws; ++i) {
    const auto first = list.first(0, random);
    ASSERT_TRUE(first == 1U || first == 2U);
    if (first == 1U) ++with_second;
  }
  EXPECT_NEAR(with_second, draws / 4, 4 * 43);  // four standard deviations
}

TEST(FollowUps, OneCallGoesOnWithThoseThatGoTheSameWay) {
  QueuePair here;
  QueuePair there;
  FollowUps all;
  const auto begin = [&](QueuePair& pair) { return all.keep({0, 0, &pair, nullptr, Time{0}}); };
  const std::vector<std::uint32_t> numbers{begin(here), begin(here), begin(there), begin(here)};
  for (const std::uint32_t number : numbers) all.ready(number);
  EXPECT_EQ(all.all_waiting(), 4U);
  std::vector<std::uint32_t> taken;
  std::vector<std::vector<std::uint32_t>> calls;
  while (all.can_go_on(0)) {
    all.take(0, 16, taken);
    calls.push_back(taken);
  }
  const std::vector<std::vector<std::uint32_t>> expected{{numbers[0], numbers[1]}, {numbers[2]}, {numbers[3]}};
  EXPECT_EQ(calls, expected);
  EXPECT_EQ(all.all_waiting(), 0U);
  all.forget(numbers[1]);
  EXPECT_EQ(begin(there), numbers[1]);
}

TEST(FollowUps, OneOperationTakesTheTimeOfItsPartsAndCountsOnce) {
  const RunResult one = run(asking(chained(1, {})));
  const RunResult two = run(asking(chained(1, {following(Verb::read)})));
  const RunResult three = run(asking(chained(1, {following(Verb::read), following(Verb::read)})));
  const double alone = to_seconds(one.latency.mean);
  EXPECT_NEAR(to_seconds(two.latency.mean), 2 * alone, 0.02 * alone);
  EXPECT_NEAR(to_seconds(three.latency.mean), 3 * alone, 0.03 * alone);
  EXPECT_NEAR(three.throughput.per_second * to_seconds(three.latency.mean), 1, 0.01);
}

TEST(FollowUps, EveryPartIsPostedOnceForEachOperation) {
  for (const int window : {1, 7, 32}) {
    const Scenario scenario = asking(chained(window, {following(Verb::fetch_add, 0.5), following(Verb::read)}), 3);
    Simulation simulation{scenario};
    run_through(simulation);
    const ProgramStatistics& client = statistics(simulation, "client");
    ASSERT_GT(client.operations, 500U);
    const auto operations = static_cast<double>(client.operations);
    // What is under way at the ends of the measured time may belong to either; half of the atomics are left out.
    const double drawn = 4 * 0.5 * std::sqrt(operations);
    EXPECT_NEAR(static_cast<double>(client.work_requests), 2.5 * operations, 3 * window + drawn);
  }
}

/// An operation of three parts on a machine, per second, and how many of them are under way.
class WaysToAwait : public ::testing::TestWithParam<std::pair<AwaitStep, int>> {};

TEST_P(WaysToAwait, PartsTakeNoFurtherPlaceInTheWindow) {
  const auto& [wait, batch] = GetParam();
  PostStep step = chained(8, {following(Verb::read), following(Verb::fetch_add)});
  step.batch = batch;
  Scenario scenario = asking(step);
  named(scenario.programs, "client").loop.back() = wait;
  Simulation simulation{scenario};
  run_through(simulation);
  const ProgramStatistics& client = statistics(simulation, "client");
  const auto operations = static_cast<double>(client.operations);
  EXPECT_NEAR(static_cast<double>(client.work_requests), 3 * operations, 3 * 8);
  const double in_flight = to_seconds(client.latency.mean()) * operations / to_seconds(scenario.measure.duration);
  EXPECT_LE(in_flight, 8.1);
  EXPECT_GE(in_flight, 4) << "a whole window ends together, and is posted again together";
}

AwaitStep in_posting_order(int at_least) {
  AwaitStep step = await(at_least);
  step.order = AwaitOrder::posting;
  return step;
}

INSTANTIATE_TEST_SUITE_P(FollowUps, WaysToAwait,
                         ::testing::Values(std::pair{await(1), 1}, std::pair{await(1), 4}, std::pair{await(0), 1},
                                           std::pair{await(0), 8}, std::pair{await(5), 4},
                                           std::pair{in_posting_order(1), 1}, std::pair{in_posting_order(3), 4}));

TEST(FollowUps, SeveralAwaitStepsDoNotWaitForWhatIsNotPosted) {
  for (const int window : {1, 4}) {
    Scenario scenario = asking(chained(window, {following(Verb::read)}));
    std::vector<Step>& loop = named(scenario.programs, "client").loop;
    loop.push_back(await(1));
    const double rate = run(scenario).throughput.per_second;
    std::get<PostStep>(loop.front()).arrivals = Arrivals{.rate = Rate{1e4}};
    EXPECT_NEAR(run(scenario).throughput.per_second, 1e4, 4e3);  // 40 are expected, give or take 6
    EXPECT_GT(rate, 1e5);
  }
}

TEST(FollowUps, AllPartsGoToTheMachineOfTheFirst) {
  PostStep step = chained(1, {following(Verb::fetch_add)});
  step.destination = Destination::random;
  const Scenario scenario = asking(step, 4);
  Simulation simulation{scenario};
  const Thread& thread = *simulation.program("client").threads.front();
  const ProgramStatistics& client = statistics(simulation, "client");
  for (int i = 0; i < 200; ++i) {
    run_to_change(simulation, [&] { return client.work_requests; });
    // A queue pair leads to one machine: all but the one that is under way have both of their parts there.
    int halves = 0;
    for (const auto& pair : thread.queue_pairs().front()) halves += static_cast<int>(pair->posted % 2);
    ASSERT_LE(halves, 1);
  }
}

TEST(FollowUps, AnAnswerCanBeFollowedToo) {
  // A look-up by message, whose answer says what to READ.
  PostStep ask = post_window(Verb::send, 32, 1);
  ask.signal_every = 1;
  const auto latency = [&](const PostStep& step) {
    Scenario scenario =
        scenario_of(steady_machine(), program(queue_pairs(Transport::rc), {step, await(1)}),
                    program(queue_pairs(Transport::rc), {collect(Channel::completion_queue), answer(8)}));
    return to_seconds(run(scenario).latency.mean);
  };
  PostStep both = ask;
  both.then = {following(Verb::read)};
  const double read = to_seconds(run(asking(chained(1, {}))).latency.mean);
  EXPECT_NEAR(latency(both), latency(ask) + read, 0.05 * read);
}

TEST(FollowUps, WhatArrivesGoesOnWithoutWaitingForTheNextArrival) {
  PostStep step = chained(0, {following(Verb::read)});
  step.arrivals = Arrivals{.rate = Rate{1e4}};
  const RunResult seldom = run(asking(step));
  const RunResult alone = run(asking(chained(1, {following(Verb::read)})));
  EXPECT_NEAR(to_seconds(seldom.latency.mean), to_seconds(alone.latency.mean), 0.1 * to_seconds(alone.latency.mean));
}

}  // namespace
}  // namespace doorbell::model
