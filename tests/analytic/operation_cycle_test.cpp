#include "analytic/operation_cycle.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/fixture.hpp"
#include "models/nic/state_fetch.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using testing::bound_of;

/// Clients of two threads at half the clock of one, each with one SEND at a time, and a server that answers.
model::Scenario one_by_one(std::vector<model::Step> loop, model::CompletionWait wait = {}) {
  model::HardwareProfile hardware = model::connect_ib();
  hardware.cpu.variation = 0;
  hardware.cpu.turbo = {Rate{4e9}, Rate{2e9}};
  loop.insert(loop.begin(), model::post_window(model::Verb::send, 8, 1));
  model::Program server = model::program(model::queue_pairs(model::Transport::ud),
                                         {model::collect(model::Channel::completion_queue), model::answer(8)});
  server.completion = wait;
  model::Scenario scenario = model::scenario_of(
      hardware, model::program(model::queue_pairs(model::Transport::ud), std::move(loop), 2), server);
  for (auto& [name, group] : scenario.machines) group.software.emplace().driver.interrupt_latency = 5us;
  scenario.measure.duration = 5ms;
  return scenario;
}

void expect_as_run(const model::Scenario& scenario, double tolerance) {
  const Analysis analysis = analyze(scenario);
  const model::RunResult result = model::run(scenario);
  EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(analysis.unloaded_latency), 1, tolerance);
  EXPECT_LE(result.throughput.per_second, analysis.throughput.per_second * 1.002);
  EXPECT_GE(result.throughput.per_second, analysis.throughput.per_second * (1 - tolerance));
}

TEST(OperationCycle, TakingWhatIsDoneTakesAsLongAsTheClockMakesIt) {
  model::AwaitStep await = model::await(1);
  await.per_item = 1us;
  expect_as_run(one_by_one({await}), 0.03);
}

/// The same, in which requests are written into a region, and answers into memory if `answered_by` is WRITE.
model::Scenario one_by_one_through_memory(model::Verb answered_by, Time poll_cqe) {
  model::Scenario scenario = one_by_one({model::await(1)});
  model::Program& client = model::named(scenario.programs, "client");
  model::Program& server = model::named(scenario.programs, "server");
  client.queue_pairs.front().second.transport = model::Transport::uc;
  std::get<model::PostStep>(client.loop.front()).verb = model::Verb::write;
  std::get<model::PostStep>(client.loop.front()).destination = model::Destination::fixed;
  model::CollectStep sweep = model::collect(model::Channel::memory);
  sweep.per_slot = 1us;
  server.threads = 2;
  server.queue_pairs.front().second.transport = model::Transport::uc;
  server.loop.front() = sweep;
  std::get<model::PostStep>(server.loop.back()).verb = answered_by;
  for (auto& [name, group] : scenario.machines) group.hardware.cpu.poll_cqe = poll_cqe;
  return scenario;
}

TEST(OperationCycle, SweepsOfOnesOwnSlotsTakeAsLongAsTheClockMakesThem) {
  expect_as_run(one_by_one_through_memory(model::Verb::send, 10ns), 0.03);
}

TEST(OperationCycle, AnswersInMemoryAreNotPolled) {
  expect_as_run(one_by_one_through_memory(model::Verb::send, 500ns), 0.03);
  expect_as_run(one_by_one_through_memory(model::Verb::write, 500ns), 0.03);
}

TEST(OperationCycle, AnOperationWaitsForAThreadThatComputesMeanwhile) {
  expect_as_run(one_by_one({model::compute(15us), model::await(1)}), 0.03);
  expect_as_run(one_by_one({model::await(1), model::compute(15us)}), 0.03);
}

TEST(OperationCycle, WhatAnAwaitDoesNotTakeIsNotComputed) {
  expect_as_run(one_by_one({model::compute(0us, 20us), model::await(1)}), 0.03);
  expect_as_run(one_by_one({model::await(1), model::compute(0us, 2us), model::await(1), model::compute(0us, 20us)}),
                0.03);
}

TEST(OperationCycle, ALoopMayBeginWithWhatEndsIt) {
  model::Scenario scenario = one_by_one({model::await(1)});
  for (auto& [name, program] : scenario.programs) {
    if (name == "client") program.loop = {model::compute(20us), program.loop[1], program.loop[0]};
  }
  expect_as_run(scenario, 0.03);
}

