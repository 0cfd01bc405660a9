#include "models/programs/connected_peers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

/// Six threads on two machines ask a service of `threads` on one.
Scenario service_asked(PostStep step, int threads, int shared_queues = 0) {
  Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8, 8)}, threads);
  server.completion.shared_queues = shared_queues;
  return scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {std::move(step), await(1)}, 3), server, 2);
}

PostStep send_to(Destination destination) {
  PostStep step = post_window(Verb::send, 8, 4);
  step.destination = destination;
  return step;
}

std::size_t askers(const Scenario& scenario, const std::string& program = "server") {
  return askers_of(program, scenario.programs, scenario.machines).threads;
}

TEST(ConnectedPeers, OfAnswersAreTheThreadsThatMayAskTheSameOne) {
  EXPECT_EQ(askers(service_asked(send_to(Destination::round_robin), 2)), 6U);
  EXPECT_EQ(askers(service_asked(send_to(Destination::random), 2)), 6U);
  EXPECT_EQ(askers(service_asked(send_to(Destination::fixed), 2)), 3U);
  EXPECT_EQ(askers(service_asked(send_to(Destination::fixed), 4)), 2U);
  EXPECT_EQ(askers(service_asked(send_to(Destination::fixed), 2, 1)), 6U)
      << "any thread takes what comes to a shared queue";
}

TEST(ConnectedPeers, OfAnswersAreNotThoseWhoOnlyRead) {
  Scenario scenario = service_asked(send_to(Destination::fixed), 2);
  scenario.programs.emplace_back(
      "reader", on("client", program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 4), await(1)}, 8)));
  EXPECT_EQ(askers(scenario), 3U);
  auto& loop = named(scenario.programs, "client").loop;
  loop.insert(loop.begin(), post_window(Verb::read, 8, 4));
  EXPECT_EQ(askers(scenario), 3U) << "READs go anywhere";
}

TEST(ConnectedPeers, OfARelayAreThreadsOnEachMachine) {
  Scenario scenario = service_asked(send_to(Destination::round_robin), 2);
  scenario.machines.emplace_back("far", MachineGroup{"test", connect_ib(), 3});
  scenario.programs.emplace_back(
      "behind",
      on("far", program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), answer(8, 8)}, 2)));
  PostStep relay = post(Verb::send, 8);
  relay.to = "behind";
  relay.relay = Relay{};
  Program& server = named(scenario.programs, "server");
  server.loop.insert(server.loop.begin() + 1, relay);
  EXPECT_EQ(askers(scenario, "behind"), 2U) << "datagrams go to any thread of a machine";
  server.queue_pairs.front().second.transport = Transport::rc;
  EXPECT_EQ(askers(scenario, "behind"), 1U) << "each of the two threads asks one of the two on every machine";
}

TEST(ConnectedPeers, RelaysReachOneThreadWhereTheirConnectionLeadsToIt) {
  Program server = program(queue_pairs(Transport::rc), {});
  PostStep relay = post(Verb::write, 8);
  relay.relay = Relay{};
  EXPECT_FALSE(relays_to_one_thread(relay, server)) << "memory is the machine's";
  PostStep fixed = relay;
  fixed.destination = Destination::fixed;
  EXPECT_TRUE(relays_to_one_thread(fixed, server));
  PostStep immediate = relay;
  immediate.immediate = true;
  EXPECT_TRUE(relays_to_one_thread(immediate, server)) << "its RECV is that of the queue pair";
  server.loop = {post(Verb::send, 8)};
  EXPECT_TRUE(relays_to_one_thread(relay, server)) << "SENDs go over the same queue pairs";
  server.queue_pairs.front().second.transport = Transport::ud;
  EXPECT_FALSE(relays_to_one_thread(post(Verb::send, 8), server));
}

TEST(ConnectedPeers, OfRequestsAreThreadsForSendsAndMachinesForMemory) {
  const auto peers = [](PostStep step) {
    const Scenario scenario = service_asked(step, 4);
    return peers_asked(step, scenario.programs, scenario.machines);
  };
  EXPECT_EQ(peers(post(Verb::send, 8)), 4);
  EXPECT_EQ(peers(post(Verb::read, 8)), 1);
  PostStep mixed = post(Verb::read, 8);
  mixed.mix = {{.share = 0.05, .verb = Verb::send, .payload = Bytes{8}, .region = std::nullopt}};
  EXPECT_EQ(peers(mixed), 4);
}

TEST(ConnectedPeers, ThatAskTheSameThreadHaveDifferentNumbers) {
  for (const Destination destination : {Destination::fixed, Destination::round_robin}) {
    Scenario scenario = service_asked(send_to(destination), 4);
    scenario.programs.emplace_back("second", on("client", named(scenario.programs, "client")));
    const Scenario with_pairs = connected(scenario);
    Simulation simulation{with_pairs};
    const ProgramPlan& server = simulation.program("server");
    std::map<std::size_t, std::set<std::size_t>> peers;  // of a server's thread
    std::size_t source = 0;
    for (const auto& plan : simulation.programs()) {
      for (std::size_t i = 0; i < plan->threads.size(); ++i, ++source) {
        if (plan->program == server.program) continue;
        const std::size_t peer = server.peer_of_source.at(source);
        EXPECT_LT(peer, askers(scenario));
        for (std::size_t thread = 0; thread < 4; ++thread) {
          if (destination == Destination::fixed && i % 4 != thread) continue;
          EXPECT_TRUE(peers[thread].insert(peer).second) << thread << " answers two over one connection";
        }
      }
    }
  }
}

}  // namespace
}  // namespace doorbell::model
