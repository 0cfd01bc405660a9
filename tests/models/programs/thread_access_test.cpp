// Programs whose requests go to drives before they are answered.
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/programs/thread.hpp"
#include "models/remote_server.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Requests that carry 4 KiB write it.
AccessStep access() {
  AccessStep step;
  step.size = 4_KiB;
  step.operation = AccessKind::carried;
  return step;
}

/// Of which some carry data.
PostStep requests(int window, double write_share) {
  PostStep step = post_window(Verb::send, 32, window);
  step.inlined = false;
  step.mix = {{.share = write_share, .verb = Verb::send, .payload = 4_KiB, .region = {}}};
  return step;
}

PostStep answer_with_data() {
  PostStep step = answer(4096, 8);
  step.inlined = false;
  return step;
}

/// Clients that keep `window` requests in flight, and a server of `threads` with `drives` drives.
Scenario target(int window, int threads, int drives, double write_share = 0, const AccessStep& step = access()) {
  const QueuePairs connected = queue_pairs(Transport::rc);
  QueuePairs answers = queue_pairs(Transport::rc, 4);
  answers.depth = 512;
  Scenario scenario =
      scenario_of(attentive_machine(), program(connected, {requests(window, write_share), await(1)}, 4),
                  program(answers, {collect(Channel::completion_queue, 32), step, answer_with_data()}, threads));
  for (auto& [name, group] : scenario.machines) {
    if (name == "server") group.drives = DriveGroup{round_drive(), drives};
  }
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 4ms;
  return scenario;
}

