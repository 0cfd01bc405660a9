#include "models/programs/completion_wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

constexpr DriverParameters driver{
    .post = 0ns, .poll = 50ns, .interrupt = 1us, .interrupt_latency = 2us, .wakeup = 500ns, .context_switch = 1500ns};
constexpr Time to_wake = 2us + 1us + 500ns + 1500ns;

/// Both machines say what interrupts cost, and software takes the same time whenever it runs.
Scenario with_software(Program client, Program server, int clients = 1) {
  HardwareProfile hardware = attentive_machine();
  hardware.cpu.variation = 0;
  Scenario scenario = scenario_of(hardware, std::move(client), std::move(server), clients);
  for (auto& [name, group] : scenario.machines) {
    group.software.emplace();
    group.software->driver = driver;
  }
  scenario.measure.duration = 2ms;
  return scenario;
}

/// READs, `window` at a time, of which all are awaited.
Scenario reads(CompletionWait wait, int window = 1) {
  PostStep step = post_window(Verb::read, 8, window);
  step.signal_every = 1;
  Program client = program(queue_pairs(Transport::rc), {step, await(0)});
  client.completion = wait;
  return with_software(client, sink());
}

TEST(CompletionWait, PatienceIsThatOfTheMode) {
  CpuParameters cpu;
  cpu.poll_empty = 10ns;
  EXPECT_EQ(patience({WaitMode::busy, 7}, cpu), Time::max());
  EXPECT_EQ(patience({WaitMode::event, 7}, cpu), 0ns);
  EXPECT_EQ(patience({WaitMode::adaptive, 7}, cpu), 70ns);
  EXPECT_EQ(patience({.mode = WaitMode::timer, .timer = 3us}, cpu), 3us);
  EXPECT_EQ(wake_up(driver).delay + wake_up(driver).work, to_wake);
}

TEST(CompletionWait, AnOperationAloneTakesOneWakeUpMore) {
  const RunResult busy = run(reads({WaitMode::busy}));
  const RunResult event = run(reads({WaitMode::event}));
  EXPECT_NEAR(to_nanoseconds(event.latency.mean - busy.latency.mean), to_nanoseconds(to_wake), 1);
  EXPECT_EQ(busy.bottleneck.limit, Limit::in_flight);
  EXPECT_EQ(event.bottleneck.limit, Limit::taken_late) << "a wake-up takes longer than the READ";
  const double operations = event.throughput.per_second * to_seconds(event.simulated);
  EXPECT_NEAR(static_cast<double>(counter(event, "client/interrupts of client").count), operations, 1);
}

TEST(CompletionWait, WhoSleepsTakesACoreOnlyWhereItWorks) {
  EXPECT_EQ(level(run(reads({WaitMode::busy})), "client/cores taken by client"), 1);
  const RunResult event = run(reads({WaitMode::event}));
  EXPECT_NEAR(level(event, "client/cores taken by client"), busy(event, "client/cores of client"), 0.01);
  EXPECT_LT(level(event, "client/cores taken by client"), 0.7);
}

TEST(CompletionWait, PatienceThatLastsLongEnoughIsPolling) {
  Scenario patient = reads({WaitMode::adaptive, 1000});
  Scenario impatient = reads({WaitMode::adaptive, 50});
  Scenario polls = reads({WaitMode::busy});
  Scenario sleeps = reads({WaitMode::event});
  for (Scenario* scenario : {&patient, &impatient, &polls, &sleeps})
    hardware_of(*scenario, "client").cpu.poll_empty = 10ns;
  const RunResult result = run(patient);
  EXPECT_EQ(result.throughput.per_second, run(polls).throughput.per_second);
  EXPECT_EQ(counter(result, "client/interrupts of client").count, 0U);
  // One that ends too early costs a core, and gains nothing.
  const RunResult early = run(impatient);
  const RunResult event = run(sleeps);
  EXPECT_EQ(early.throughput.per_second, event.throughput.per_second);
  const double polling = early.throughput.per_second * 500e-9;
  EXPECT_NEAR(level(early, "client/cores taken by client"), level(event, "client/cores taken by client") + polling,
              0.01);
}

