// RECVs of a thread: taken by what arrives with a CQE, and posted again for what has been collected.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/programs/simulation.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

PostStep request_by(Verb verb, bool immediate, int window) {
  PostStep step = post_window(verb, 16, window);
  step.immediate = immediate;
  return step;
}

ReplenishStep refill(int recvs) {
  ReplenishStep step = replenish();
  step.recvs = recvs;
  step.rnr_timer = 10us;
  return step;
}

/// Two clients that ask by `request`, and a server with this loop.
Scenario asked_by(const PostStep& request, Transport transport, std::vector<Step> serving) {
  Scenario scenario =
      scenario_of(steady_machine(), program(queue_pairs(transport), {request, await(1)}, 2),
                  program(queue_pairs(transport == Transport::ud ? Transport::ud : Transport::rc), std::move(serving)));
  scenario.measure.duration = 1ms;
  return scenario;
}

std::uint64_t short_of_recvs(const RunResult& result) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      result.warnings, [](const std::string& warning) { return warning.find("had no RECV") != std::string::npos; }));
}

TEST(ThreadRecvs, ComeBackForAllThatWasCollectedByWhicheverStep) {
  const CollectStep few = collect(Channel::completion_queue, 2);
  for (const Transport transport : {Transport::rc, Transport::ud}) {
    const auto rate = [&](std::vector<Step> serving) {
      const RunResult result = run(asked_by(request_by(Verb::send, false, 4), transport, std::move(serving)));
      EXPECT_EQ(short_of_recvs(result), 0U);
      return result.throughput.per_second;
    };
    const double once = rate({few, compute(Time{0}, 1us), answer(8), refill(16)});
    EXPECT_NEAR(rate({few, few, compute(Time{0}, 1us), answer(8), refill(16)}) / once, 1, 0.1);
    EXPECT_NEAR(rate({refill(16), few, compute(Time{0}, 1us), answer(8)}) / once, 1, 0.1) << "before it collects";
  }
}

TEST(ThreadRecvs, AWriteWithImmediateDataTakesOneAlsoWhereMemoryIsSwept) {
  for (const bool immediate : {false, true}) {
    const auto rate = [&](Time recv_cost) {
      Scenario scenario = asked_by(request_by(Verb::write, immediate, 4), Transport::rc,
                                   {collect(Channel::memory, 4), compute(2us), answer(8), refill(8)});
      for (auto& [name, group] : scenario.machines) group.hardware.cpu.recv_cost = recv_cost;
      const RunResult result = run(scenario);
      EXPECT_EQ(short_of_recvs(result), 0U);
      EXPECT_GT(result.throughput.per_second, 1e5);
      return result.throughput.per_second;
    };
    if (immediate) {
      EXPECT_LT(rate(1us), rate(0ns) * 0.9);
    } else {
      EXPECT_EQ(rate(1us), rate(0ns)) << "there is nothing to post";
    }
  }
}

TEST(ThreadRecvs, AreEnoughForTheWindowOfEachConnectionWhateverOrderDrivesAnswerIn) {
  AccessStep step;
  step.size = 4_KiB;
  Scenario scenario = asked_by(request_by(Verb::send, false, 4), Transport::rc,
                               {collect(Channel::completion_queue, 32), step, refill(4), answer(8)});
  for (auto& [name, group] : scenario.machines) {
    if (name == "server") group.drives = DriveGroup{round_drive(), 3};
  }
  named(scenario.programs, "client").threads = 8;
  scenario.measure.duration = 5ms;
  EXPECT_EQ(short_of_recvs(run(connected(scenario))), 0U);
}

TEST(ThreadRecvs, WorkForEachRequestIsDoneForAllThatStepsInARowHaveCollected) {
  // One thread that takes 1 us for each: a million per second of both kinds together.
  Scenario scenario =
      asked_by(request_by(Verb::send, false, 4), Transport::rc,
               {collect(Channel::completion_queue, 4), collect(Channel::memory, 4), compute(Time{0}, 1us), answer(8)});
  Program writer = named(scenario.programs, "client");
  writer.loop.front() = request_by(Verb::write, false, 4);
  scenario.programs.emplace_back("writer", writer);
  scenario = connected(std::move(scenario));
  Simulation simulation{scenario};
  simulation.calendar().run_until(1ms);
  const double served =
      static_cast<double>(statistics(simulation, "client").operations + statistics(simulation, "writer").operations);
  EXPECT_LT(served, 1000);
  EXPECT_GT(served, 700);
}

TEST(ThreadRecvs, WhatNobodyCollectsDoesNotArrive) {
  // WRITEs without a CQE to who polls for CQEs, and CQEs to who sweeps memory.
  for (const Channel channel : {Channel::completion_queue, Channel::memory}) {
    const bool sweeps = channel == Channel::memory;
    const auto served = [&](Transport transport) {
      Scenario scenario = asked_by(request_by(sweeps ? Verb::write : Verb::send, false, 1), Transport::rc,
                                   {collect(channel, 4), answer(8)});
      PostStep other = request_by(Verb::write, sweeps, 1);
      if (sweeps) other.payload = 0_B;
      scenario.programs.emplace_back("writer", on("client", program(queue_pairs(transport), {other, await(1)})));
      scenario = connected(std::move(scenario));
      Simulation simulation{scenario};
      simulation.calendar().run_until(1ms);
      EXPECT_GT(statistics(simulation, "writer").operations, 100U);
      return std::pair{statistics(simulation, "client").operations, statistics(simulation, "server").operations};
    };
    const auto [asked, collected] = served(Transport::uc);
    EXPECT_LE(collected - asked, 4U) << "requests of the client only";
  }
}

TEST(ThreadRecvs, WhoCollectsAndPostsCountsWhatItCollects) {
  const auto rate = [](Transport transport) {
    PostStep log = post(Verb::write, 16);
    log.to = "memory";
    log.queue_pairs = "log";
    log.signal_every = 4;
    Scenario scenario = asked_by(request_by(Verb::send, false, 0), Transport::ud,
                                 {collect(Channel::completion_queue, 4), compute(1us), log});
    named(scenario.programs, "client").loop = {request_by(Verb::send, false, 0), compute(1us)};
    named(scenario.programs, "server").queue_pairs.emplace_back("log", queue_pairs(transport));
    scenario.machines.emplace_back("store", MachineGroup{"test", steady_machine(), 1});
    scenario.programs.emplace_back("memory", on("store", sink()));
    scenario.measure.program = "server";
    return run(connected(std::move(scenario))).throughput.per_second;
  };
  EXPECT_NEAR(rate(Transport::rc) / rate(Transport::uc), 1, 0.05);
}

}  // namespace
}  // namespace doorbell::model
