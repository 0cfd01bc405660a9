// Answers of threads: to whom, in which lists and over which queue pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// What a server does that finds eight requests of each of `clients` machines at a time, on a NIC with so many ports.
RunResult answered_over(Transport transport, int count, int clients, int nic_ports = 1, int threads = 1) {
  HardwareProfile hardware = connect_ib();
  hardware.port.ports = nic_ports;
  const int window = 8 / threads;
  const Program client =
      program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, window), await(window)}, threads);
  QueuePairs pairs = queue_pairs(transport, count);
  pairs.ports = PortUse::all;
  const Program server = program(pairs, {collect(Channel::completion_queue, 64), compute(5us), answer(8, 32)});
  return run(scenario_of(hardware, client, server, clients));
}

double answers_in_a_list(const RunResult& result) {
  return std::ranges::find(result.programs, "server", &ProgramSummary::program)->mean_batch;
}

TEST(ThreadAnswers, AListOverAConnectedQueuePairAnswersOneThread) {
  EXPECT_GT(answers_in_a_list(answered_over(Transport::ud, 4, 4)), 12);
  for (const Transport transport : {Transport::uc, Transport::rc}) {
    for (const int nic_ports : {1, 2}) {
      const double list = answers_in_a_list(answered_over(transport, 4, 4, nic_ports));
      EXPECT_LE(list, 8);
      EXPECT_GT(list, 6);
    }
    EXPECT_LE(answers_in_a_list(answered_over(transport, 6, 4)), 8);  // some clients have two to choose from
    EXPECT_LE(answers_in_a_list(answered_over(transport, 16, 4, 1, 4)), 2) << "threads of one machine share no list";
  }
}

TEST(ThreadAnswers, WhichMachineTheAskingThreadsAreOnDoesNotMatter) {
  const double four_each = answered_over(Transport::rc, 16, 4, 1, 4).throughput.per_second;
  Program client = program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 2), await(2)});
  QueuePairs pairs = queue_pairs(Transport::rc, 16);
  const Program server = program(pairs, {collect(Channel::completion_queue, 64), compute(5us), answer(8, 32)});
  const double one_each = run(scenario_of(connect_ib(), client, server, 16)).throughput.per_second;
  EXPECT_NEAR(four_each, one_each, 0.05 * one_each);
}

TEST(ThreadAnswers, WhoAsksOnlyOneThreadHasQueuePairsOnlyThere) {
  const auto throughput = [&](Destination destination, int count) {
    PostStep ask = post_window(Verb::send, 8, 4);
    ask.destination = destination;
    const Program client = program(queue_pairs(Transport::ud), {ask, await(4)}, 4);
    Scenario scenario =
        scenario_of(connect_ib(), client,
                    program(queue_pairs(Transport::rc), {collect(Channel::completion_queue, 8), answer(8, 8)}, 2), 2);
    named(scenario.programs, "server").queue_pairs.front().second.count = count;
    return run(scenario).throughput.per_second;
  };
  EXPECT_THROW(throughput(Destination::round_robin, 7), std::invalid_argument);
  EXPECT_GT(throughput(Destination::round_robin, 8), 0);
  EXPECT_THROW(throughput(Destination::fixed, 3), std::invalid_argument);
  EXPECT_GT(throughput(Destination::fixed, 4), 0);
}

TEST(ThreadAnswers, OnlyThoseThatLeaveACqeArePolled) {
  const auto latency = [](Verb verb, bool immediate, Time poll_cqe) {
    PostStep written = answer(8);
    written.verb = verb;
    written.immediate = immediate;
    Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), written});
    server.queue_pairs.front().second.transport = Transport::uc;
    Scenario scenario = scenario_of(
        steady_machine(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 1), await(1)}), server);
    hardware_of(scenario, "client").cpu.poll_cqe = poll_cqe;
    return to_nanoseconds(run(scenario).latency.p50);
  };
  const auto poll = [&](Verb verb, bool immediate) {
    return latency(verb, immediate, 500ns) - latency(verb, immediate, 100ns);
  };
  EXPECT_NEAR(poll(Verb::send, false), 400, 20);
  EXPECT_NEAR(poll(Verb::write, true), 400, 20);
  EXPECT_NEAR(poll(Verb::write, false), 0, 20);
}

TEST(ThreadAnswers, AnswersOverConnectedQueuePairsReachAllMachines) {
  EXPECT_NEAR(answered_over(Transport::rc, 4, 4).throughput.per_second,
              answered_over(Transport::ud, 4, 4).throughput.per_second, 5e5);
}

TEST(ThreadAnswers, AnswersGoToWhoeverAsked) {
  // Two clients of very different pace: each gets an answer for each of its own requests.
  Program slow = program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 1), await(1), compute(10us)});
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}),
                  program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 4), answer(8, 4)}));
  slow.machine = "client";
  scenario.programs.emplace_back("slow", slow);
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const ProgramStatistics& eager = statistics(simulation, "client");
  const ProgramStatistics& lazy = statistics(simulation, "slow");
  EXPECT_GT(lazy.operations, 50U);
  EXPECT_GT(eager.operations, 20 * lazy.operations);
  EXPECT_LE(eager.work_requests - eager.operations, 8U);
  EXPECT_LE(lazy.work_requests - lazy.operations, 1U);
}

TEST(ThreadAnswers, AnswersLeaveByThePortOfTheirRequest) {
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}), [] {
        QueuePairs pairs = queue_pairs(Transport::ud, 2);
        pairs.ports = PortUse::all;
        return program(pairs, {collect(Channel::completion_queue, 8), answer(8, 8)});
      }());
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  auto& ports = simulation.machines()[0].instances.front()->nic().ports();
  EXPECT_GT(ports[0]->transmitter().jobs(), 500U);  // thread 0 of the client asks by port 0
  EXPECT_EQ(ports[1]->transmitter().jobs(), 0U);
}

TEST(ThreadAnswers, ARequestMayComeByAPortThatTheServerLacks) {
  for (const int batch : {1, 8}) {
    Scenario scenario = scenario_of(
        connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}, 2), [batch] {
          QueuePairs pairs = queue_pairs(Transport::ud, 2);
          pairs.ports = PortUse::all;
          return program(pairs, {collect(Channel::completion_queue, 8), answer(8, batch)});
        }());
    scenario.machines.front().second.hardware.port.ports = 1;  // the client's second thread asks by port 1
    EXPECT_GT(run(scenario).throughput.millions(), 1) << batch;
  }
}

}  // namespace
}  // namespace doorbell::model
