// Programs that pass requests on to other machines before they answer.
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/programs/thread.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// To the machines of "store".
PostStep relay(Verb verb, int batch, const Relay& how) {
  PostStep step = post(verb, 32, batch);
  step.queue_pairs = "relays";
  step.to = "store";
  step.relay = how;
  return step;
}
Relay copies(int count, int at_least = 0) {
  Relay relay;
  relay.copies = count;
  relay.at_least = at_least;
  return relay;
}

/// Clients with `window` requests each in flight, a server that does `steps` before it answers, and three stores.
Scenario relaying(int window, std::vector<Step> steps, Program store = sink(), int threads = 2,
                  Transport transport = Transport::rc) {
  steps.insert(steps.begin(), collect(Channel::completion_queue, 16));
  steps.emplace_back(answer(8, 8));
  Program server = program(queue_pairs(Transport::ud, 4), std::move(steps), threads);
  server.queue_pairs.emplace_back("relays", queue_pairs(transport, 3));
  Scenario scenario = scenario_of(
      attentive_machine(), program(queue_pairs(Transport::ud, 2), {post_window(Verb::send, 16, window), await(1)}, 4),
      std::move(server), 2);
  scenario.machines.emplace_back("store", MachineGroup{"test", attentive_machine(), 3});
  store.machine = "store";
  scenario.programs.emplace_back("store", std::move(store));
  scenario.measure.duration = 500us;
  return scenario;
}

Program& program_of(Scenario& scenario, const std::string& wanted) {
  for (auto& [name, program] : scenario.programs) {
    if (name == wanted) return program;
  }
  throw std::invalid_argument("no program " + wanted);
}

double requests(const RunResult& result) { return result.throughput.per_second * to_seconds(result.simulated); }
/// Cache lines that devices have written to the memory of a group's machines, for a request.
double lines_written(const RunResult& result, const std::string& machine) {
  return static_cast<double>(counter(result, machine + "/PCIeItoM").count) / requests(result);
}

/// One client thread with one request in flight.
Scenario alone(Scenario scenario) {
  program_of(scenario, "client").threads = 1;
  program_of(scenario, "server").threads = 1;
  for (auto& [name, group] : scenario.machines) {
    if (name == "client") group.count = 1;
  }
  scenario.measure.duration = 2ms;
  return scenario;
}

TEST(ThreadRelay, ARequestIsAnsweredWhenItsOperationsAreDone) {
  for (const Verb verb : {Verb::write, Verb::read, Verb::fetch_add}) {
    PostStep step = relay(verb, 1, copies(1));
    if (verb == Verb::fetch_add) step.payload = 8_B;
    const RunResult with = run(alone(relaying(1, {step})));
    const Time more = with.latency.mean - run(alone(relaying(1, {}))).latency.mean;
    EXPECT_NEAR(to_nanoseconds(more), level(with, "server/relayed by server (us)") * 1e3, 5) << static_cast<int>(verb);
    EXPECT_GT(more, 1us);
  }
}

TEST(ThreadRelay, StepsFollowOneAnother) {
  const PostStep look = relay(Verb::read, 1, copies(1));
  const Time none = run(alone(relaying(1, {}))).latency.mean;
  const Time one = run(alone(relaying(1, {look}))).latency.mean;
  const Time two = run(alone(relaying(1, {look, look}))).latency.mean;
  EXPECT_NEAR(to_nanoseconds(two - one) / to_nanoseconds(one - none), 1, 0.02);
}

TEST(ThreadRelay, EveryRequestIsWrittenAsOftenAsItHasCopies) {
  for (const int count : {1, 2, 3}) {
    for (const int batch : {1, 8}) {
      const RunResult result = run(relaying(8, {relay(Verb::write, batch, copies(count))}));
      EXPECT_NEAR(lines_written(result, "store"), count, 0.03 * count) << batch;
    }
  }
}

TEST(ThreadRelay, TheFirstOfManyIsFasterThanAll) {
  const auto mean = [](int at_least) {
    return run(relaying(16, {relay(Verb::write, 8, copies(3, at_least))})).levels.front().value;
  };
  const double first = mean(1);
  const double majority = mean(2);
  const double all = mean(0);
  EXPECT_LT(first, majority);
  EXPECT_LT(majority, all);
  EXPECT_EQ(mean(3), all);
}

TEST(ThreadRelay, ProgramsMayAnswer) {
  const Program store = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8, 4)}, 2);
  const RunResult result = run(relaying(8, {relay(Verb::send, 4, copies(2))}, store));
  // A payload and a CQE for each request.
  EXPECT_NEAR(lines_written(result, "store"), 4, 0.1);
  EXPECT_GT(result.latency.mean, run(relaying(8, {})).latency.mean);
}