TEST(CompletionWait, PatienceVariesAsItsPollsDo) {
  const auto in_between = [](double variation) {
    int found = 0;
    for (int retries = 40; retries <= 240; retries += 10) {
      Scenario scenario = reads({WaitMode::adaptive, retries});
      CpuParameters& cpu = hardware_of(scenario, "client").cpu;
      cpu.poll_empty = 10ns;
      cpu.variation = variation;
      const RunResult result = run(scenario);
      const double operations = result.throughput.per_second * to_seconds(result.simulated);
      const auto interrupts = static_cast<double>(counter(result, "client/interrupts of client").count);
      if (interrupts > 0.02 * operations && interrupts < 0.98 * operations) ++found;
    }
    return found;
  };
  EXPECT_EQ(in_between(0), 0);
  EXPECT_GE(in_between(0.5), 2);
}

TEST(CompletionWait, ATimerEndsPollingHoweverOftenSomethingComes) {
  const auto interrupts_per_operation = [](Time timer) {
    const RunResult result = run(reads({.mode = WaitMode::timer, .timer = timer}));
    const double operations = result.throughput.per_second * to_seconds(result.simulated);
    return static_cast<double>(counter(result, "client/interrupts of client").count) / operations;
  };
  EXPECT_NEAR(interrupts_per_operation(0ns), 1, 0.01) << "as event";
  // A READ is back after the time of a busy run: so many of them come until the timer ends, and the next one wakes.
  const double alone = to_seconds(run(reads({WaitMode::busy})).latency.mean);
  for (const Time timer : {10us, 50us}) {
    const double polled = std::floor(to_seconds(timer) / alone);
    EXPECT_NEAR(1 / interrupts_per_operation(timer), polled + 1, 1.1) << polled;
  }
  EXPECT_EQ(run(reads({.mode = WaitMode::timer, .timer = 1s})).throughput.per_second,
            run(reads({WaitMode::busy})).throughput.per_second);
}

TEST(CompletionWait, AnInterruptBringsWhateverIsThere) {
  for (const int window : {2, 4, 16}) {
    const RunResult busy = run(reads({WaitMode::busy}, window));
    const RunResult event = run(reads({WaitMode::event}, window));
    const double rounds = event.throughput.per_second * to_seconds(event.simulated) / window;
    const auto interrupts = static_cast<double>(counter(event, "client/interrupts of client").count);
    EXPECT_GE(interrupts, rounds - 1) << window;
    EXPECT_LE(interrupts, 2 * rounds) << window;
    EXPECT_LT(event.throughput.per_second, busy.throughput.per_second) << window;
  }
}

TEST(CompletionWait, PatienceWithoutEndIsPollingWhateverIsAwaited) {
  for (const int at_least : {0, 1, 3, 8}) {
    for (const AwaitOrder order : {AwaitOrder::completion, AwaitOrder::posting}) {
      const auto with = [&](CompletionWait wait) {
        Scenario scenario = reads(wait, 8);
        auto& step = std::get<AwaitStep>(scenario.programs.back().second.loop.back());
        step = await(at_least);
        step.per_item = 200ns;
        step.order = order;
        hardware_of(scenario, "client").cpu.poll_empty = 10ns;
        return run(scenario);
      };
      const RunResult polls = with({WaitMode::busy});
      const RunResult patient = with({WaitMode::adaptive, 1'000'000});
      EXPECT_EQ(patient.throughput.per_second, polls.throughput.per_second) << at_least;
      EXPECT_EQ(patient.latency.mean, polls.latency.mean) << at_least;
      EXPECT_LT(with({WaitMode::event}).throughput.per_second, polls.throughput.per_second) << at_least;
    }
  }
}

TEST(CompletionWait, TheLastOfAWindowAloneWakesWhereNoOtherIsSignaled) {
  Scenario scenario = reads({WaitMode::event}, 16);
  std::get<PostStep>(scenario.programs.back().second.loop.front()).signal_every = 16;
  const RunResult result = run(scenario);
  const double windows = result.throughput.per_second * to_seconds(result.simulated) / 16;
  EXPECT_NEAR(static_cast<double>(counter(result, "client/interrupts of client").count), windows, 1.5);
}

TEST(CompletionWait, WhatIsNotSignaledWakesNobodyHoweverLongTheOthersTake) {
  // A READ of 64 KiB takes 10 us, more than a wake-up.
  const auto with = [](CompletionWait wait) {
    Scenario scenario = reads(wait, 4);
    auto& step = std::get<PostStep>(scenario.programs.back().second.loop.front());
    step.payload = Bytes{65536};
    step.signal_every = 4;
    return run(scenario);
  };
  const RunResult event = with({WaitMode::event});
  const double windows = event.throughput.per_second * to_seconds(event.simulated) / 4;
  EXPECT_GT(windows, 20);
  EXPECT_NEAR(static_cast<double>(counter(event, "client/interrupts of client").count), windows, 1.5);
  EXPECT_NEAR(to_nanoseconds(event.latency.mean - with({WaitMode::busy}).latency.mean), to_nanoseconds(to_wake), 1);
}

