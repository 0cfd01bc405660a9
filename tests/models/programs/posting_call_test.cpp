// Several posting steps in one loop: queue pairs and targets have their turns, whatever the others do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// A thread posts two steps in turn, each over a set of its own: one to the two servers, one to two other machines.
Scenario two_posts(const QueuePairs& pairs, Destination destination) {
  PostStep first = post(Verb::send, 0);
  first.destination = destination;
  PostStep second = first;
  second.queue_pairs = "more";
  second.to = "well";
  Program client = program(pairs, {first, second});
  client.queue_pairs.emplace_back("more", pairs);
  Scenario scenario = scenario_of(connect_ib(), client, sink());
  scenario.machines.front().second.count = 2;
  scenario.machines.emplace_back("well", MachineGroup{"test", connect_ib(), 2});
  Program well = sink();
  well.machine = "well";
  scenario.programs.emplace_back("well", well);
  return scenario;
}

/// Cache lines that each machine of a group has received.
std::vector<double> lines_of_each(Simulation& simulation, const std::string& group) {
  std::vector<double> lines;
  for (auto& machine : simulation.machine_set(group).instances)
    lines.push_back(static_cast<double>(machine->nic().dma().lines_written()));
  return lines;
}

TEST(PostingCall, EachOfSeveralStepsTakesItsQueuePairsAndTargetsInTurn) {
  const Scenario scenario = two_posts(queue_pairs(Transport::ud, 2), Destination::round_robin);
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  for (const char* group : {"server", "well"}) {
    const std::vector<double> lines = lines_of_each(simulation, group);
    EXPECT_GT(lines[0], 300) << group;
    EXPECT_NEAR(lines[0], lines[1], 3) << group;
  }
  for (const auto& pairs : simulation.program("client").threads.front()->queue_pairs()) {
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_NEAR(static_cast<double>(pairs[0]->posted), static_cast<double>(pairs[1]->posted), 1);
  }
}

TEST(PostingCall, StepsThatShareASetUseAllQueuePairsThatLeadToAMachine) {
  PostStep step = post(Verb::write, 8);
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step, step}), sink());
  scenario.machines.front().second.count = 2;
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  const auto& pairs = simulation.program("client").threads.front()->queue_pairs().front();
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_GT(pairs.front()->posted, 100U);
  for (const auto& pair : pairs)
    EXPECT_NEAR(static_cast<double>(pair->posted), static_cast<double>(pairs.front()->posted), 2);
}

TEST(PostingCall, OthersAreOfTheProgramThatTheStepPostsTo) {
  const Scenario scenario = two_posts(queue_pairs(Transport::rc, 2), Destination::others);
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  for (const char* group : {"server", "well"}) {
    for (const double lines : lines_of_each(simulation, group)) EXPECT_GT(lines, 100) << group;
  }
}

TEST(PostingCall, QueuePairsOfAllThreadsAreDealtOutToOthers) {
  // Eight threads of one machine, with a queue pair each, and four machines.
  PostStep step = post_window(Verb::write, 64, 4);
  step.destination = Destination::others;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}, 8), sink());
  named(scenario.machines, "server").count = 4;
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  const std::vector<double> lines = lines_of_each(simulation, "server");
  ASSERT_EQ(lines.size(), 4U);
  for (const double of_one : lines) EXPECT_NEAR(of_one / lines.front(), 1, 0.05);
}

/// Three machines whose two threads each ask others and answer them.
Scenario asking_one_another(Destination destination, const QueuePairs& pairs) {
  PostStep ask = post_window(Verb::send, 8, 4);
  ask.to = "server";
  ask.destination = destination;
  Scenario scenario = scenario_of(connect_ib(), sink(), Program{});
  Program peer = program(pairs, {ask, collect(Channel::completion_queue, 16), answer(8, 16), await(1)}, 2);
  peer.queue_pairs.emplace_back("answers", queue_pairs(Transport::ud));
  std::get<PostStep>(peer.loop[2]).queue_pairs = "answers";
  peer.machine = "server";
  named(scenario.programs, "server") = peer;
  named(scenario.machines, "server").count = 3;
  scenario.measure.program = "server";
  scenario.measure.duration = 2ms;
  return scenario;
}

TEST(PostingCall, OfOthersEveryThreadIsAskedAsOften) {
  // A thread that nobody asks would wait for ever, and its answers with it.
  const double at_random =
      run(asking_one_another(Destination::random, queue_pairs(Transport::ud))).throughput.per_second;
  for (const QueuePairs& pairs :
       {queue_pairs(Transport::ud), queue_pairs(Transport::uc), queue_pairs(Transport::uc, 3)}) {
    const RunResult result = run(asking_one_another(Destination::others, pairs));
    EXPECT_NEAR(result.throughput.per_second / at_random, 1, 0.15) << pairs.count;
    EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  }
}

}  // namespace
}  // namespace doorbell::model