TEST(OperationCycle, WhoIsBusyNeitherSweepsEmptySlotsNorPollsEmptyQueues) {
  for (const model::Channel channel : {model::Channel::memory, model::Channel::completion_queue}) {
    const bool memory = channel == model::Channel::memory;
    model::HardwareProfile hardware = model::connect_ib();
    hardware.cpu.poll_empty = 5us;
    model::CollectStep step = model::collect(channel, 8);
    step.per_slot = 1us;
    const model::Scenario scenario = model::scenario_of(
        hardware,
        model::program(model::queue_pairs(memory ? model::Transport::uc : model::Transport::ud),
                       {model::post_window(memory ? model::Verb::write : model::Verb::send, 8, 1), model::await(1)},
                       16),
        model::program(model::queue_pairs(model::Transport::ud), {step, model::answer(8)}));
    EXPECT_LE(model::run(scenario).throughput.per_second, analyze(scenario).throughput.per_second * 1.01) << memory;
  }
}

/// A server with this loop, which may READ from a third machine; one client asks it one by one.
model::Scenario asking_memory(std::vector<model::Step> loop) {
  model::Program server = model::program(model::queue_pairs(model::Transport::ud), std::move(loop));
  server.queue_pairs.emplace_back("reads", model::queue_pairs(model::Transport::rc));
  model::Scenario scenario =
      model::scenario_of(model::steady_machine(),
                         model::program(model::queue_pairs(model::Transport::ud),
                                        {model::post_window(model::Verb::send, 8, 1), model::await(1)}),
                         server);
  scenario.machines.emplace_back("store", model::MachineGroup{"test", model::steady_machine(), 1});
  scenario.programs.emplace_back("memory", model::on("store", model::sink()));
  scenario.measure.duration = 1ms;
  return model::connected(std::move(scenario));
}

TEST(OperationCycle, AnAnswerWaitsForWhatItsProgramAsksFirst) {
  // Before it collects, it asks while it waits for requests.
  const model::CollectStep collect = model::collect(model::Channel::completion_queue);
  model::PostStep call = model::post_window(model::Verb::read, 64, 1);
  call.to = "memory";
  call.queue_pairs = "reads";
  call.signal_every = 1;
  for (const bool first : {true, false}) {
    std::vector<model::Step> loop{collect, call, model::await(0), model::answer(8)};
    if (!first) loop = {call, model::await(0), model::compute(1us), collect, model::answer(8)};
    const model::Scenario scenario = asking_memory(std::move(loop));
    if (first) expect_as_run(scenario, 0.05);
    EXPECT_LE(model::run(scenario).throughput.per_second, analyze(scenario).throughput.per_second * 1.002) << first;
  }
}

TEST(OperationCycle, TheWindowOfAServerBoundsWhatItAnswers) {
  for (const int window : {1, 2, 8}) {
    model::PostStep call = model::post_window(model::Verb::read, 64, window);
    call.to = "memory";
    call.queue_pairs = "reads";
    call.signal_every = 1;
    model::Scenario scenario =
        asking_memory({model::collect(model::Channel::completion_queue), call, model::await(1), model::answer(8)});
    std::get<model::PostStep>(model::named(scenario.programs, "client").loop.front()).window = 64;
    const Analysis analysis = analyze(scenario);
    EXPECT_EQ(bound_of(analysis, "server/window of server").servers, window);
    const double simulated = model::run(scenario).throughput.per_second;
    EXPECT_LE(simulated, analysis.throughput.per_second * 1.005) << window;
    if (window > 1) continue;
    EXPECT_EQ(analysis.bottleneck, "server/window of server");
    EXPECT_GE(simulated, analysis.throughput.per_second * 0.8) << "it answers one request for each READ";
  }
}

/// Times vary: who has computed for long does not sleep, so that not every operation wakes its thread.
TEST(OperationCycle, NoBoundTakesAThreadForAsleepThatMayStillWork) {
  using Loops = std::vector<std::vector<model::Step>>;
  for (const model::CompletionWait wait :
       {model::CompletionWait{model::WaitMode::event}, model::CompletionWait{model::WaitMode::adaptive, 10},
        model::CompletionWait{.mode = model::WaitMode::timer, .timer = 20us}}) {
    for (const std::vector<model::Step>& loop :
         Loops{{model::await(1)}, {model::compute(1500ns), model::await(1)}, {model::await(1), model::compute(4us)}}) {
      for (const int threads : {1, 2}) {
        model::Scenario scenario = one_by_one(loop, wait);
        for (auto& [name, program] : scenario.programs) {
          program.threads = threads;
          program.completion = wait;
        }
        for (auto& [name, group] : scenario.machines) group.hardware.cpu.variation = 0.5;
        const model::RunResult result = model::run(scenario);
        EXPECT_LE(result.throughput.per_second - result.throughput_ci95.per_second,
                  analyze(scenario).throughput.per_second * 1.005)
            << static_cast<int>(wait.mode) << ' ' << loop.size() << ' ' << threads;
      }
    }
  }
}

