#include "models/programs/arrival_port.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/programs/simulation.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

QueuePairs on_ports(Transport transport, PortUse ports, int count = 1) {
  QueuePairs set = queue_pairs(transport, count);
  set.ports = ports;
  return set;
}

/// Threads of the client, the first on port 0 and the second on port 1, SEND to one thread of the server.
Scenario sends_of(int threads, Bytes payload, Program server, Transport transport = Transport::ud) {
  const bool answered = !server.loop.empty();
  PostStep request = post_window(Verb::send, payload.count, 16);
  request.inlined = false;
  return connected(
      scenario_of(connect_ib(), program(queue_pairs(transport), {request, await(answered ? 1 : 0)}, threads), server));
}

std::uint64_t received(Simulation& simulation, const char* group, std::size_t port) {
  return simulation.machine_set(group).instances.front()->nic().ports()[port]->receiver().jobs();
}
std::uint64_t sent(Simulation& simulation, const char* group, std::size_t port) {
  return simulation.machine_set(group).instances.front()->nic().ports()[port]->transmitter().jobs();
}

TEST(ArrivalPort, IsThatOfTheSetWhoseRecvsArePosted) {
  ReplenishStep replenish;
  replenish.queue_pairs = "second";
  Program server =
      program(on_ports(Transport::ud, PortUse::all), {collect(Channel::completion_queue, 8), answer(8), replenish});
  server.queue_pairs.emplace_back("second", on_ports(Transport::ud, PortUse::own));
  EXPECT_EQ(receiving_set(server, Transport::ud), &server.queue_pairs.back().second);
  EXPECT_TRUE(receives_on_own_port(server, Transport::ud));
  server.loop.pop_back();
  EXPECT_EQ(receiving_set(server, Transport::ud), &server.queue_pairs.front().second) << "on which it answers";
  EXPECT_FALSE(receives_on_own_port(server, Transport::ud));
  EXPECT_EQ(receiving_set(server, Transport::rc), nullptr);
  EXPECT_FALSE(receives_on_own_port(server, Transport::rc)) << "it has some on every port";
}

TEST(ArrivalPort, SendsOfBothPortsShareTheReceiversOne) {
  const auto rate = [](PortUse ports, int threads) {
    return run(sends_of(8, 4096_B, sink(threads, ports))).throughput.per_second;
  };
  const double one = rate(PortUse::own, 1);
  EXPECT_NEAR(one * 4096, connect_ib().port.bandwidth.bytes_per_second, 0.05 * one * 4096);
  // PCI Express holds both ports together below twice one of them.
  EXPECT_GT(rate(PortUse::all, 1), 1.5 * one);
  EXPECT_GT(rate(PortUse::own, 2), 1.5 * one) << "its second thread is on the other port";
}

TEST(ArrivalPort, AllThatGoesOverAConnectionComesByOnePort) {
  const Program server =
      program(on_ports(Transport::rc, PortUse::own), {collect(Channel::completion_queue, 8), answer(8)});
  // The second thread of the client is on port 1, the only one of the server on port 0.
  Scenario scenario = sends_of(2, 8_B, server, Transport::rc);
  auto& post = std::get<PostStep>(named(scenario.programs, "client").loop.front());
  post.mix = {{.share = 0.5, .verb = Verb::read, .payload = 8_B, .region = region(16, 64)}};
  Simulation simulation{scenario};
  simulation.calendar().run_until(100us);
  EXPECT_GT(received(simulation, "server", 0), 100U);
  EXPECT_EQ(received(simulation, "server", 1), 0U) << "READs come as SENDs do";
}

TEST(ArrivalPort, AConnectionUsesTheSamePortsBothWays) {
  for (const Transport transport : {Transport::rc, Transport::ud}) {
    const Program server =
        program(on_ports(transport, PortUse::own), {collect(Channel::completion_queue, 8), answer(8)});
    const Scenario scenario = sends_of(2, 8_B, server, transport);
    Simulation simulation{scenario};
    simulation.calendar().run_until(100us);
    EXPECT_GT(received(simulation, "server", 0), 100U);
    EXPECT_GT(sent(simulation, "server", 0), 100U);
    EXPECT_EQ(received(simulation, "server", 1), 0U);
    EXPECT_EQ(sent(simulation, "server", 1), 0U);
    for (const std::size_t port : {0U, 1U}) {
      EXPECT_GT(sent(simulation, "client", port), 50U);
      EXPECT_NEAR(static_cast<double>(received(simulation, "client", port)),
                  static_cast<double>(sent(simulation, "client", port)), 40);
    }
  }
}

}  // namespace
}  // namespace doorbell::model
