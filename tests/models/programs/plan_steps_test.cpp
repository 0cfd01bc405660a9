// What steps cost and whom they reach, and steps that cannot be.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/programs/program_plan.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

// ---- steps that cannot be ------------------------------------------------------------------------------------------

/// A client does the step, over `pairs`, towards so many servers that do others.
Scenario planned(const Step& step, const QueuePairs& pairs, int servers = 1, std::vector<Step> others = {}) {
  Scenario scenario = scenario_of(connect_ib(), program(pairs, {step}), program(pairs, std::move(others)));
  scenario.machines.front().second.count = servers;
  return scenario;
}

void expect_refused(const Scenario& scenario) { EXPECT_THROW(Simulation{scenario}, std::invalid_argument); }
void expect_planned(const Scenario& scenario) { EXPECT_NO_THROW(Simulation{scenario}); }

TEST(PlanSteps, ASetOfQueuePairsMustBeThere) {
  PostStep step = post(Verb::send, 8);
  expect_planned(planned(step, queue_pairs(Transport::ud)));
  step.queue_pairs = "others";
  expect_refused(planned(step, queue_pairs(Transport::ud)));
}

TEST(PlanSteps, ATransportMustHaveTheVerb) {
  const PostStep step = post(Verb::read, 8);
  expect_planned(planned(step, queue_pairs(Transport::rc)));
  expect_refused(planned(step, queue_pairs(Transport::ud)));
}

TEST(PlanSteps, ConnectedQueuePairsMustReachEachMachine) {
  const PostStep step = post(Verb::write, 8);
  expect_planned(planned(step, queue_pairs(Transport::rc, 3), 3));
  expect_refused(planned(step, queue_pairs(Transport::rc, 2), 3));
  expect_planned(planned(post(Verb::send, 8), queue_pairs(Transport::ud), 3));
}

TEST(PlanSteps, ConnectedAnswersMustReachEachThread) {
  const auto answered = [](Transport transport, int count) {
    Scenario scenario =
        scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(8)}, 2),
                    program(queue_pairs(transport), {collect(Channel::completion_queue, 64), answer(8)}), 4);
    named(scenario.programs, "server").queue_pairs.front().second.count = count;
    return scenario;
  };
  expect_planned(answered(Transport::ud, 1));
  expect_planned(answered(Transport::rc, 8));
  expect_refused(answered(Transport::rc, 7));
}

TEST(PlanSteps, ConnectedRelaysMustReachEachMachine) {
  const auto relayed = [](Transport transport, int count) {
    PostStep relay = post(Verb::write, 8);
    relay.queue_pairs = "relays";
    relay.to = "client";
    relay.relay.emplace();
    Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), relay, answer(8)});
    server.queue_pairs.emplace_back("relays", queue_pairs(transport, count));
    return scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), std::move(server), 3);
  };
  expect_planned(relayed(Transport::rc, 3));
  expect_refused(relayed(Transport::rc, 2));
}

TEST(PlanSteps, OthersMustBeThere) {
  PostStep step = post(Verb::send, 8);
  step.to = "client";
  step.destination = Destination::others;
  Scenario scenario = planned(step, queue_pairs(Transport::rc));
  expect_refused(scenario);
  scenario.machines.back().second.count = 2;
  expect_planned(scenario);
}

TEST(PlanSteps, WhatIsAccessedMustBeThere) {
  AccessStep access;
  access.size = 4_KiB;
  const std::vector<Step> loop{collect(Channel::completion_queue), access, answer(8)};
  Scenario scenario = planned(post(Verb::send, 8), queue_pairs(Transport::ud), 1, loop);
  expect_refused(scenario);
  scenario.machines.front().second.drives = DriveGroup{round_drive(), 1};
  expect_planned(scenario);
  std::get<AccessStep>(scenario.programs.front().second.loop[1]).device = AccessedDevice::remote;
  expect_refused(scenario);
}