TEST(OperationCycle, WhoPollsForRoomDoesNotSleep) {
  model::Program reader =
      model::program(model::queue_pairs(model::Transport::rc), {model::post(model::Verb::read, 64), model::await(1)});
  std::get<model::PostStep>(reader.loop.front()).signal_every = 1;
  reader.completion.mode = model::WaitMode::event;
  model::Scenario scenario = model::scenario_of(model::connect_ib(), reader, model::sink());
  for (auto& [name, group] : scenario.machines) group.software.emplace().driver.interrupt_latency = 5us;
  const model::RunResult result = model::run(scenario);
  EXPECT_LE(result.throughput.per_second, analyze(scenario).throughput.per_second * 1.01);
}

/// A timer runs on whatever comes: of so many operations one finds the server asleep.
TEST(OperationCycle, ATimerEndsAmongOperations) {
  for (const Time timer : {3us, 10us, 20us, 37us, 100us}) {
    for (const Time delay : {1us, 5us, 20us}) {
      model::Scenario scenario = one_by_one({model::await(1)}, {.mode = model::WaitMode::timer, .timer = timer});
      for (auto& [name, program] : scenario.programs) program.threads = 1;
      for (auto& [name, group] : scenario.machines) group.software->driver.interrupt_latency = delay;
      const Analysis analysis = analyze(scenario);
      const model::RunResult result = model::run(scenario);
      EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(analysis.unloaded_latency), 1, 0.005)
          << to_nanoseconds(timer) << ' ' << to_nanoseconds(delay);
      EXPECT_LE(result.throughput.per_second, analysis.throughput.per_second * 1.001)
          << to_nanoseconds(timer) << ' ' << to_nanoseconds(delay);
      EXPECT_GE(result.throughput.per_second, analysis.throughput.per_second * 0.97)
          << to_nanoseconds(timer) << ' ' << to_nanoseconds(delay);
    }
  }
}

TEST(OperationCycle, AloneBothSidesAreWokenUnlessTheyPollLongEnough) {
  const auto scenario_of = [](model::CompletionWait wait) {
    model::HardwareProfile hardware = model::connect_ib();
    hardware.cpu.variation = 0;
    model::Program server = model::program(model::queue_pairs(model::Transport::rc),
                                           {model::collect(model::Channel::completion_queue), model::answer(8)});
    model::Program client = model::program(model::queue_pairs(model::Transport::rc),
                                           {model::post_window(model::Verb::send, 8, 1), model::await(1)});
    server.completion = wait;
    client.completion = wait;
    model::Scenario scenario = model::scenario_of(hardware, client, server);
    for (auto& [name, group] : scenario.machines) {
      group.software.emplace();
      group.software->driver.interrupt_latency = 2us;
      group.software->driver.interrupt = 1us;
    }
    return scenario;
  };
  const Time busy = analyze(scenario_of({model::WaitMode::busy})).unloaded_latency;
  const Time event = analyze(scenario_of({model::WaitMode::event})).unloaded_latency;
  EXPECT_NEAR(to_nanoseconds(event - busy), 6000, 20);
  EXPECT_EQ(analyze(scenario_of({model::WaitMode::adaptive, 10000})).unloaded_latency, busy);
  EXPECT_EQ(analyze(scenario_of({model::WaitMode::adaptive, 10})).unloaded_latency, event);
  for (const model::WaitMode mode : {model::WaitMode::busy, model::WaitMode::event}) {
    model::Scenario scenario = scenario_of({mode});
    scenario.measure.duration = 20ms;
    const Analysis analysis = analyze(scenario);
    const model::RunResult result = model::run(scenario);
    EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(analysis.unloaded_latency), 1, 0.012);
    EXPECT_LE(result.throughput.per_second, analysis.throughput.per_second * 1.001);
    EXPECT_GE(result.throughput.per_second, analysis.throughput.per_second * 0.98);
  }
}

