// Closed form of programs that post what arrives.
#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using model::Channel;
using model::Scenario;
using model::Transport;
using model::Verb;

model::PostStep arriving(double per_second) {
  model::PostStep step = model::post(Verb::send, 8);
  step.arrivals = model::Arrivals{.rate = Rate{per_second}};
  return step;
}

/// RPCs that take a microsecond of the server's core, from clients at whose two threads so much arrives.
Scenario rpc(double per_second) {
  const model::QueuePairs pairs = model::queue_pairs(Transport::ud);
  return model::scenario_of(
      model::attentive_machine(), model::program(pairs, {arriving(per_second), model::await(1)}, 2),
      model::program(pairs,
                     {model::collect(Channel::completion_queue), model::compute(Time{0}, 1us), model::answer(8)}));
}

TEST(ArrivalAnalysis, NoMoreIsServedThanArrives) {
  const Analysis analysis = analyze(rpc(100e3));
  EXPECT_NEAR(analysis.throughput.per_second, 200e3, 1);
  EXPECT_EQ(analysis.bottleneck, "client/arrivals of client");
  EXPECT_EQ(analysis.next, "server/cores of server");
}

TEST(ArrivalAnalysis, WhatCannotBeServedIsBoundedByTheServer) {
  const Scenario scenario = rpc(800e3);
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/cores of server");
  Scenario run = scenario;
  run.measure.duration = 5ms;
  const double simulated = model::run(run).throughput.per_second;
  EXPECT_NEAR(simulated / analysis.throughput.per_second, 0.99, 0.011);
}

TEST(ArrivalAnalysis, ProgramsShareByTheirRates) {
  Scenario scenario = rpc(100e3);
  model::Program other = scenario.programs.back().second;
  std::get<model::PostStep>(other.loop.front()).arrivals->rate = Rate{300e3};
  scenario.programs.emplace_back("other", other);
  const Analysis analysis = analyze(scenario);
  EXPECT_NEAR(analysis.throughput.per_second, 200e3, 1);
  Scenario crowded = scenario;
  for (auto& [name, program] : crowded.programs) {
    if (model::open_loop(program) != nullptr)
      std::get<model::PostStep>(program.loop.front()).arrivals->rate.per_second *= 10;
  }
  const double alone = analyze(rpc(800e3)).throughput.per_second;
  EXPECT_NEAR(analyze(crowded).shared->per_second / alone, 0.25, 1e-6) << "of what the core serves";
  EXPECT_NEAR(analyze(crowded).throughput.per_second / alone, 1, 1e-6) << "whatever the other one gets";
}

TEST(ArrivalAnalysis, BesideAClosedLoopThatIsMeasuredOnlyThatCounts) {
  Scenario scenario = rpc(100e3);
  model::Program other = scenario.programs.back().second;
  other.loop = {model::post_window(Verb::send, 8, 16), model::await(1)};
  scenario.programs.emplace_back("other", other);
  scenario.measure.program = "other";
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/cores of server");
  EXPECT_LE(model::run(scenario).throughput.per_second, analysis.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::analytic
