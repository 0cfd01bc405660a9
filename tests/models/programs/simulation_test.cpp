#include "models/programs/simulation.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

Scenario sends(int threads = 1, int clients = 1) {
  return scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}, threads), sink(4),
                     clients);
}

// ---- what does not exist -------------------------------------------------------------------------------------------

TEST(Simulation, UnknownNamesAreRefused) {
  Scenario no_machine = sends();
  no_machine.programs.back().second.machine = "elsewhere";
  EXPECT_THROW(Simulation{no_machine}, std::invalid_argument);

  Scenario no_receiver = sends();
  std::get<PostStep>(no_receiver.programs.back().second.loop.front()).to = "nobody";
  EXPECT_THROW(Simulation{no_receiver}, std::invalid_argument);

  const Scenario fine = sends();
  Simulation simulation{fine};
  EXPECT_THROW(static_cast<void>(simulation.program("nobody")), std::invalid_argument);
  EXPECT_EQ(simulation.program("client").name, "client");
}

// ---- construction --------------------------------------------------------------------------------------------------

TEST(Simulation, EveryMachineOfAGroupRunsEveryThreadOfItsPrograms) {
  const Scenario scenario = sends(3, 4);
  Simulation simulation{scenario};
  ASSERT_EQ(simulation.machines().size(), 2U);
  EXPECT_EQ(simulation.machines()[1].instances.size(), 4U);
  EXPECT_EQ(simulation.program("client").threads.size(), 12U);
  EXPECT_EQ(simulation.program("server").threads.size(), 4U);
}

TEST(Simulation, ThreadsStartAtDifferentMomentsWithinMicroseconds) {
  Scenario scenario = sends(8);
  scenario.programs.back().second.loop.emplace_back(compute(1ms));
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  std::set<Time> moments;
  for (int i = 0; i < 8; ++i) moments.insert(run_to_change(simulation, [&] { return client.calls; }));
  EXPECT_EQ(moments.size(), 8U);
  EXPECT_LE(*moments.rbegin(), 6us);
  EXPECT_GT(*moments.rbegin() - *moments.begin(), 1us);
}

TEST(Simulation, MayEndAtAnyMoment) {
  // Processes are suspended and messages under way: all of it must go without a trace (the sanitizers would tell).
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16), await(1)}, 4),
                  program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8, 8)}, 2));
  for (const Time end : {0ns, 1ns, 1000ns, 3333ns, 7777ns, 50000ns}) {
    Simulation simulation{scenario};
    simulation.calendar().run_until(end);
    EXPECT_EQ(simulation.calendar().now(), end);
  }
}

// ---- determinism ---------------------------------------------------------------------------------------------------

struct Snapshot {
  std::uint64_t operations = 0;
  std::uint64_t work_requests = 0;
  std::uint64_t calls = 0;
  Time busy{0};
  Time latency{0};
  std::uint64_t lines_read = 0;
  std::uint64_t lines_written = 0;
  bool operator==(const Snapshot&) const = default;
};

std::vector<Snapshot> snapshots(Simulation& simulation, Time step) {
  std::vector<Snapshot> seen;
  for (Time now = 20us; now <= 200us; now += 20us) {
    while (simulation.calendar().now() < now) {
      simulation.calendar().run_until(std::min(now, simulation.calendar().now() + step));
    }
    const ProgramStatistics& client = statistics(simulation, "client");
    HostDma& dma = simulation.machines().front().instances.front()->nic().dma();
    seen.push_back({client.operations, client.work_requests, client.calls, client.busy, client.latency.mean(),
                    dma.lines_read(), dma.lines_written()});
  }
  return seen;
}

Scenario varied_rpc() {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.variation = 0.5;
  return scenario_of(hardware, program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16), await(1)}, 4),
                     program(queue_pairs(Transport::ud, 3),
                             {collect(Channel::completion_queue, 8), increment(false), answer(8, 8)}, 3),
                     2);
}

TEST(Simulation, SameSeedSameCourse) {
  const Scenario scenario = varied_rpc();
  Simulation first{scenario};
  Simulation second{scenario};
  EXPECT_EQ(snapshots(first, 20us), snapshots(second, 20us));
  EXPECT_EQ(first.calendar().executed(), second.calendar().executed());
}

TEST(Simulation, LookingAtItChangesNothing) {
  const Scenario scenario = varied_rpc();
  Simulation first{scenario};
  Simulation second{scenario};
  EXPECT_EQ(snapshots(first, 20us), snapshots(second, 37ns));
}

TEST(Simulation, InterleavedSimulationsDoNotDisturbEachOther) {
  const Scenario scenario = varied_rpc();
  Simulation alone{scenario};
  alone.calendar().run_until(100us);
  Simulation first{scenario};
  Simulation second{scenario};
  for (Time now{0}; now <= 100us; now += 1us) {
    first.calendar().run_until(now);
    second.calendar().run_until(now);
  }
  EXPECT_EQ(statistics(first, "client").operations, statistics(alone, "client").operations);
  EXPECT_EQ(statistics(second, "client").latency.mean(), statistics(alone, "client").latency.mean());
}

