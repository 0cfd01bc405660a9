// What a thread computes with the requests that it has taken.
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// RPCs to one thread, of which `rare` take longer.
RunResult run_with(std::vector<RareRequest> rare, int window = 1) {
  ComputeStep step = compute(Time{0}, 1us);
  step.mix = std::move(rare);
  const QueuePairs pairs = queue_pairs(Transport::ud);
  Scenario scenario = scenario_of(steady_machine(), program(pairs, {post_window(Verb::send, 8, window), await(1)}),
                                  program(pairs, {collect(Channel::completion_queue, 4), step, answer(8, 4)}));
  scenario.measure.duration = 20ms;
  return run(scenario);
}

TEST(ThreadCollect, AShareOfTheRequestsTakesLonger) {
  const RunResult all_alike = run_with({});
  const RunResult some = run_with({{0.1, 11us}, {0.05, 21us}});
  EXPECT_NEAR(to_nanoseconds(some.latency.mean - all_alike.latency.mean), 2000, 150);
  EXPECT_EQ(some.latency.p50, all_alike.latency.p50);
  EXPECT_GT(some.latency.p99, 20us);
}

TEST(ThreadCollect, NoneIsRareAndAllMayBe) {
  EXPECT_EQ(run_with({{0, 11us}}).latency.mean, run_with({}).latency.mean);
  EXPECT_NEAR(to_nanoseconds(run_with({{1, 11us}}).latency.mean - run_with({}).latency.mean), 10'000, 1);
}

TEST(ThreadCollect, EachRequestOfAPassIsChosenByItself) {
  // Four at a time: a pass of four takes as long as its requests together.
  const double mean = 1 + 0.5 * 9;
  EXPECT_LE(run_with({{0.5, 10us}}, 16).throughput.per_second, 1.02e6 / mean);
  EXPECT_GE(run_with({{0.5, 10us}}, 16).throughput.per_second, 0.9e6 / mean);
}

TEST(ThreadCollect, WhatIsKeptTakesItsOwnTimeAndIsAcknowledged) {
  const auto run_store = [](KeptRequests kept, std::optional<Bytes> acknowledgement) {
    PostStep asking = post_window(Verb::send, 16, 1);
    asking.mix = {{.share = 0.25, .verb = Verb::send, .payload = 1_KiB, .region = {}}};
    ComputeStep step = compute(Time{0}, 1us);
    step.keep = kept;
    PostStep answering = answer(4096, 4);
    answering.acknowledgement = acknowledgement;
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Scenario scenario = scenario_of(steady_machine(), program(pairs, {asking, await(1)}),
                                    program(pairs, {collect(Channel::completion_queue, 4), step, answering}));
    scenario.measure.duration = 20ms;
    return run(scenario);
  };
  const auto bytes_per_answer = [](const RunResult& result) {
    // Payload and CQE, in whole cache lines, and a 64th of the CQE of a request.
    return 64 * static_cast<double>(counter(result, "client/PCIeItoM").count) /
           (result.throughput.per_second * to_seconds(result.simulated));
  };
  const RunResult alike = run_store({.carrying = 1_KiB}, std::nullopt);
  EXPECT_NEAR(bytes_per_answer(alike) / (4096 + 65), 1, 0.01);
  EXPECT_NEAR(bytes_per_answer(run_store({.carrying = 1_KiB}, 0_B)) / (0.75 * 4096 + 65), 1, 0.03);
  EXPECT_NEAR(bytes_per_answer(run_store({.carrying = 16_B}, 0_B)) / 65, 1, 0.01);
  const RunResult slow = run_store({.carrying = 1_KiB, .per_item = 21us}, std::nullopt);
  EXPECT_NEAR(to_nanoseconds(slow.latency.mean - alike.latency.mean), 5000, 250);
  EXPECT_EQ(slow.latency.p50, alike.latency.p50);
}

TEST(ThreadCollect, WhatIsKeptTakesItsTimeWhereNobodyAnswers) {
  const auto rate_with = [](double share) {
    PostStep asking = post(Verb::send, 16, 1);
    asking.mix = {{.share = share, .verb = Verb::send, .payload = 1_KiB, .region = {}}};
    ComputeStep step = compute(Time{0}, 1us);
    step.keep = {.carrying = 1_KiB, .per_item = 5us};
    const QueuePairs pairs = queue_pairs(Transport::rc);
    Scenario scenario = scenario_of(steady_machine(), program(pairs, {asking}),
                                    program(pairs, {collect(Channel::completion_queue, 4), step}));
    scenario.measure.program = "server";
    scenario.measure.duration = 2ms;
    return run(scenario).throughput.per_second;
  };
  for (const double share : {0.1, 0.5, 0.9}) EXPECT_NEAR(rate_with(share) * (1e-6 + share * 4e-6), 1, 0.15) << share;
}

TEST(ThreadCollect, WhatIsKeptIsAcknowledgedBehindTwoStepsThatCollect) {
  const auto bytes_per_answer = [](bool twice) {
    PostStep asking = post_window(Verb::send, 16, 8);
    asking.mix = {{.share = 0.5, .verb = Verb::send, .payload = 1_KiB, .region = {}}};
    ComputeStep step = compute(1us);
    step.keep = KeptRequests{.carrying = 1_KiB};
    PostStep answering = answer(4096, 4);
    answering.acknowledgement = 0_B;
    std::vector<Step> loop{collect(Channel::completion_queue, 2)};
    if (twice) loop.emplace_back(collect(Channel::completion_queue, 2));
    loop.insert(loop.end(), {step, answering});
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Scenario scenario =
        scenario_of(steady_machine(), program(pairs, {asking, await(1)}), program(pairs, std::move(loop)));
    scenario.measure.duration = 10ms;
    const RunResult result = run(scenario);
    return 64 * static_cast<double>(counter(result, "client/PCIeItoM").count) /
           (result.throughput.per_second * to_seconds(result.simulated));
  };
  EXPECT_NEAR(bytes_per_answer(true) / bytes_per_answer(false), 1, 0.05);
}

TEST(ThreadCollect, RecvsTakeTimeByPassAndByRequest) {
  const auto time_of_four = [](Time per_pass, Time per_item, Time per_recv) {
    HardwareProfile hardware = steady_machine();
    hardware.cpu.recv_cost = per_recv;
    ReplenishStep recvs = replenish();
    recvs.per_pass = per_pass;
    recvs.per_item = per_item;
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Scenario scenario =
        scenario_of(hardware, program(pairs, {post_window(Verb::send, 8, 32), await(1)}, 2),
                    program(pairs, {collect(Channel::completion_queue, 4), recvs, compute(2us), answer(8, 4)}));
    scenario.measure.duration = 2ms;
    return 4e9 / run(scenario).throughput.per_second;
  };
  const double least = time_of_four(0ns, 0ns, 0ns);
  EXPECT_NEAR(time_of_four(500ns, 0ns, 0ns) - least, 500, 10);
  EXPECT_NEAR(time_of_four(0ns, 200ns, 0ns) - least, 800, 10);
  EXPECT_NEAR(time_of_four(0ns, 0ns, 200ns) - least, 800, 10);
}

TEST(ThreadCollect, WhoPollsASharedQueueLooksWhenItsLineHasCome) {
  const auto latency = [](Time transfer, int queues) {
    HardwareProfile hardware = steady_machine();
    hardware.shared_line.transfer = transfer;
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Program server = program(pairs, {collect(Channel::completion_queue), answer(8)}, 2);
    server.completion.shared_queues = queues;
    return to_nanoseconds(
        run(scenario_of(hardware, program(pairs, {post_window(Verb::send, 8, 1), await(1)}), std::move(server)))
            .latency.mean);
  };
  // Half a transfer until it looks, and one for the lock, which the other thread had.
  EXPECT_NEAR(latency(240ns, 1) - latency(40ns, 1), 1.5 * 200, 1);
  EXPECT_EQ(latency(240ns, 2), latency(40ns, 2));
}

TEST(ThreadCollect, TheMeanIsThatOfAllKinds) {
  ComputeStep step = compute(Time{0}, 1us);
  EXPECT_EQ(mean_per_item(step, 0), 1us);
  step.mix = {{0.25, 3us}, {0.5, 500ns}};
  EXPECT_EQ(mean_per_item(step, 0), 1250ns);
  step.keep = KeptRequests{};
  EXPECT_EQ(mean_per_item(step, 0.5), 1250ns);
  step.keep->per_item = 2250ns;
  EXPECT_EQ(mean_per_item(step, 0.5), 1750ns);
  EXPECT_EQ(mean_per_item(step, 1), 2250ns);
}

/// Requests that the test delivers to a server which has no others.
class DeliveredRequests {
 public:
  DeliveredRequests(const HardwareProfile& hardware, Transport transport, PostStep step, Program server, int sources)
      : scenario_{scenario_of(hardware, program(queue_pairs(transport), {compute(1s), std::move(step)}, sources),
                              std::move(server))} {}

  /// From `source`, to be seen at `visible`.
  void deliver(std::size_t source, Time visible) {
    const ProgramPlan& client = simulation_.program("client");
    Message& request = *simulation_.messages().take();
    request.plan = &std::get<PostPlan>(client.steps[1]).plans.front().own.single;
    request.queue_pair = client.threads[source]->queue_pairs()[0][0].get();
    request.visible = visible;
    simulation_.program("server").threads.front()->deliver(request);
  }
  /// How many have been collected until then.
  std::uint64_t collected_by(Time when) {
    simulation_.calendar().run_until(when);
    return statistics(simulation_, "server").operations;
  }

 private:
  Scenario scenario_;
  Simulation simulation_{scenario_};
};

// Links and drives tell in no common order what will be there when.
TEST(ThreadCollect, AThreadIsWokenForWhatCanBeSeenFirst) {
  DeliveredRequests requests{steady_machine(), Transport::uc, post(Verb::write, 8),
                             program(queue_pairs(Transport::uc), {collect(Channel::memory), compute(1s)}), 3};
  ASSERT_EQ(requests.collected_by(8us), 0U);  // it waits
  requests.deliver(0, 20us);
  requests.deliver(1, 10us);
  requests.deliver(2, 15us);
  EXPECT_EQ(requests.collected_by(10us - 1ns), 0U);
  EXPECT_EQ(requests.collected_by(10us), 1U);
}

TEST(ThreadCollect, ASweepFindsWhatCanBeSeenWhenItBeginsAndNothingElse) {
  // Three slots of 10 ns: it begins half a sweep after what it was waiting for.
  CollectStep sweep = collect(Channel::memory, 4);
  sweep.per_slot = 10ns;
  DeliveredRequests requests{steady_machine(), Transport::uc, post(Verb::write, 8),
                             program(queue_pairs(Transport::uc), {sweep, compute(1us)}), 3};
  constexpr Time begin = 10us + 15ns;
  ASSERT_EQ(requests.collected_by(8us), 0U);  // it waits
  requests.deliver(0, 10us);
  requests.deliver(1, begin);
  requests.deliver(2, begin + Time{1});
  EXPECT_EQ(requests.collected_by(begin), 2U);
  EXPECT_EQ(requests.collected_by(begin + 10ns + 1us - Time{1}), 2U) << "a slot is empty, and then it computes";
  EXPECT_EQ(requests.collected_by(begin + 10ns + 1us), 3U);
}

TEST(ThreadCollect, OfASharedQueueItFindsWhatCanBeSeenWhenItHasTheLock) {
  // The first thread polls one request for 1 us. The second one asks for the lock 300 ns later, and finds what came
  // until it has it, but not what comes while it polls.
  HardwareProfile hardware = steady_machine();
  hardware.cpu.poll_cqe = 1us;
  hardware.shared_line = {.local = 0ns, .transfer = 0ns, .cross_ring = 0ns, .ring_cores = 8};
  const QueuePairs pairs = queue_pairs(Transport::ud);
  Program server = program(pairs, {collect(Channel::completion_queue, 4), compute(20us)}, 2);
  server.completion.shared_queues = 1;
  DeliveredRequests requests{hardware, Transport::ud, post(Verb::send, 8), server, 1};
  ASSERT_EQ(requests.collected_by(8us), 0U);  // both wait
  for (const Time visible : {Time{10us}, Time{10us + 300ns}, Time{11us}, 11us + Time{1}}) requests.deliver(0, visible);
  EXPECT_EQ(requests.collected_by(10us), 1U);
  EXPECT_EQ(requests.collected_by(10us + 299ns), 1U);
  EXPECT_EQ(requests.collected_by(10us + 300ns), 3U);
  EXPECT_EQ(requests.collected_by(30us), 3U);
}

TEST(ThreadCollect, WhoSweepsMemoryFindsARequestAfterHalfASweep) {
  const auto latency = [](Time per_slot) {
    CollectStep sweep = collect(Channel::memory);
    sweep.per_slot = per_slot;
    const Scenario scenario =
        scenario_of(steady_machine(), program(queue_pairs(Transport::uc), {post_window(Verb::write, 8, 1), await(1)}),
                    program(queue_pairs(Transport::ud), {sweep, answer(8)}));
    return to_nanoseconds(run(scenario).latency.mean);
  };
  EXPECT_NEAR(latency(1us) - latency(0ns), 500, 5);
}

TEST(ThreadCollect, LookingForRequestsTakesLongerAtALowerClock) {
  const auto latency = [](double clock, Channel via, Time look) {
    HardwareProfile hardware = steady_machine();
    hardware.cpu.turbo = {Rate{2e9}, Rate{clock}};
    CollectStep looking = collect(via);
    if (via == Channel::memory) looking.per_slot = look;
    const Verb verb = via == Channel::memory ? Verb::write : Verb::send;
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::uc), {post_window(verb, 8, 1), await(1)}),
                                    program(queue_pairs(Transport::ud), {looking, answer(8)}, 2));
    if (via == Channel::completion_queue) hardware_of(scenario, "server").cpu.poll_empty = look;
    scenario.measure.duration = 500us;
    return to_nanoseconds(run(scenario).latency.mean);
  };
  for (const Channel via : {Channel::memory, Channel::completion_queue}) {
    EXPECT_NEAR(latency(2e9, via, 1us) - latency(2e9, via, 1ns), 500, 5);
    EXPECT_NEAR(latency(1e9, via, 1us) - latency(1e9, via, 1ns), 1000, 5);
  }
}

}  // namespace
}  // namespace doorbell::model
