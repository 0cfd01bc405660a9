// What a posting step does: to whom, over which queue pairs, with which operation, and how many at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

// ---- destinations --------------------------------------------------------------------------------------------------

/// Cache lines that each of the server machines received within 200 us; header-only SENDs write one each.
std::vector<double> received(Destination destination, int client_threads, int servers) {
  PostStep step = post(Verb::send, 0);
  step.destination = destination;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step}, client_threads), sink());
  scenario.machines.front().second.count = servers;
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  std::vector<double> lines;
  for (auto& machine : simulation.machines().front().instances) {
    lines.push_back(static_cast<double>(machine->nic().dma().lines_written()));
  }
  return lines;
}

TEST(ThreadPost, AFixedDestinationIsTheOneOfTheThreadsNumber) {
  const std::vector<double> one = received(Destination::fixed, 1, 3);
  EXPECT_GT(one[0], 1000);
  EXPECT_EQ(one[1], 0);
  EXPECT_EQ(one[2], 0);
  const std::vector<double> two = received(Destination::fixed, 2, 3);
  EXPECT_GT(two[1], 1000);
  EXPECT_EQ(two[2], 0);
}

TEST(ThreadPost, RoundRobinIsEven) {
  const std::vector<double> lines = received(Destination::round_robin, 1, 4);
  for (const double count : lines) EXPECT_NEAR(count, lines[0], 1);
}

TEST(ThreadPost, RandomDestinationsAreEvenOnAverageOnly) {
  const std::vector<double> lines = received(Destination::random, 1, 4);
  double total = 0;
  for (const double count : lines) total += count;
  for (const double count : lines) EXPECT_NEAR(count, total / 4, 5 * std::sqrt(total / 4));
  EXPECT_GT(*std::max_element(lines.begin(), lines.end()) - *std::min_element(lines.begin(), lines.end()), 2);
}

// ---- queue pairs ---------------------------------------------------------------------------------------------------