TEST(ThreadRelay, WhoRelaysMayBeRelayedTo) {
  PostStep further = relay(Verb::write, 4, copies(1));
  further.to = "disk";
  Program store = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), further, answer(8, 4)});
  store.queue_pairs.emplace_back("relays", queue_pairs(Transport::rc, 3));
  Scenario scenario = relaying(8, {relay(Verb::send, 4, copies(1))}, store);
  scenario.machines.emplace_back("disk", MachineGroup{"test", attentive_machine(), 1});
  scenario.programs.emplace_back("disk", sink());
  scenario.programs.back().second.machine = "disk";
  const RunResult result = run(scenario);
  EXPECT_NEAR(lines_written(result, "disk"), 1, 0.03);
  EXPECT_GT(level(result, "server/relayed by server (us)"), level(result, "store/relayed by store (us)"));
}

TEST(ThreadRelay, OnlyWhatCarriesDataIsRelayedAndAcknowledged) {
  Relay how = copies(2);
  how.carrying = 60_B;
  Scenario scenario = relaying(8, {relay(Verb::write, 4, how)});
  PostStep& asking = std::get<PostStep>(program_of(scenario, "client").loop.front());
  asking.mix = {{.share = 0.25, .verb = Verb::send, .payload = 60_B, .region = {}}};
  PostStep& answering = std::get<PostStep>(program_of(scenario, "server").loop.back());
  answering.payload = 1_KiB;
  answering.inlined = false;
  const RunResult whole = run(scenario);
  EXPECT_NEAR(lines_written(whole, "store"), 2 * 0.25, 0.03);
  EXPECT_NEAR(lines_written(whole, "client"), 16 + 1, 0.2);
  answering.acknowledgement = 8_B;
  EXPECT_NEAR(lines_written(run(scenario), "client"), 0.75 * 16 + 0.25 + 1, 0.3);
}

TEST(ThreadRelay, TheLastOfAListTellsThatAllAreDone) {
  const auto completions = [](int signal_every) {
    PostStep step = relay(Verb::write, 8, copies(1));
    step.signal_every = signal_every;
    // Of the server: a payload and a CQE for each request, and CQEs of what it relays.
    return lines_written(run(relaying(32, {step}, sink(), 1)), "server") - 2;
  };
  EXPECT_NEAR(completions(1), 1, 0.03);
  EXPECT_LT(completions(64), 0.6);
}

TEST(ThreadRelay, ShortSendQueuesAreWaitedFor) {
  Scenario scenario = relaying(32, {relay(Verb::write, 4, copies(3))});
  for (auto& [name, set] : program_of(scenario, "server").queue_pairs) {
    if (name == "relays") set.depth = 4;
  }
  const RunResult result = run(scenario);
  EXPECT_NEAR(lines_written(result, "store"), 3, 0.1);
}

TEST(ThreadRelay, OnUnreliableTransportsWhatHasLeftIsDone) {
  for (const Transport transport : {Transport::uc, Transport::ud}) {
    const Verb verb = transport == Transport::uc ? Verb::write : Verb::send;
    const RunResult result = run(relaying(8, {relay(verb, 4, copies(2))}, sink(), 2, transport));
    EXPECT_LT(level(result, "server/relayed by server (us)"),
              level(run(relaying(8, {relay(Verb::write, 4, copies(2))})), "server/relayed by server (us)"));
    EXPECT_NEAR(lines_written(result, "store"), transport == Transport::uc ? 2 : 4, 0.1);
  }
}

TEST(ThreadRelay, ReliableQueuePairsHaveOnePeerAndDatagramsGoToAny) {
  const auto posted = [](Transport transport) {
    PostStep step = relay(Verb::send, 1, copies(1));
    step.destination = Destination::fixed;
    const Scenario scenario = relaying(8, {step}, sink(), 1, transport);
    Simulation simulation{scenario};
    simulation.calendar().run_until(200us);
    std::vector<double> counts;
    for (const auto& pair : simulation.program("server").threads.front()->queue_pairs()[1])
      counts.push_back(static_cast<double>(pair->posted));
    return counts;
  };
  const std::vector<double> reliable = posted(Transport::rc);
  EXPECT_GT(reliable[0], 100);
  EXPECT_EQ(reliable[1], 0);
  EXPECT_EQ(reliable[2], 0);
  const std::vector<double> datagrams = posted(Transport::ud);
  EXPECT_GT(datagrams[0], 100);
  EXPECT_NEAR(datagrams[1], datagrams[0], 1);
  EXPECT_NEAR(datagrams[2], datagrams[0], 1);
}

TEST(ThreadRelay, ConnectedQueuePairsOfEachPortAreDividedAmongThePeers) {
  // Three stores and four queue pairs on each of two ports: the first store has two of each port. Thread i relays to
  // store i only.
  PostStep step = relay(Verb::write, 1, copies(1));
  step.destination = Destination::fixed;
  Scenario scenario = relaying(8, {step}, sink(), 3);
  for (auto& [name, set] : program_of(scenario, "server").queue_pairs) {
    if (name != "relays") continue;
    set.count = 4;
    set.ports = PortUse::all;
  }
  Simulation simulation{scenario};
  simulation.calendar().run_until(200us);
  const std::vector<Thread*>& threads = simulation.program("server").threads;
  for (std::size_t thread = 0; thread < 3; ++thread) {
    const auto& pairs = threads[thread]->queue_pairs()[1];
    ASSERT_EQ(pairs.size(), 8U);
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i]->posted > 10) used.push_back(i);
    }
    const std::vector<std::size_t> its_own =
        thread == 0 ? std::vector<std::size_t>{0, 3, 4, 7} : std::vector<std::size_t>{thread, thread + 4};
    EXPECT_EQ(used, its_own);
  }
}