TEST(OperationCycle, ASweepForSeveralRequestsLooksIntoAllSlotsBeforeTheFirstIsAnswered) {
  constexpr int slots = 9;
  const auto latency = [](int at_most) {
    model::CollectStep sweep = model::collect(model::Channel::memory, at_most);
    sweep.per_slot = 20ns;
    const model::Program server = model::program(model::queue_pairs(model::Transport::ud), {sweep, model::answer(8)});
    const model::Program client =
        model::program(model::queue_pairs(model::Transport::uc),
                       {model::post_window(model::Verb::write, 8, 1), model::await(1)}, slots);
    return to_nanoseconds(analyze(model::scenario_of(model::connect_ib(), client, server)).unloaded_latency);
  };
  // One request is found halfway through the other eight, on average.
  EXPECT_NEAR(latency(2) - latency(1), 20 * 8 / 2, 1e-3);
}

TEST(OperationCycle, WhatAnAnswerIsComputedInTakesAsLongAsTheClockMakesIt) {
  const auto latency = [](int threads, Time time, bool forwards) {
    model::HardwareProfile hardware = model::connect_ib();
    hardware.cpu.turbo = {Rate{4e9}, Rate{2e9}};
    std::vector<model::Step> loop{model::collect(model::Channel::completion_queue), model::compute(time),
                                  model::answer(8)};
    if (forwards) {
      model::PostStep forward = model::post(model::Verb::send, 8);
      forward.to = "log";
      loop.insert(loop.begin() + 1, forward);
    }
    model::Scenario scenario =
        model::scenario_of(hardware,
                           model::program(model::queue_pairs(model::Transport::ud),
                                          {model::post_window(model::Verb::send, 8, 1), model::await(1)}),
                           model::program(model::queue_pairs(model::Transport::ud), loop, threads));
    scenario.machines.emplace_back("log", model::MachineGroup{"test", hardware, 1});
    scenario.programs.emplace_back("log", model::sink());
    scenario.programs.back().second.machine = "log";
    return to_nanoseconds(analyze(scenario).unloaded_latency);
  };
  for (const bool forwards : {false, true}) {
    EXPECT_NEAR(latency(1, 2us, forwards) - latency(1, 1us, forwards), 1000, 1e-2);
    EXPECT_NEAR(latency(2, 2us, forwards) - latency(2, 1us, forwards), 2000, 1e-2);
  }
}

TEST(OperationCycle, RecvsThatArePostedBeforeTheAnswerDelayIt) {
  model::HardwareProfile hardware = model::connect_ib();
  hardware.cpu.turbo = {Rate{4e9}, Rate{2e9}};  // two threads halve the clock
  model::ReplenishStep recvs = model::replenish();
  recvs.per_pass = 100ns;
  recvs.per_item = 40ns;
  const auto latency = [&](const std::vector<model::Step>& serving, int shared_queues) {
    model::Program server = model::program(model::queue_pairs(model::Transport::ud), serving, 2);
    server.completion.shared_queues = shared_queues;
    const model::Program client = model::program(model::queue_pairs(model::Transport::ud),
                                                 {model::post_window(model::Verb::send, 8, 1), model::await(1)});
    return analyze(model::scenario_of(hardware, client, server)).unloaded_latency;
  };
  const model::CollectStep taking = model::collect(model::Channel::completion_queue);
  const auto delay = [&](int shared_queues) {
    return latency({taking, recvs, model::answer(8)}, shared_queues) -
           latency({taking, model::answer(8), recvs}, shared_queues);
  };
  EXPECT_EQ(delay(0), 2 * (100ns + 40ns + hardware.cpu.recv_cost));
  const Time lock = hardware.shared_line.local + hardware.shared_line.transfer;
  EXPECT_EQ(delay(1), 2 * (100ns + 40ns + hardware.cpu.recv_cost) + lock);
}