// ---- what they cost ------------------------------------------------------------------------------------------------

TEST(PlanSteps, WhatIsMixedInCostsWhatItCostsByItself) {
  for (const int batch : {1, 8}) {
    PostStep large = post(Verb::write, 188, batch);
    large.region = region(16, 256);
    PostStep small = large;
    small.payload = Bytes{16};
    PostStep mixed = small;
    mixed.mix = {{.share = 1, .verb = Verb::write, .payload = Bytes{188}, .region = large.region}};
    const auto result = [](const PostStep& step) {
      Scenario scenario =
          scenario_of(steady_machine(), program(queue_pairs(Transport::rc), {step, await(0)}), sink(), 2);
      return run(scenario);
    };
    const RunResult by_itself = result(large);
    const RunResult in_mix = result(mixed);
    EXPECT_EQ(in_mix.throughput.per_second, by_itself.throughput.per_second) << batch;
    EXPECT_EQ(counter(in_mix, "client/PCIeRdCur").count, counter(by_itself, "client/PCIeRdCur").count) << batch;
    EXPECT_LT(in_mix.throughput.per_second, 0.95 * result(small).throughput.per_second) << batch;
  }
}

TEST(PlanSteps, AnswersCostEachProgramWhatItsOwnRecvsSay) {
  // The NIC puts the payload into the CQE for those who ask for that, and only for them.
  HardwareProfile hardware = connect_ib();
  hardware.nic.inline_receive = Bytes{64};
  hardware.nic.rx_inline = 50ns;  // not to be overlooked
  const auto asker = [](bool inline_receive) {
    QueuePairs pairs = queue_pairs(Transport::ud);
    pairs.inline_receive = inline_receive;
    Program result = program(pairs, {post_window(Verb::send, 8, 8), await(1)});
    result.machine = "client";
    return result;
  };
  const Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 4), answer(8, 4)});
  const auto time_per_answer = [&](bool inline_receive) {
    Scenario scenario = scenario_of(hardware, asker(inline_receive), server);
    scenario.measure.duration = 1ms;
    const RunResult result = run(scenario);
    return busy(result, "client/NIC receive pipeline") / result.throughput.per_second;
  };
  const double plain = time_per_answer(false);
  const double within = time_per_answer(true);
  EXPECT_GT(within, plain + 45e-9);
  for (const bool first : {false, true}) {
    Scenario scenario = scenario_of(hardware, asker(first), server);
    scenario.programs.emplace_back("other", asker(!first));
    scenario.measure.duration = 1ms;
    const RunResult result = run(scenario);
    // Both have the same window, and so the same rate.
    const double both = busy(result, "client/NIC receive pipeline") / result.throughput.per_second;
    EXPECT_NEAR(both, plain + within, 5e-9);
  }
}

// ---- what a program keeps of them ----------------------------------------------------------------------------------

TEST(PlanSteps, EachOperationHasARegionOfItsOwn) {
  PostStep first = post(Verb::write, 8);
  first.mix = {{.share = 0.5, .verb = Verb::write, .payload = 8_B, .region = region(16, 64)}};
  const PostStep second = post(Verb::write, 8);
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {first, compute(1us), second}), sink());
  Simulation simulation{scenario};
  const ProgramPlan& plan = simulation.program("client");
  ASSERT_EQ(plan.steps.size(), 3U);
  EXPECT_EQ(plan.calls_of_steps.size(), 3U);
  const PostPlan& before = std::get<PostPlan>(plan.steps[0]);
  const PostPlan& behind = std::get<PostPlan>(plan.steps[2]);
  EXPECT_EQ(before.number, 0U);
  EXPECT_EQ(behind.number, 2U) << "of the step in the loop";
  EXPECT_EQ(before.first_region, 0U);
  EXPECT_EQ(behind.first_region, 2U) << "behind that of what is mixed in";
  EXPECT_EQ(plan.regions, 3U);
}

}  // namespace
}  // namespace doorbell::model