std::uint64_t count(const RunResult& result, const std::string& name) {
  for (const CounterReading& item : result.counters) {
    if (item.name == name) return item.count;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(ThreadAccess, ARequestIsAnsweredWhenItsDataAreThere) {
  Scenario scenario = target(1, 1, 1);
  for (auto& [name, program] : scenario.programs) program.threads = 1;
  const RunResult with = run(scenario);
  for (auto& [name, program] : scenario.programs) {
    if (name == "server") program.loop.erase(program.loop.begin() + 1);
  }
  const Time more = with.latency.mean - run(scenario).latency.mean;
  const double command = level(with, "server/command of a drive (us)") * 1e3;
  EXPECT_NEAR(to_nanoseconds(more), command + to_nanoseconds(scenario.machines.front().second.hardware.cpu.poll_cqe),
              5);
}

TEST(ThreadAccess, TakesWhatCanBeSeenFirstWhateverItWasToldFirst) {
  // A drive behind a busy link tells early of what is there late.
  Scenario scenario = target(1, 1, 1);
  Simulation simulation{scenario};
  Thread& server = *simulation.program("server").threads.front();
  const auto taken = [&] { return simulation.program("server").calls_of_steps.back(); };
  const auto request = [&] {
    Message& message = *simulation.messages().take();
    message.plan = &std::get<PostPlan>(simulation.program("client").steps.front()).plans.front().own.single;
    message.queue_pair = simulation.program("client").threads.front()->queue_pairs()[0][0].get();
    return &message;
  };
  simulation.calendar().run_until(1us);
  const std::uint64_t before = taken();
  server.command_done(request(), 500us);
  server.command_done(request(), 3us);
  simulation.calendar().run_until(5us);
  EXPECT_EQ(taken() - before, 1U);
}

TEST(ThreadAccess, WhoSleepsUntilDataAreThereIsWokenForThemAsForTheRequest) {
  Scenario scenario = target(1, 1, 1);
  for (auto& [name, program] : scenario.programs) {
    program.threads = 1;
    if (name == "server") program.completion.mode = WaitMode::event;
  }
  for (auto& [name, group] : scenario.machines) {
    group.hardware.cpu.variation = 0;
    group.software.emplace();
    group.software->driver = {.interrupt_latency = 5us};
  }
  Simulation simulation{scenario};
  simulation.calendar().run_until(4ms);
  const ProgramStatistics& done = statistics(simulation, "client");
  EXPECT_NEAR(to_nanoseconds(done.asleep) / static_cast<double>(done.operations), 2 * 5000, 100);
}

TEST(ThreadAccess, DrivesLimitAsTheirControllersDo) {
  for (const int drives : {1, 2}) {
    const RunResult result = run(target(128, 2, drives));
    EXPECT_NEAR(result.throughput.per_second / (drives * 1e6), 1, 0.02) << drives;
    EXPECT_EQ(result.bottleneck.resource, "server/drives: controllers") << drives;
    EXPECT_EQ(result.bottleneck.limit, Limit::drive) << drives;
  }
}

TEST(ThreadAccess, TakesNoMoreCompletionsAtATimeThanItMay) {
  AccessStep one = access();
  one.at_most = 1;
  const auto batch = [](const AccessStep& step) {
    for (const ProgramSummary& done : run(target(128, 1, 8, 0, step)).programs) {
      if (done.program == "server") return done.mean_batch;
    }
    return 0.0;
  };
  EXPECT_GT(batch(access()), 1.5);
  EXPECT_NEAR(batch(one), 1, 0.02);
}

TEST(ThreadAccess, EveryRequestIsOneCommand) {
  const RunResult result = run(target(16, 2, 4, 0.25));
  const double reads = static_cast<double>(count(result, "server/reads of drives"));
  const double writes = static_cast<double>(count(result, "server/writes to drives"));
  const double requests = result.throughput.per_second * to_seconds(result.simulated);
  EXPECT_NEAR((reads + writes) / requests, 1, 0.02);
  EXPECT_NEAR(writes / (reads + writes), 0.25, 0.03);
}

TEST(ThreadAccess, MoreAmplificationMeansFewerWrites) {
  AccessStep step = access();
  step.operation = AccessKind::write;
  step.size = 16_KiB;
  const auto rate = [&](double amplification) {
    step.write_amplification = amplification;
    Scenario scenario = target(64, 2, 1, 0, step);
    scenario.measure.warmup = 20ms;  // until the buffer is full
    scenario.measure.duration = 20ms;
    return run(scenario).throughput.per_second;
  };
  EXPECT_NEAR(rate(1) / (64 / 500e-6), 1, 0.03);
  EXPECT_NEAR(rate(4) / (16 / 500e-6), 1, 0.03);
}

TEST(ThreadAccess, WhatWasWrittenIsAcknowledgedInFewBytes) {
  const auto bytes_per_answer = [](double write_share, std::optional<Bytes> acknowledgement) {
    Scenario scenario = target(16, 2, 4, write_share);
    for (auto& [name, program] : scenario.programs) {
      if (name != "server") continue;
      std::get<PostStep>(program.loop.back()).acknowledgement = acknowledgement;
    }
    const RunResult result = run(scenario);
    // Of a client's answers: payload and CQE, in whole cache lines.
    return 64 * static_cast<double>(count(result, "client/PCIeItoM")) /
           (result.throughput.per_second * to_seconds(result.simulated));
  };
  EXPECT_NEAR(bytes_per_answer(0, 16_B) / (4096 + 64), 1, 0.05);
  EXPECT_NEAR(bytes_per_answer(1, std::nullopt) / (4096 + 64), 1, 0.05);
  EXPECT_NEAR(bytes_per_answer(1, 16_B) / (64 + 64), 1, 0.05);
  EXPECT_NEAR(bytes_per_answer(0.5, 16_B) / (2080 + 64), 1, 0.1);
}

TEST(ThreadAccess, EachThreadWalksThroughItsOwnPartOfARemoteDeviceOverAndOver) {
  // Each of two threads has 8 blocks of 4 KiB, which are a stripe: the first of two lenders has those of the first
  // thread, the second one those of the other, which has half as many requests.
  AccessStep step;
  step.device = AccessedDevice::remote;
  step.operation = AccessKind::write;
  step.order = AccessOrder::sequential;
  step.size = 4_KiB;
  step.extent = 64_KiB;
  Scenario scenario = remote_server(1, 2, step);
  access_of(scenario).stripe = 32_KiB;
  Program& client = named(scenario.programs, "client");
  client.threads = 3;
  std::get<PostStep>(client.loop.front()).destination = Destination::fixed;
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  std::vector<double> answered;
  for (Thread* thread : simulation.program("server").threads) {
    double posted = 0;
    for (const auto& pair : thread->queue_pairs().front()) posted += static_cast<double>(pair->posted);
    answered.push_back(posted);
  }
  EXPECT_GT(answered[1], 4 * 8) << "several times its part";
  EXPECT_GT(answered[0], 1.5 * answered[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto lines = simulation.machine_set("lender").instances[i]->nic().dma().lines_written();
    EXPECT_NEAR(static_cast<double>(lines) / 64, answered[i], 2) << "but for those under way";
  }
}

TEST(ThreadAccess, IsTheSameForTheSameSeed) {
  const Scenario scenario = target(16, 2, 4, 0.5);
  const RunResult one = run(scenario);
  const RunResult other = run(scenario);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(one.latency.mean, other.latency.mean);
}

}  // namespace
}  // namespace doorbell::model
