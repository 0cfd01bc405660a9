#include "analytic/ports.hpp"

#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

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

TEST(Ports, OfSeveralPortsSomeFaceTheSame) {
  EXPECT_EQ(ports_reached({{0, 1, 2}, {3}}, 2), (std::set<int>{0, 1}));
  EXPECT_EQ(ports_reached({{0, 2}, {4}}, 2), (std::set<int>{0}));
  EXPECT_EQ(ports_reached({{0, 1}}, 4), (std::set<int>{0, 1}));
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
  EXPECT_EQ(bound_of(analysis, "node/ports receive").servers, 4);
  EXPECT_LE(run(scenario).throughput.per_second, analysis.throughput.per_second * 1.01);
}

}  // namespace
}  // namespace doorbell::analytic
