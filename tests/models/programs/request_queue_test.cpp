#include "models/programs/request_queue.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

const QueuePairs shared_datagrams = queue_pairs(Transport::ud);

Program& server_of(Scenario& scenario) { return scenario.programs.front().second; }

/// A server of `threads`, each of which computes for `time` per request; its threads share `queues`.
Program workers(int threads, int queues, Time time, int at_most = 1) {
  Program server =
      program(shared_datagrams,
              {collect(Channel::completion_queue, at_most), compute(Time{0}, time), answer(8, at_most)}, threads);
  server.completion.shared_queues = queues;
  return server;
}

/// `load` of what the server's cores could do arrives, request by request.
Scenario arriving(Program server, double load, Time time) {
  PostStep step = post(Verb::send, 8);
  step.destination = Destination::random;
  const double capacity = server.threads / to_seconds(time);
  step.arrivals = Arrivals{Rate{load * capacity / 4}, ArrivalProcess::poisson};
  Scenario scenario = scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}), std::move(server), 4);
  scenario.measure.warmup = 2ms;
  scenario.measure.duration = 400ms;
  return scenario;
}

/// Mean wait with Poisson arrivals, constant service and so many servers, in services: Erlang's formula for exponential
/// service, and Cosmetatos's approximation of the ratio (Management Science 22, 1976), good to 2 %.
double wait_with_constant_service(int servers, double load) {
  const double offered = load * servers;
  double term = 1;
  double sum = 1;
  for (int k = 1; k < servers; ++k) {
    term *= offered / k;
    sum += term;
  }
  const double all_busy = term * offered / servers / (1 - load);
  const double exponential = all_busy / (sum + all_busy) / (servers * (1 - load));
  const double c = servers;
  return exponential / 2 * (1 + (1 - load) * (c - 1) * (std::sqrt(4 + 5 * c) - 2) / (16 * load * c));
}

TEST(RequestQueue, GivesRequestsInOrderAndRecvsToAll) {
  RequestQueue queue{SharedLineParameters{}};
  EXPECT_FALSE(queue.take_recv());
  EXPECT_EQ(queue.earliest(), Time::max());
  queue.join(1);
  EXPECT_FALSE(queue.shared());
  queue.join(2);
  EXPECT_TRUE(queue.shared());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.take_recv()) << i;
  EXPECT_FALSE(queue.take_recv());
  queue.add_recvs(1);
  EXPECT_TRUE(queue.take_recv());

  Message first, second, third;
  first.visible = 10ns;
  second.visible = third.visible = 20ns;
  for (Message* message : {&first, &second, &third}) queue.push(*message);
  EXPECT_EQ(queue.earliest(), 10ns);
  EXPECT_EQ(queue.visible(10ns - Time{1}, 8), 0);
  EXPECT_EQ(queue.visible(10ns, 8), 1);
  EXPECT_EQ(queue.visible(20ns, 8), 3);
  EXPECT_EQ(queue.visible(20ns, 2), 2);
  EXPECT_EQ(queue.pop(), &first);
  EXPECT_EQ(queue.pop(), &second);
}

TEST(RequestQueue, SharedIsAQueueWithSeveralServers) {
  constexpr Time service = 20us;
  for (const double load : {0.5, 0.8}) {
    for (const int threads : {2, 4}) {
      const Time alone = run(arriving(workers(threads, 1, service), 0.01, service)).latency.mean;
      const Time wait = run(arriving(workers(threads, 1, service), load, service)).latency.mean - alone;
      const double expected = to_seconds(service) * wait_with_constant_service(threads, load);
      EXPECT_NEAR(to_seconds(wait) / expected, 1, 0.08) << threads << " threads at " << load;
    }
  }
}

TEST(RequestQueue, AsManyAsThreadsAreTheirOwn) {
  const RunResult own = run(arriving(workers(4, 0, 5us), 0.7, 5us));
  const RunResult shared = run(arriving(workers(4, 4, 5us), 0.7, 5us));
  EXPECT_EQ(own.latency.mean, shared.latency.mean);
  EXPECT_EQ(own.latency.p99, shared.latency.p99);
}

TEST(RequestQueue, FewerQueuesWaitLess) {
  Time before = Time::max();
  for (const int queues : {0, 2, 1}) {
    const Time mean = run(arriving(workers(4, queues, 5us), 0.7, 5us)).latency.mean;
    EXPECT_LT(mean, before) << queues;
    before = mean;
  }
}

TEST(RequestQueue, EveryRequestIsAnsweredOnce) {
  PostStep step = post_window(Verb::send, 8, 7);
  step.destination = Destination::random;
  for (const int queues : {1, 2, 3}) {
    for (const int at_most : {1, 5}) {
      Program server = workers(5, queues, 300ns, at_most);
      server.loop.emplace_back(replenish());
      const Scenario scenario =
          scenario_of(connect_ib(), program(shared_datagrams, {step, await(1)}, 3), std::move(server), 2);
      Simulation simulation{scenario};
      simulation.calendar().run_until(1ms);
      const auto& client = simulation.program("client").statistics;
      const auto& served = simulation.program("server").statistics;
      EXPECT_LE(client.operations, served.operations);
      EXPECT_LE(served.operations, client.work_requests);
      EXPECT_LE(client.work_requests - client.operations, 2U * 3 * 7) << "no more than the windows";
      EXPECT_EQ(served.dropped, 0U);
      EXPECT_GT(client.operations, 1000U);
    }
  }
}