TEST(CompletionWait, WhatComesWhileAThreadWakesUpDoesNotLetItGoOnSooner) {
  const auto latency = [](Time interrupt_latency) {
    Scenario scenario = reads({WaitMode::event}, 2);
    for (auto& [name, group] : scenario.machines) group.software->driver.interrupt_latency = interrupt_latency;
    return to_nanoseconds(run(scenario).latency.mean);
  };
  EXPECT_NEAR(latency(5us) - latency(2us), 3000, 1);
}

TEST(CompletionWait, ProgramsWithoutThreadsTakeNoCores) {
  for (const Level& level : run(reads({WaitMode::event})).levels)
    EXPECT_EQ(level.name.find("server"), std::string::npos);
}

/// Clients that poll, and a server that waits as it is told.
Scenario serving(CompletionWait wait, int clients, int window) {
  Program server = program(queue_pairs(Transport::rc, 8),
                           {collect(Channel::completion_queue, 32), compute(0ns, 500ns), answer(8, 16), replenish()});
  server.completion = wait;
  const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::send, 8, window), await(1)});
  return with_software(client, server, clients);
}
RunResult served(CompletionWait wait, int clients) { return run(serving(wait, clients, clients > 1 ? 16 : 1)); }

/// For how long the operations of `client` have waited for threads that slept, on average.
Time asleep(const Scenario& scenario) {
  Simulation simulation{scenario};
  simulation.calendar().run_until(2ms);
  const ProgramStatistics& done = statistics(simulation, "client");
  EXPECT_GT(done.operations, 0U);
  return done.asleep / static_cast<std::int64_t>(std::max<std::uint64_t>(1, done.operations));
}

TEST(CompletionWait, ALoneRequestWakesItsServer) {
  const RunResult busy = served({WaitMode::busy}, 1);
  const RunResult event = served({WaitMode::event}, 1);
  EXPECT_NEAR(to_nanoseconds(event.latency.mean - busy.latency.mean), to_nanoseconds(to_wake), 20);
}

TEST(CompletionWait, AServerWithoutABreakIsNeverWoken) {
  const RunResult busy = served({WaitMode::busy}, 8);
  const RunResult event = served({WaitMode::event}, 8);
  EXPECT_EQ(counter(event, "server/interrupts of server").count, 0U);
  EXPECT_NEAR(event.throughput.per_second / busy.throughput.per_second, 1, 0.01);
  EXPECT_NEAR(level(event, "server/cores taken by server"), 1, 0.001);
}

TEST(CompletionWait, ARequestWaitsForAThreadThatSleepsUntilThatIsAwake) {
  const auto mean = [](CompletionWait wait) {
    Scenario scenario = serving(wait, 1, 1);
    hardware_of(scenario, "server").cpu.poll_empty = 10ns;
    return to_nanoseconds(asleep(scenario));
  };
  // The first one finds a thread that has just begun.
  EXPECT_NEAR(mean({WaitMode::event}), to_nanoseconds(to_wake), 0.005 * to_nanoseconds(to_wake));
  EXPECT_EQ(mean({WaitMode::busy}), 0);
  EXPECT_EQ(mean({WaitMode::adaptive, 1'000'000}), 0);
}

TEST(CompletionWait, WhatComesWhileAServerWakesUpWaitsForTheRest) {
  const double mean = to_nanoseconds(asleep(serving({WaitMode::event}, 2, 1)));
  EXPECT_GT(mean, 0.5 * to_nanoseconds(to_wake)) << "half of them wait for all of it";
  EXPECT_LT(mean, to_nanoseconds(to_wake) - 10) << "one of two is not the first";
}

