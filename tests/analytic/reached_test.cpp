#include "analytic/reached.hpp"

#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace model;
using testing::bound_of;

/// So many machines ask four machines of two threads each, a thread of which takes 1 us for an answer.
Scenario asking(int clients, Destination destination) {
  PostStep step = post_window(Verb::send, 32, 32);
  step.destination = destination;
  Program server = program(queue_pairs(Transport::ud),
                           {collect(Channel::completion_queue, 16), compute(0ns, 1us), answer(32, 16)}, 2);
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step, await(1)}), std::move(server), clients);
  named(scenario.machines, "server").count = 4;
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 10ms;
  return scenario;
}

TEST(Reached, FewWhoAskFixedThreadsReachAsManyOfThem) {
  for (const int clients : {1, 3, 6, 8, 12}) {
    const Scenario scenario = asking(clients, Destination::fixed);
    const Flow flow{scenario};
    const ProgramFlow& client = flow.programs()[flow.index_of("client")];
    const ProgramFlow& server = flow.programs()[flow.index_of("server")];
    EXPECT_EQ(machines_reached(flow, client, client.posts.front()), std::min(4, clients));
    EXPECT_EQ(machines_at_work(flow, server), std::min(4, clients));
    EXPECT_EQ(threads_at_work(flow, server), std::min(8, clients));
    EXPECT_EQ(machines_at_work(flow, client), clients) << "whoever answers it";
  }
}

TEST(Reached, WhoRelaysOverConnectionsReachesAThreadOfEachMachine) {
  const auto threads = [](int servers, Transport transport) {
    Scenario scenario = asking(1, Destination::random);
    named(scenario.machines, "server").count = 1;
    Program& server = named(scenario.programs, "server");
    server.threads = servers;
    PostStep relay = post(Verb::send, 8);
    relay.to = "behind";
    relay.queue_pairs = "relays";
    relay.relay = Relay{};
    server.queue_pairs.emplace_back("relays", queue_pairs(transport, 3));
    server.loop.insert(server.loop.begin() + 1, relay);
    scenario.machines.emplace_back("behind", MachineGroup{"test", connect_ib(), 3});
    Program behind = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8, 8)}, 4);
    behind.machine = "behind";
    scenario.programs.emplace_back("behind", std::move(behind));
    const Flow flow{scenario};
    return threads_at_work(flow, flow.programs()[flow.index_of("behind")]);
  };
  EXPECT_EQ(threads(1, Transport::rc), 3);
  EXPECT_EQ(threads(2, Transport::rc), 6);
  EXPECT_EQ(threads(8, Transport::rc), 12);
  EXPECT_EQ(threads(1, Transport::ud), 12);
}

TEST(Reached, OthersReachAll) {
  for (const Destination destination : {Destination::round_robin, Destination::random}) {
    const Scenario scenario = asking(1, destination);
    const Flow flow{scenario};
    const ProgramFlow& client = flow.programs()[flow.index_of("client")];
    EXPECT_EQ(machines_reached(flow, client, client.posts.front()), 4);
    EXPECT_EQ(threads_at_work(flow, flow.programs()[flow.index_of("server")]), 8);
  }
}

TEST(Reached, BoundsAreThoseOfTheThreadsAndMachinesThatHaveWork) {
  for (const int clients : {1, 3, 6}) {
    const Scenario scenario = asking(clients, Destination::fixed);
    const Analysis analysis = analyze(scenario);
    EXPECT_EQ(bound_of(analysis, "server/cores of server").servers, clients);
    EXPECT_EQ(bound_of(analysis, "server/NIC receive pipeline").servers, std::min(4, clients));
    EXPECT_EQ(bound_of(analysis, "server/ports transmit").servers, 2 * std::min(4, clients)) << "of two each";
    const double rate = run(scenario).throughput.per_second;
    EXPECT_LE(rate, analysis.throughput.per_second * 1.01);
    EXPECT_GE(rate, analysis.throughput.per_second * 0.95);
  }
}

TEST(Reached, ThreadsThatShareAQueueShareWhatComesToIt) {
  for (const int clients : {1, 2}) {
    Scenario scenario = asking(clients, Destination::fixed);
    Program& server = named(scenario.programs, "server");
    server.threads = 4;
    server.completion.shared_queues = 1;
    const Flow flow{scenario};
    EXPECT_EQ(threads_at_work(flow, flow.programs()[flow.index_of("server")]), 4 * clients);
    const Analysis analysis = analyze(scenario);
    EXPECT_EQ(bound_of(analysis, "server/cores of server").servers, 4 * clients);
    EXPECT_EQ(bound_of(analysis, "server/completion queues of server").servers, clients);
    EXPECT_LE(run(scenario).throughput.per_second, analysis.throughput.per_second * 1.01);
  }
}

TEST(Reached, WhoIsAskedByFewAsksFew) {
  // One client asks a front of four machines, and these fixed ones of four more.
  Scenario scenario = asking(1, Destination::fixed);
  PostStep onwards = post_window(Verb::send, 32, 8);
  onwards.to = "back";
  onwards.destination = Destination::fixed;
  Program back = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 16), answer(32, 16)});
  scenario.machines.emplace_back("back", named(scenario.machines, "server"));
  scenario.programs.emplace_back("back", on("back", back));
  Program& front = named(scenario.programs, "server");
  front.loop = {collect(Channel::completion_queue, 1), onwards, await(0), answer(32)};
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(bound_of(analysis, "server/cores of server").servers, 1);
  EXPECT_EQ(bound_of(analysis, "back/cores of back").servers, 1);
  EXPECT_EQ(bound_of(analysis, "server/NIC receive pipeline").servers, 1) << "the way back, too";
  EXPECT_LE(run(scenario).throughput.per_second, analysis.throughput.per_second * 1.01);
}

TEST(Reached, OneSidedOperationsFillTheMachinesThatTheyReach) {
  PostStep step = post_window(Verb::read, 4096, 32);
  step.destination = Destination::fixed;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 4), {step, await(1)}), sink(), 2);
  named(scenario.machines, "server").count = 4;
  hardware_of(scenario, "server").pcie.lanes = 4;
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(bound_of(analysis, "server/PCIe downstream").servers, 2);
  const double rate = run(scenario).throughput.per_second;
  EXPECT_LE(rate, analysis.throughput.per_second * 1.01);
  EXPECT_GE(rate, analysis.throughput.per_second * 0.95);
}

}  // namespace
}  // namespace doorbell::analytic