TEST(ThreadPost, CallsTakeQueuePairsInTurn) {
  // A unit per queue pair, all equally busy.
  HardwareProfile hardware = connect_ib();
  hardware.nic.pu_wqe = 400ns;
  const Scenario scenario =
      scenario_of(hardware, program(queue_pairs(Transport::ud, 3), {post(Verb::send, 0)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(500us);
  std::vector<double> busy_units;
  for (ProcessingUnit& unit : simulation.machines()[1].instances.front()->nic().units()) {
    if (unit.used()) busy_units.push_back(to_nanoseconds(unit.busy()));
  }
  ASSERT_EQ(busy_units.size(), 3U);
  for (const double time : busy_units) EXPECT_NEAR(time, busy_units[0], 2000);
}

TEST(ThreadPost, RotationByOperationSpreadsOneListOverQueuePairs) {
  // Answers one by one: a pass puts all of them on one queue pair, or each on the next, whose units work in parallel.
  const auto latency = [](Rotation rotate) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.pu_wqe = 1us;
    PostStep step = answer(0);
    step.rotate = rotate;
    const Program client =
        program(queue_pairs(Transport::ud, 8), {post_window(Verb::send, 0, 8), await(0), compute(20us)});
    const Program server =
        program(queue_pairs(Transport::ud, 8), {collect(Channel::completion_queue, 8), compute(3us), step});
    return run(scenario_of(hardware, client, server)).latency.mean;
  };
  EXPECT_LT(latency(Rotation::per_operation) + 1us, latency(Rotation::per_batch));
}

TEST(ThreadPost, SetsOnAllPortsUseThemEqually) {
  QueuePairs pairs = queue_pairs(Transport::ud, 2);
  pairs.ports = PortUse::all;
  const Scenario scenario = scenario_of(connect_ib(), program(pairs, {post(Verb::send, 0)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(500us);
  auto& ports = simulation.machines()[1].instances.front()->nic().ports();
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_GT(ports[0]->transmitter().jobs(), 1000U);
  EXPECT_NEAR(static_cast<double>(ports[0]->transmitter().jobs()), static_cast<double>(ports[1]->transmitter().jobs()),
              2);
}

TEST(ThreadPost, SetsOnAllPortsUseTheQueuePairsOfEachInTurn) {
  QueuePairs pairs = queue_pairs(Transport::ud, 2);
  pairs.ports = PortUse::all;
  const Scenario scenario = scenario_of(connect_ib(), program(pairs, {post(Verb::send, 0)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(100us);
  const auto& all = simulation.program("client").threads.front()->queue_pairs().front();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_GT(all[0]->posted, 100U);
  for (const auto& pair : all) EXPECT_NEAR(static_cast<double>(pair->posted), static_cast<double>(all[0]->posted), 1);
}

TEST(ThreadPost, ThreadsAndMachinesShareThePortsEvenly) {
  // An even number of machines once put all threads of a machine on the same port.
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 0)}, 2), sink(), 2);
  Simulation simulation{scenario};
  simulation.calendar().run_until(100us);
  for (auto& machine : simulation.machines().back().instances) {
    for (auto& port : machine->nic().ports()) EXPECT_GT(port->transmitter().jobs(), 400U);
  }
}

TEST(ThreadPost, ConnectedQueuePairsAreDividedAmongTheMachinesThatTheyLeadTo) {
  for (const Destination destination : {Destination::round_robin, Destination::random}) {
    QueuePairs pairs = queue_pairs(Transport::rc, 7);  // three to the first machine, and two to each other
    pairs.ports = PortUse::all;
    PostStep step = post_window(Verb::read, 64, 24, 4);
    step.destination = destination;
    step.signal_every = 1;
    Scenario scenario = scenario_of(connect_ib(), program(pairs, {step, await(24)}, 2), sink());
    scenario.machines.front().second.count = 3;
    Simulation simulation{scenario};
    simulation.calendar().run_until(1ms);
    std::vector<double> lines;
    for (auto& machine : simulation.machines().front().instances) {
      lines.push_back(static_cast<double>(machine->nic().dma().lines_read()));
      for (auto& port : machine->nic().ports()) EXPECT_GT(port->receiver().jobs(), 100U);
    }
    const double spread = destination == Destination::random ? 0.1 : 0.02;
    EXPECT_NEAR(lines[1] / lines[0], 1, spread);
    EXPECT_NEAR(lines[2] / lines[0], 1, spread);
  }
}

TEST(ThreadPost, AConnectedQueuePairLeadsToOneMachine) {
  // Lists of eight, each awaited before the next: while it is served by one machine, the other has nothing to do.
  PostStep step = post_window(Verb::read, 4096, 8, 8);
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 2), {step, await(8)}), sink());
  scenario.machines.front().second.count = 2;
  Simulation simulation{scenario};
  auto& servers = simulation.machines().front().instances;
  const auto lines = [&](std::size_t server) { return servers[server]->nic().dma().lines_read(); };
  constexpr std::uint64_t list = 8 * 4096 / 64;
  for (Time now = 1us; now < 200us; now += 1us) {
    simulation.calendar().run_until(now);
    EXPECT_TRUE(lines(0) % list == 0 || lines(1) % list == 0) << lines(0) << " and " << lines(1);
  }
  EXPECT_GT(lines(0), 2 * list);
  EXPECT_GT(lines(1), 2 * list);
}

TEST(ThreadPost, OthersAreNeverOfTheOwnMachine) {
  PostStep step = post_window(Verb::send, 0, 0);
  step.to = "client";
  step.destination = Destination::others;
  const Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step}, 2), sink(), 2);
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  auto& machines = simulation.machines().back().instances;
  const auto received = [&](std::size_t machine) {
    std::uint64_t jobs = 0;
    for (auto& port : machines[machine]->nic().ports()) jobs += port->receiver().jobs();
    return static_cast<double>(jobs);
  };
  const auto sent = [&](std::size_t machine) {
    std::uint64_t jobs = 0;
    for (auto& port : machines[machine]->nic().ports()) jobs += port->transmitter().jobs();
    return static_cast<double>(jobs);
  };
  EXPECT_GT(sent(0), 1000);
  EXPECT_NEAR(sent(0), received(1), 40);  // some are on their way
  EXPECT_NEAR(sent(1), received(0), 40);
}

TEST(ThreadPost, MachinesWithOneQueuePairEachToOneAnotherMakeARing) {
  PostStep step = post_window(Verb::write, 8, 4);
  step.to = "client";
  step.destination = Destination::others;
  step.signal_every = 1;
  const Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink(), 4);
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  std::vector<double> lines;
  for (auto& machine : simulation.machines().back().instances)
    lines.push_back(static_cast<double>(machine->nic().dma().lines_written()));
  EXPECT_GT(lines[0], 100);
  for (const double count : lines)
    EXPECT_NEAR(count / lines[0], 1, 0.05) << "one writes to it, and it has as many CQEs";
}

// ---- operations ----------------------------------------------------------------------------------------------------

TEST(ThreadPost, MixedOperationsHaveTheirShares) {
  for (const double share : {0.0, 0.25, 1.0}) {
    PostStep step = post(Verb::send, 0);
    Alternative other;
    other.share = share;
    other.verb = Verb::send;
    other.payload = Bytes{60};
    step.mix = {other};
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step}), sink());
    scenario.measure.duration = 1ms;
    const RunResult result = run(scenario);
    // One line for the CQE of each, and one for the payload of those that have it.
    const double lines = counter(result, "server/PCIeItoM").rate.per_second / result.throughput.per_second;
    EXPECT_NEAR(lines, 1 + share, 0.02) << share;
  }
}

TEST(ThreadPost, OnlyASendOrWriteCarriesImmediateData) {
  PostStep step = post(Verb::send, 8);
  step.immediate = true;
  step.mix = {{.share = 0.5, .verb = Verb::fetch_add, .payload = Bytes{8}, .region = region(1, 8)}};
  const auto immediate = [](const PostStep& posted) {
    return operation_of(posted, queue_pairs(Transport::rc), 1, connect_ib(), {connect_ib(), sink()}).immediate;
  };
  EXPECT_TRUE(immediate(step));
  EXPECT_FALSE(immediate(only(step, step.mix.front())));
}