TEST(ThreadRelay, ThreadsRelayToTheThreadsOfTheirNumber) {
  // A store's threads are what limits.
  const auto rate = [](int threads) {
    const Program store = program(queue_pairs(Transport::ud),
                                  {collect(Channel::completion_queue), compute(Time{0}, 5us), answer(8)}, threads);
    return run(relaying(16, {relay(Verb::send, 1, copies(3))}, store, 2)).throughput.per_second;
  };
  EXPECT_NEAR(rate(2) / rate(1), 2, 0.05);
}

TEST(ThreadRelay, DatagramsReachAllThreadsOfAMachine) {
  // One thread relays; those of the stores are what limits.
  const auto rate = [](int threads, Transport transport, Destination destination) {
    const Program store = program(queue_pairs(Transport::ud),
                                  {collect(Channel::completion_queue), compute(Time{0}, 20us), answer(8)}, threads);
    PostStep step = relay(Verb::send, 1, copies(3));
    step.destination = destination;
    Scenario scenario = relaying(32, {step}, store, 1, transport);
    scenario.measure.duration = 5ms;
    return run(scenario).throughput.per_second;
  };
  const double one = rate(1, Transport::ud, Destination::round_robin);
  EXPECT_NEAR(rate(4, Transport::ud, Destination::round_robin) / one, 4, 0.1);
  EXPECT_NEAR(rate(4, Transport::ud, Destination::random) / one, 4, 0.4);
  EXPECT_NEAR(rate(4, Transport::ud, Destination::fixed) / one, 1, 0.02);
  EXPECT_NEAR(rate(4, Transport::rc, Destination::round_robin) / one, 1, 0.02) << "a connection leads to one thread";
}

TEST(ThreadRelay, MachinesOfOneGroupRelayToOneAnother) {
  Scenario scenario = relaying(8, {relay(Verb::write, 4, copies(2))});
  std::get<PostStep>(program_of(scenario, "server").loop[1]).to = "memory";
  scenario.programs.back() = {"memory", sink()};
  scenario.programs.back().second.machine = "server";
  for (auto& [name, group] : scenario.machines) {
    if (name == "server") group.count = 3;
  }
  // Requests and their CQEs, two copies of each, and completions of these.
  const RunResult result = run(scenario);
  EXPECT_GT(lines_written(result, "server"), 4.2);
  EXPECT_LT(lines_written(result, "server"), 6.1);
}

TEST(ThreadRelay, ARequestWaitsForAllThreadsThatSleepOnItsWay) {
  constexpr Time interrupt = 5us;
  const auto asleep = [&](bool server_sleeps, Verb verb, bool store_sleeps) {
    Scenario scenario =
        alone(relaying(1, {relay(verb, 1, copies(2))},
                       program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), answer(8)})));
    for (auto& [name, group] : scenario.machines) {
      group.hardware.cpu.variation = 0;
      group.software.emplace();
      group.software->driver = {.interrupt_latency = interrupt};
    }
    if (server_sleeps) program_of(scenario, "server").completion.mode = WaitMode::event;
    if (store_sleeps) program_of(scenario, "store").completion.mode = WaitMode::event;
    Simulation simulation{scenario};
    simulation.calendar().run_until(1ms);
    const ProgramStatistics& done = statistics(simulation, "client");
    return to_seconds(done.asleep) / static_cast<double>(done.operations) / to_seconds(interrupt);
  };
  EXPECT_EQ(asleep(false, Verb::send, false), 0);
  EXPECT_NEAR(asleep(false, Verb::send, true), 1, 0.01) << "of two copies at a time, the last counts";
  // For the request and for each of its operations.
  EXPECT_NEAR(asleep(true, Verb::write, false), 2, 0.05);
  EXPECT_NEAR(asleep(true, Verb::send, true), 3, 0.05);
}

TEST(ThreadRelay, IsTheSameForTheSameSeed) {
  const Scenario scenario = relaying(16, {relay(Verb::write, 8, copies(3, 2))});
  const RunResult one = run(scenario);
  const RunResult other = run(scenario);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(one.latency.mean, other.latency.mean);
}

TEST(ThreadRelay, OnlyTheLastOfAListIsPolled) {
  const auto per_request = [](Time poll) {
    Scenario scenario = relaying(16, {relay(Verb::write, 8, copies(1))}, sink(), 1);
    hardware_of(scenario, "server").cpu.poll_cqe = poll;
    scenario.measure.duration = 2ms;
    return 1 / run(scenario).throughput.per_second;
  };
  // One poll for each request, and one for each list of several.
  const double more = per_request(1020ns) - per_request(20ns);
  EXPECT_GT(more, 1.0e-6);
  EXPECT_LT(more, 1.5e-6);
}

}  // namespace
}  // namespace doorbell::model