TEST(CompletionWait, OnlyWhoAsksThoseThatSleepWaitsForThem) {
  // Another program asks a server that polls.
  Scenario scenario = serving({WaitMode::event}, 1, 1);
  for (const char* name : {"server", "client"}) {
    const auto original = std::ranges::find(scenario.programs, name, [](const auto& entry) { return entry.first; });
    Program copy = original->second;
    copy.completion = {WaitMode::busy};
    for (Step& step : copy.loop) {
      auto* post = std::get_if<PostStep>(&step);
      if (post != nullptr && post->destination != Destination::origin) post->to = "server that polls";
    }
    scenario.programs.emplace_back(std::string{name} + " that polls", std::move(copy));
  }
  Simulation simulation{scenario};
  simulation.calendar().run_until(2ms);
  EXPECT_GT(statistics(simulation, "client").asleep, 500us);
  EXPECT_GT(statistics(simulation, "client that polls").operations, 100U);
  EXPECT_EQ(statistics(simulation, "client that polls").asleep, 0ns);
}

TEST(CompletionWait, AWindowFullOfRequestsToThreadsThatSleepSaysSo) {
  const RunResult event = run(serving({WaitMode::event}, 4, 1));
  EXPECT_EQ(event.bottleneck.resource, "client/window of client");
  EXPECT_EQ(event.bottleneck.limit, Limit::asleep);
  // As it says, polling and more in flight both help.
  const RunResult busy = run(serving({WaitMode::busy}, 4, 1));
  EXPECT_NE(busy.bottleneck.limit, Limit::asleep);
  EXPECT_GT(busy.throughput.per_second, 1.5 * event.throughput.per_second);
  EXPECT_GT(run(serving({WaitMode::event}, 4, 2)).throughput.per_second, 1.2 * event.throughput.per_second);
  // Also where the clients sleep as long themselves.
  Scenario both = serving({WaitMode::event}, 4, 1);
  Scenario clients = serving({WaitMode::busy}, 4, 1);
  both.programs.back().second.completion = {WaitMode::event};
  clients.programs.back().second.completion = {WaitMode::event};
  EXPECT_EQ(both.programs.back().first, "client");
  EXPECT_EQ(run(both).bottleneck.limit, Limit::asleep);
  EXPECT_GT(run(clients).throughput.per_second, 1.3 * run(both).throughput.per_second);
  // A wake-up that takes little of an operation's time does not limit.
  Scenario quick = serving({WaitMode::event}, 1, 1);
  for (auto& [name, group] : quick.machines) group.software->driver = {.interrupt = 100ns, .wakeup = 100ns};
  EXPECT_EQ(run(quick).bottleneck.limit, Limit::in_flight);
}

TEST(CompletionWait, NobodySleepsWithoutSoftwareThatWakes) {
  Scenario scenario = reads({WaitMode::event});
  for (auto& [name, group] : scenario.machines) group.software.reset();
  EXPECT_THROW(run(scenario), std::invalid_argument);
}

TEST(CompletionWait, OfThreadsThatSleepTheOneIsWokenThatHasSleptLongest) {
  const auto latency = [](Time transfer) {
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Program server = program(pairs, {collect(Channel::completion_queue), answer(8)}, 2);
    server.completion = {.mode = WaitMode::event, .shared_queues = 1};
    Scenario scenario = with_software(program(pairs, {post_window(Verb::send, 8, 1), await(1)}), std::move(server));
    hardware_of(scenario, "server").shared_line.transfer = transfer;
    return to_nanoseconds(run(scenario).latency.mean);
  };
  // So they take turns, and the lock of their queue always comes from the other one.
  EXPECT_NEAR(latency(240ns) - latency(40ns), 200, 1);
}

TEST(CompletionWait, ThreadsThatWakeUpForFewRequestsAreNotTheOnesThatAreMissing) {
  // Busy for most of the time, but much of that with interrupts: more threads would be woken more often, and requests
  // that come together share a wake-up.
  const auto with = [](int threads, int window) {
    const QueuePairs pairs = queue_pairs(Transport::ud, 4);
    Program server = program(
        pairs, {collect(Channel::completion_queue, 32), compute(0ns, 300ns), answer(8, 16), replenish()}, threads);
    server.completion = {WaitMode::event};
    PostStep step = post_window(Verb::send, 8, window);
    step.destination = Destination::random;
    return run(with_software(program(pairs, {step, await(1)}, 12), std::move(server), 4));
  };
  const RunResult result = with(12, 2);
  EXPECT_EQ(result.bottleneck.resource, "client/window of client") << result.bottleneck.sentence;
  EXPECT_GT(with(12, 3).throughput.per_second, 1.2 * result.throughput.per_second);
  EXPECT_LT(with(15, 2).throughput.per_second, 1.1 * result.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::model
