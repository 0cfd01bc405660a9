// Send queues of threads: which queue pair's turn it is, and waiting for room.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

// ---- turns ---------------------------------------------------------------------------------------------------------

/// How many WQEs are posted to each queue pair when READs go to `servers` machines in turn over `count` queue pairs on
/// each of two ports.
std::vector<std::uint64_t> posted_in_turn(int servers, int count) {
  QueuePairs pairs = queue_pairs(Transport::rc, count);
  pairs.ports = PortUse::all;
  PostStep step = post_window(Verb::read, 8, 4);
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(pairs, {step, await(1)}), sink());
  scenario.machines.front().second.count = servers;
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  std::vector<std::uint64_t> posted;
  for (const auto& pair : simulation.program("client").threads.front()->queue_pairs().front())
    posted.push_back(pair->posted);
  return posted;
}

TEST(ThreadSendQueues, EachMachineHasItsQueuePairsInTurnHoweverManyTheyAre) {
  // Of seven on each port three lead to the first machine, and two to each of the others. Machines have the same.
  const std::vector<std::uint64_t> posted = posted_in_turn(3, 7);
  ASSERT_EQ(posted.size(), 14U);
  const std::vector<std::vector<std::size_t>> of_machines{{0, 3, 6, 7, 10, 13}, {1, 4, 8, 11}, {2, 5, 9, 12}};
  std::vector<std::uint64_t> sums;
  for (const std::vector<std::size_t>& numbers : of_machines) {
    std::vector<std::uint64_t> its_own;
    for (const std::size_t number : numbers) its_own.push_back(posted[number]);
    const auto [least, most] = std::ranges::minmax(its_own);
    EXPECT_GT(least, 10U);
    EXPECT_LE(most - least, 1U) << numbers.size();
    sums.push_back(std::reduce(its_own.begin(), its_own.end()));
  }
  EXPECT_LE(std::ranges::max(sums) - std::ranges::min(sums), 1U);
}

TEST(ThreadSendQueues, MachinesAsManyAsPortsAreReachedOverAllOfThem) {
  const std::vector<std::uint64_t> posted = posted_in_turn(2, 4);
  ASSERT_EQ(posted.size(), 8U);
  const auto [least, most] = std::ranges::minmax(posted);
  EXPECT_GT(least, 10U);
  EXPECT_LE(most - least, 1U) << "eight calls in a row are to eight queue pairs";
}

// ---- room ----------------------------------------------------------------------------------------------------------

/// WRITEs of which the first of four is signaled, and must be done before the last of them is posted.
Scenario in_rounds_of_four(int depth) {
  PostStep step = post_window(Verb::write, 8, 64);
  step.region = region(16, 64);
  step.signal_every = 4;
  QueuePairs pairs = queue_pairs(Transport::rc);
  pairs.depth = depth;
  return scenario_of(steady_machine(), program(pairs, {step, await(1)}), sink());
}

TEST(ThreadSendQueues, AWaitIsForARoundWhereTheQueueHasRoom) {
  const Scenario scenario = in_rounds_of_four(128);
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  const ProgramStatistics& client = statistics(simulation, "client");
  EXPECT_GT(client.calls, 200U) << "more than the queue holds";
  EXPECT_GT(client.in_rounds, 50us);
  EXPECT_EQ(client.in_rounds, client.without_room);
}

TEST(ThreadSendQueues, AWaitIsForRoomWhereTheQueueIsFull) {
  // The fourth WQE waits for the first one: there is room for it. The sixth one waits for the second one, whose place
  // it takes, and which is known to be done when the fifth one is.
  const Scenario scenario = in_rounds_of_four(4);
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  run_to_change(simulation, [&] { return client.without_room; });
  EXPECT_EQ(client.calls, 3U);
  const Time first = client.without_room;
  EXPECT_EQ(client.in_rounds, first);
  run_to_change(simulation, [&] { return client.calls; });
  while (client.calls < 6) run_to_change(simulation, [&] { return client.calls; });
  EXPECT_GT(client.without_room, first + 1us);
  EXPECT_EQ(client.in_rounds, first);
}

}  // namespace
}  // namespace doorbell::model
