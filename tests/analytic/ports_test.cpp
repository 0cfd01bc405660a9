#include "analytic/ports.hpp"

#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace model;
using testing::bound_of;

/// Requests and answers of a packet each, so that ports limit; the server has two of them.
Scenario asking_from(int client_ports, const PortUse answers, int threads = 4) {
  PostStep request = post_window(Verb::write, 4096, 32);
  request.inlined = false;
  PostStep response = answer(4096);
  response.inlined = false;
  Program server = program(queue_pairs(Transport::ud), {collect(Channel::memory, 8), response}, 4);
  server.queue_pairs.front().second.ports = answers;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::uc), {request, await(0)}, threads), server);
  hardware_of(scenario, "client").port.ports = client_ports;
  return scenario;
}

TEST(Ports, AClientWithOnePortReachesOneOfItsServer) {
  const Scenario narrow = asking_from(1, PortUse::all);
  const Analysis analysis = analyze(narrow);
  EXPECT_EQ(bound_of(analysis, "server/ports receive").servers, 1);
  EXPECT_EQ(bound_of(analysis, "server/ports transmit").servers, 1) << "answers leave where requests have come";
  EXPECT_EQ(bound_of(analysis, "client/ports transmit").servers, 1);
  const double rate = run(narrow).throughput.per_second;
  EXPECT_LE(rate, analysis.throughput.per_second * 1.01);
  EXPECT_GE(rate, analysis.throughput.per_second * 0.9);
  EXPECT_EQ(bound_of(analyze(asking_from(2, PortUse::all)), "server/ports receive").servers, 2);
}

TEST(Ports, AnswersFromOwnPortsMeetInTheOnePortOfTheClient) {
  const Analysis analysis = analyze(asking_from(1, PortUse::own));
  EXPECT_EQ(bound_of(analysis, "server/ports transmit").servers, 2);
  EXPECT_EQ(bound_of(analysis, "client/ports receive").servers, 1);
}

TEST(Ports, SendsMeetOnThePortOfTheQueuePairThatTakesThem) {
  PostStep request = post_window(Verb::send, 4096, 16);
  request.inlined = false;
  const auto scenario = [&](const PortUse ports, int threads) {
    Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8)}, threads);
    server.queue_pairs.front().second.ports = ports;
    return scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {request, await(0)}, 8), server);
  };
  const Scenario narrow = scenario(PortUse::own, 1);
  const Analysis analysis = analyze(narrow);
  EXPECT_EQ(bound_of(analysis, "server/ports receive").servers, 1);
  EXPECT_EQ(bound_of(analysis, "client/ports receive").servers, 2) << "answers return to the ports that asked";
  const double rate = run(narrow).throughput.per_second;
  EXPECT_LE(rate, analysis.throughput.per_second * 1.01);
  EXPECT_GE(rate, analysis.throughput.per_second * 0.95);
  EXPECT_EQ(bound_of(analyze(scenario(PortUse::own, 2)), "server/ports receive").servers, 2);
  EXPECT_EQ(bound_of(analyze(scenario(PortUse::all, 1)), "server/ports receive").servers, 2);
}

TEST(Ports, WritesOnConnectionsThatAlsoSendMeetOnThatPortToo) {
  PostStep request = post_window(Verb::send, 8, 16);
  request.inlined = false;
  request.mix = {{.share = 0.9, .verb = Verb::write, .payload = 4096_B, .region = region(16, 4096)}};
  Program server = program(queue_pairs(Transport::rc), {collect(Channel::completion_queue, 8), answer(8)});
  server.queue_pairs.front().second.ports = PortUse::own;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {request, await(1)}, 8), server);
  scenario.measure.duration = std::chrono::milliseconds{5};
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(bound_of(analysis, "server/ports receive").servers, 1);
  const double rate = run(scenario).throughput.per_second;
  EXPECT_LE(rate, analysis.throughput.per_second * 1.01);
  EXPECT_GE(rate, analysis.throughput.per_second * 0.9);
}

TEST(Ports, OfSeveralPortsSomeFaceTheSame) {
  EXPECT_EQ(ports_reached({{0, 1, 2}, {3}}, 2), (std::set<int>{0, 1}));
  EXPECT_EQ(ports_reached({{0, 2}, {4}}, 2), (std::set<int>{0}));
  EXPECT_EQ(ports_reached({{0, 1}}, 4), (std::set<int>{0, 1}));
}

TEST(Ports, TheBusiestIsAtBestAsBusyAsWhatHasNoOther) {
  PortLoad load;
  load.add({{0, 1}}, 6);
  EXPECT_EQ(load.servers(), 2);
  load.add({{0}}, 2);
  EXPECT_EQ(load.servers(), 2) << "the other port takes the more of the first";
  load.add({{0}}, 10);
  EXPECT_EQ(load.servers(), 1.5) << "18 in all, and 12 on the one";
  EXPECT_EQ(load.ports(), 2) << "whatever there is of each";
  load.add({{2}}, 9);
  EXPECT_DOUBLE_EQ(load.servers(), 27 / 12.0);
  PortLoad pairs;  // of which any two meet
  pairs.add({{0, 1}}, 1);
  pairs.add({{1, 2}}, 1);
  pairs.add({{0, 2}}, 1);
  EXPECT_DOUBLE_EQ(pairs.servers(), 3);
  PortLoad machines;
  machines.add({{0}, {1}}, 1);
  machines.add({{0}, {0}}, 1);
  EXPECT_DOUBLE_EQ(machines.servers(), 3);
  EXPECT_EQ(PortLoad{}.servers(), 0);
}

TEST(Ports, ATrickleOnTheOtherPortOfANicDoesNotDoubleWhatTheFirstCarries) {
  PostStep bulk = post_window(Verb::write, 4096, 32);
  bulk.inlined = false;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {bulk, await(1)}), sink());
  scenario.measure.warmup = std::chrono::microseconds{50};
  scenario.measure.duration = std::chrono::microseconds{500};
  const double alone = analyze(scenario).throughput.per_second;
  Program chat = program(queue_pairs(Transport::rc), {post_window(Verb::write, 8, 1), await(1)}, 2);
  chat.machine = "client";
  std::get<PostStep>(chat.loop.front()).to = "server";
  scenario.programs.emplace_back("chat", chat);
  const double both = analyze(scenario).throughput.per_second;
  EXPECT_NEAR(both, alone, 0.02 * alone);
  EXPECT_LE(run(scenario).throughput.per_second, 1.01 * both);
}

/// The second machine asks from its port 1 and is asked on its port 0: both are in use.
TEST(Ports, WhatAMachineAsksAndIsAskedNeedNotUseTheSame) {
  Program all = program(queue_pairs(Transport::rc), {post_window(Verb::read, 4096, 16), await(0)});
  all.machine = "node";
  auto& step = std::get<PostStep>(all.loop.front());
  step.to = "all";
  step.destination = Destination::others;
  step.inlined = false;
  Scenario scenario;
  scenario.machines = {{"node", {"test", connect_ib(), 2}}};
  scenario.programs = {{"all", all}};
  scenario.measure.program = "all";
  scenario.measure.warmup = std::chrono::microseconds{50};
  scenario.measure.duration = std::chrono::microseconds{500};
  const Analysis analysis = analyze(scenario);
  // Responses come to a port each, and requests, which are short, to any of both.
  EXPECT_NEAR(bound_of(analysis, "node/ports receive").servers, 2.03, 0.03);
  EXPECT_LE(run(scenario).throughput.per_second, analysis.throughput.per_second * 1.01);
}

}  // namespace
}  // namespace doorbell::analytic