TEST(OperationCycle, WhoThinksForLongFindsTheServerAsleep) {
  const auto latency = [](std::vector<model::Step> loop, int polls) {
    model::Program server = model::program(model::queue_pairs(model::Transport::ud),
                                           {model::collect(model::Channel::completion_queue), model::answer(8)});
    server.completion = {model::WaitMode::adaptive, polls};  // of 10 ns
    loop.insert(loop.begin(), model::post_window(model::Verb::send, 8, 1));
    const model::Program client = model::program(model::queue_pairs(model::Transport::ud), std::move(loop));
    model::Scenario scenario = model::scenario_of(model::connect_ib(), client, server);
    scenario.machines.front().second.software.emplace().driver.interrupt_latency = 5us;
    return analyze(scenario).unloaded_latency;
  };
  const model::Step await = model::await(1);
  const Time alone = latency({await}, 2000);
  EXPECT_LT(alone, 5us);
  EXPECT_EQ(latency({await, model::compute(10us)}, 2000), alone) << "it still polls";
  EXPECT_NEAR(to_nanoseconds(latency({await, model::compute(30us)}, 2000) - alone), 5000, 20);
  EXPECT_NEAR(to_nanoseconds(latency({await, model::compute(0us, 30us)}, 2000) - alone), 5000, 20);
  EXPECT_EQ(latency({model::compute(1us), await}, 230), alone) << "meanwhile";
}

TEST(OperationCycle, AWindowThatIsAwaitedAsAWholeTurnsAsItsLastCallDoes) {
  const auto of = [](int batch, int at_least, bool simulated) {
    model::PostStep step = model::post_window(model::Verb::write, 8, 8, batch);
    step.region = model::region(1000, 64);
    const auto scenario = model::scenario_of(
        model::steady_machine(),
        model::program(model::queue_pairs(model::Transport::rc), {step, model::await(at_least)}), model::sink());
    return simulated ? model::run(scenario).throughput.per_second : analyze(scenario).throughput.per_second;
  };
  for (const int batch : {1, 3, 8}) {
    EXPECT_LT(of(batch, 0, false), 0.95 * of(batch, 1, false)) << batch;
    EXPECT_LE(of(batch, 0, true), of(batch, 0, false) * 1.001) << batch;
    // Between calls the queue pair rests.
    EXPECT_GE(of(batch, 0, true), of(batch, 0, false) * (batch == 3 ? 0.6 : 0.75)) << batch;
  }
}

TEST(OperationCycle, TranslationsThatAreMissingTakeTheirTime) {
  model::PostStep step = model::post_window(model::Verb::read, 8, 1);
  step.region = model::region(1'000'000, 4096, model::AddressPattern::random);
  const auto scenario = [&](std::int64_t page) {
    step.region->page = Bytes{page};
    auto made = model::scenario_of(model::steady_machine(),
                                   model::program(model::queue_pairs(model::Transport::rc), {step, model::await(1)}),
                                   model::sink());
    model::hardware_of(made, "server").nic.translations = 1000;
    made.measure.duration = 1ms;
    return made;
  };
  const auto small = scenario(4096);
  const Time fetch = model::state_fetch_time(model::connect_ib());
  EXPECT_NEAR(to_nanoseconds(analyze(small).unloaded_latency - analyze(scenario(1LL << 40)).unloaded_latency),
              to_nanoseconds(fetch) * 0.999, 0.1);
  EXPECT_NEAR(model::run(small).throughput.per_second / analyze(small).throughput.per_second, 1, 0.02);
}

TEST(OperationCycle, UnloadedLatencyIsThatOfARun) {
  const std::string shipped = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/";
  for (const std::string nic : {"cib", "cx3", "cx"}) {
    for (const std::string verb : {"READ", "WRITE", "SEND"}) {
      const std::string hardware = shipped + "hardware/" + nic + ".json";
      const std::string program = R"(programs.reader={"machine": "client", "queue_pairs": {"q": {"transport": "RC"}}, )"
                                  R"("loop": [{"post": {"payload": "16 B", "queue_pairs": "q", "to": "memory", )"
                                  R"("window": 1, "verb": ")" +
                                  verb + R"("}}, {"await": {"at_least": 1}}]})";
      const auto scenario =
          scenario::load(shipped + "kalia16/table4_read_64.json",
                         {.sets = {"machines.client.hardware=" + hardware, "machines.server.hardware=" + hardware,
                                   "machines.client.count=1", program},
                          .seed = {}})
              .front()
              .scenario;
      const double unloaded = to_seconds(analyze(scenario).unloaded_latency);
      // What a loop that polls finds a little late is not in the closed form.
      EXPECT_NEAR(to_seconds(model::run(scenario).latency.mean), unloaded, unloaded * 0.02) << nic << " " << verb;
    }
  }
}

}  // namespace
}  // namespace doorbell::analytic