TEST(ThreadPost, AutomaticUsesMmioForOneAndADoorbellForMore) {
  const auto lines_read = [](PostMethod method, int batch) {
    PostStep step = post(Verb::send, 0, batch);
    step.method = method;
    return counter(run(scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step}), sink())),
                   "client/PCIeRdCur")
        .count;
  };
  EXPECT_EQ(lines_read(PostMethod::automatic, 1), 0U);
  EXPECT_EQ(lines_read(PostMethod::mmio, 1), 0U);
  EXPECT_GT(lines_read(PostMethod::doorbell, 1), 500U);
  EXPECT_GT(lines_read(PostMethod::automatic, 2), 500U);
}

TEST(ThreadPost, WithoutAWindowEveryPassPostsOneBatch) {
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 0, 8), compute(50us)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const ProgramStatistics& client = statistics(simulation, "client");
  EXPECT_NEAR(static_cast<double>(client.calls), 20, 1);
  EXPECT_EQ(client.work_requests, client.calls * 8);
}

TEST(ThreadPost, ALargeWindowIsPostedInCallsOfAtMostABatch) {
  PostStep step = post_window(Verb::read, 8, 20, 8);
  step.region = region(16, 64);
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(0), compute(100us)}), sink());
  Simulation simulation{scenario};
  simulation.calendar().run_until(50us);
  EXPECT_EQ(statistics(simulation, "client").calls, 3U);  // 8, 8 and 4
  EXPECT_EQ(statistics(simulation, "client").operations, 20U);
}

TEST(ThreadPost, OperationsThatAreMixedInWalkThroughRegionsOfTheirOwn) {
  // One counter: its lock is what half of all operations wait for, wherever the others are.
  PostStep step = post_window(Verb::write, 8, 32);
  step.region = region(1000, 64);
  step.mix = {{.share = 0.5, .verb = Verb::fetch_add, .payload = Bytes{8}, .region = region(1, 8)}};
  const RunResult result =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step, await(0)}, 8), sink()));
  PostStep alone = step;
  alone.verb = Verb::fetch_add;
  alone.region = region(1, 8);
  alone.mix.clear();
  const RunResult atomics =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {alone, await(0)}, 8), sink()));
  EXPECT_LT(result.throughput.per_second, 2.1 * atomics.throughput.per_second);
}

TEST(ThreadPost, TheLastOfARoundWaitsForItsFirst) {
  PostStep step = post_window(Verb::write, 8, 64);
  step.region = region(16, 64);
  step.signal_every = 4;
  const Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  Simulation simulation{scenario};
  const ProgramPlan& client = simulation.program("client");
  const QueuePair& pair = *client.threads.front()->queue_pairs()[0][0];
  std::uint64_t most = 0;
  for (Time now{0}; now < 100us; now += 20ns) {
    simulation.calendar().run_until(now);
    most = std::max(most, pair.posted - pair.reclaimed);
  }
  EXPECT_GT(pair.posted, 100U);
  // The first of a round is known to be done before its last is posted; then three of the next may be.
  EXPECT_EQ(most, 3U + 3);
}

// ---- data ----------------------------------------------------------------------------------------------------------

/// Operations of 8000 B, one at a time, each of which a core copies at 4 GB/s or registers.
RunResult one_by_one(Verb verb, Registration registration) {
  PostStep step = post_window(verb, 8000, 1);
  step.signal_every = 1;
  step.inlined = false;
  step.data = DataPlacement{.registration = registration};
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0;
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  for (auto& [name, group] : scenario.machines) {
    group.software.emplace();
    group.software->memory.copy = Bandwidth{4e9};
    group.software->memory.register_region = 50us;
    group.software->memory.register_page = 100ns;
  }
  scenario.measure.duration = 4ms;
  return run(scenario);
}

TEST(ThreadPost, CopiesAndRegistrationAddToTheTimeOfAnOperation) {
  for (const Verb verb : {Verb::write, Verb::read}) {
    const RunResult in_place = one_by_one(verb, Registration::in_place);
    const auto added = [&](Registration registration) {
      const RunResult result = one_by_one(verb, registration);
      const double longer = 1 / result.throughput.per_second - 1 / in_place.throughput.per_second;
      EXPECT_NEAR(to_nanoseconds(result.latency.mean - in_place.latency.mean), longer * 1e9, 0.01 * longer * 1e9);
      return longer * 1e9;
    };
    EXPECT_NEAR(added(Registration::copy), 2000, 20);
    EXPECT_NEAR(added(Registration::map), 50200, 500);
    EXPECT_NEAR(added(Registration::threshold), 2000, 20);
  }
}

}  // namespace
}  // namespace doorbell::model