TEST(Simulation, AnotherSeedAnotherCourse) {
  Scenario scenario = varied_rpc();
  Simulation first{scenario};
  Scenario other_scenario = scenario;
  other_scenario.seed = 2;
  Simulation second{other_scenario};
  EXPECT_NE(snapshots(first, 20us), snapshots(second, 20us));
}

// ---- conservation --------------------------------------------------------------------------------------------------

struct Kind {
  Transport transport;
  Verb verb;
  int batch;
};

class SimulationConservation : public testing::TestWithParam<Kind> {};

TEST_P(SimulationConservation, EachMessageArrivesExactlyOnce) {
  // Bursts with long pauses: in every pause all that was posted has been collected, no more and no less.
  const auto [transport, verb, batch] = GetParam();
  const Channel channel = verb == Verb::write ? Channel::memory : Channel::completion_queue;
  PostStep burst = post(verb, 8, batch);
  burst.method = batch == 1 ? PostMethod::mmio : PostMethod::doorbell;
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(transport, 2), {burst, burst, burst, compute(100us)}, 3),
                  program(queue_pairs(Transport::ud), {collect(channel, 4)}, 2), 2);
  Simulation simulation{scenario};
  const ProgramStatistics& client = statistics(simulation, "client");
  const ProgramStatistics& server = statistics(simulation, "server");
  for (int round = 1; round <= 20; ++round) {
    // Bursts begin within 5 us and last a few; rounds drift by the time that posting takes.
    const std::uint64_t calls_per_round = 3 * 6;
    while (client.calls < calls_per_round * static_cast<std::uint64_t>(round))
      ASSERT_TRUE(simulation.calendar().step());
    simulation.calendar().run_until(simulation.calendar().now() + 50us);
    EXPECT_EQ(client.calls, calls_per_round * static_cast<std::uint64_t>(round));
    EXPECT_EQ(client.work_requests, client.calls * static_cast<std::uint64_t>(batch));
    EXPECT_EQ(server.operations, client.work_requests);
    EXPECT_EQ(server.dropped, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SimulationConservation,
                         testing::Values(Kind{Transport::ud, Verb::send, 1}, Kind{Transport::ud, Verb::send, 16},
                                         Kind{Transport::uc, Verb::send, 4}, Kind{Transport::rc, Verb::send, 4},
                                         Kind{Transport::uc, Verb::write, 1}, Kind{Transport::uc, Verb::write, 8},
                                         Kind{Transport::rc, Verb::write, 8}));

TEST(Simulation, MeasuringForgetsTheWarmUp) {
  const Scenario scenario = sends(2);
  Simulation simulation{scenario};
  simulation.calendar().run_until(50us);
  EXPECT_GT(statistics(simulation, "client").operations, 0U);
  simulation.measure(Time::max());
  EXPECT_EQ(statistics(simulation, "client").operations, 0U);
  EXPECT_EQ(statistics(simulation, "client").busy, 0ns);
  EXPECT_EQ(simulation.machines().front().instances.front()->nic().dma().lines_written(), 0U);
}

// ---- memory of NICs -------------------------------------------------------------------------------------------------

TEST(Simulation, ContextsAreThoseOfTheQueuePairsThatEndAtAMachine) {
  // Four machines with four queue pairs each, to two servers, which have a queue pair of their own.
  const auto limited = [](int contexts) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.qp_contexts = contexts;
    Scenario scenario =
        scenario_of(hardware, program(queue_pairs(Transport::rc, 4), {post(Verb::write, 8)}), sink(), 4);
    scenario.machines.front().second.count = 2;
    Simulation simulation{scenario};
    return simulation.machines().front().instances.front()->nic().contexts().has_value();
  };
  EXPECT_FALSE(limited(4 * 4 / 2 + 1));
  EXPECT_TRUE(limited(4 * 4 / 2));
}

TEST(Simulation, RegionsOfOperationsThatAreMixedInNeedTranslationsToo) {
  const auto limited = [](std::int64_t pages) {
    PostStep step = post(Verb::write, 8);
    step.region = region(16, 64);
    step.mix = {{.share = 0.1, .verb = Verb::write, .payload = 8_B, .region = region(pages, 4096)}};
    step.mix.front().region->page = 4_KiB;
    HardwareProfile hardware = connect_ib();
    hardware.nic.translations = 100;
    const Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {step}), sink());
    Simulation simulation{scenario};
    return simulation.machines().front().instances.front()->nic().translations().has_value();
  };
  EXPECT_FALSE(limited(100));
  EXPECT_TRUE(limited(101));
}

}  // namespace
}  // namespace doorbell::model