TEST(RequestQueue, ItsLockLimitsWhoOnlyPolls) {
  // Each thread takes the lock from another, and has it while it polls one completion.
  PostStep step = post_window(Verb::send, 8, 64);
  step.destination = Destination::random;
  Scenario scenario =
      scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}, 4), workers(8, 1, 0ns), 4);
  hardware_of(scenario, "server").shared_line = {.local = 50ns, .transfer = 150ns, .cross_ring = 0ns, .ring_cores = 8};
  const HardwareProfile& hardware = hardware_of(scenario, "server");
  const Time held = 200ns + stretched(hardware.cpu.poll_cqe, clock_stretch(hardware.cpu, 8));
  const RunResult result = run(scenario);
  EXPECT_LE(result.throughput.per_second, 1.001 / to_seconds(held));
  EXPECT_GE(result.throughput.per_second, 0.97 / to_seconds(held));
  EXPECT_EQ(result.bottleneck.resource, "server/completion queues of server");
  server_of(scenario).completion.shared_queues = 2;
  EXPECT_GT(run(scenario).throughput.per_second, 1.8 * result.throughput.per_second);
}

TEST(RequestQueue, MachinesShareNothing) {
  // Two machines of two threads each serve twice what one does.
  PostStep step = post_window(Verb::send, 8, 16);
  step.destination = Destination::random;
  Scenario scenario =
      scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}, 4), workers(2, 1, 2us), 4);
  const double one = run(scenario).throughput.per_second;
  scenario.machines.front().second.count = 2;
  EXPECT_NEAR(run(scenario).throughput.per_second / one, 2, 0.05);
}

TEST(RequestQueue, RecvsOfAllTakeWhatComesForOne) {
  // Everything is sent to the first thread, which computes for long.
  const auto lost = [](int queues) {
    QueuePairs few = shared_datagrams;
    few.depth = 8;
    Program server = program(few, {collect(Channel::completion_queue), compute(50us), answer(8), replenish()}, 4);
    server.completion.shared_queues = queues;
    PostStep step = post_window(Verb::send, 8, 30);
    step.destination = Destination::fixed;
    const Scenario scenario =
        scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}), std::move(server));
    Simulation simulation{scenario};
    simulation.calendar().run_until(2ms);
    return simulation.program("server").statistics.dropped;
  };
  EXPECT_GE(lost(0), 20U);
  EXPECT_EQ(lost(1), 0U);
}

TEST(RequestQueue, OneOfThoseThatSleepIsWoken) {
  for (const WaitMode mode : {WaitMode::event, WaitMode::adaptive}) {
    Program server = workers(4, 1, 1us);
    server.completion.mode = mode;
    Scenario scenario = arriving(std::move(server), 0.002, 1us);
    auto& software = scenario.machines.front().second.software.emplace();
    software.driver.wakeup = 2us;
    const RunResult result = run(scenario);
    const auto interrupts = static_cast<double>(counter(result, "server/interrupts of server").count);
    const double requests = result.throughput.per_second * to_seconds(result.simulated);
    EXPECT_NEAR(interrupts / requests, 1, 0.02);
  }
}

TEST(RequestQueue, WhoStillPollsIsFasterThanWhoSleeps) {
  // A request comes more often than the patience of one thread ends: some of them are always awake, and the rest are
  // never woken.
  Program server = workers(8, 1, 1us);
  server.completion = {.mode = WaitMode::adaptive, .max_retry = 1000, .shared_queues = 1};
  PostStep step = post_window(Verb::send, 8, 1);
  Scenario scenario = scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}), std::move(server));
  hardware_of(scenario, "server").cpu.poll_empty = 10ns;
  scenario.machines.front().second.software.emplace().driver.wakeup = 2us;
  scenario.measure.warmup = 200us;
  const RunResult result = run(scenario);
  EXPECT_EQ(counter(result, "server/interrupts of server").count, 0U);
  const double period = to_seconds(result.latency.mean);
  EXPECT_NEAR(level(result, "server/cores taken by server"), 10e-6 / period, 1);
}

TEST(RequestQueue, ItsLocksAreHeldForEachCompletionAndEachRecv) {
  const auto rate = [](Time poll, Time recv) {
    PostStep step = post_window(Verb::send, 8, 4);
    step.destination = Destination::random;
    Program server = workers(8, 1, 0ns, 8);
    server.loop.emplace_back(replenish());
    Scenario scenario =
        scenario_of(steady_machine(), program(shared_datagrams, {step, await(1)}, 4), std::move(server), 4);
    hardware_of(scenario, "server").cpu.poll_cqe = poll;
    hardware_of(scenario, "server").cpu.recv_cost = recv;
    scenario.measure.duration = 2ms;
    return run(scenario).throughput.per_second;
  };
  for (const double limited : {rate(1us, 0ns), rate(0ns, 1us)}) {
    EXPECT_LE(limited, 1.02e6);
    EXPECT_GE(limited, 0.8e6);
  }
}

}  // namespace
}  // namespace doorbell::model
