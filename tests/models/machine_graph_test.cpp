#include "models/machine_graph.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"
#include "models/desktop_disk.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

Scenario two_machines() {
  Scenario scenario;
  scenario.machines = {{"server", {.hardware_name = "a", .hardware = connect_ib(), .count = 1}},
                       {"client", {.hardware_name = "a", .hardware = connect_ib(), .count = 3}}};
  Program client;
  client.machine = "client";
  PostStep post;
  post.to = "store";
  client.loop.emplace_back(post);
  Program store;
  store.machine = "server";
  scenario.programs = {{"client", client}, {"store", store}};
  return scenario;
}

TEST(MachineGraph, EveryCoreReachesEveryMemory) {
  const MachineGraph graph = make_machine_graph(two_machines());
  EXPECT_TRUE(reaches(graph, "client/cores", "server/memory"));
  EXPECT_TRUE(reaches(graph, "server/cores", "client/memory"));
  EXPECT_FALSE(reaches(graph, "client/cores", "nowhere"));
}

TEST(MachineGraph, DrawsEachGroupOnce) {
  // Five parts of two groups, and the switch.
  EXPECT_EQ(boost::num_vertices(make_machine_graph(two_machines())), 11U);
}

TEST(MachineGraph, AHostReachesTheMemoryOfItsPeers) {
  const MachineGraph graph = make_machine_graph(scenario_about(on_blocks(3, 1)));
  EXPECT_TRUE(reaches(graph, "host/cores", "peer/memory"));
  EXPECT_EQ(boost::num_vertices(graph), 11U);
}

TEST(MachineGraph, MachinesOfProgramsBesideALoadAreDrawn) {
  Scenario scenario = scenario_about(on_blocks(3, 1));
  scenario.machines = two_machines().machines;
  scenario.programs = two_machines().programs;
  const MachineGraph graph = make_machine_graph(scenario);
  EXPECT_EQ(boost::num_vertices(graph), 21U);
  EXPECT_TRUE(reaches(graph, "client/cores", "host/memory"));
}

TEST(MachineGraph, ADiskIsDrawnOnlyWhereSomethingGoesToIt) {
  RemoteMemoryScenario remote = on_blocks(3, 1);
  remote.hardware.disk = desktop_disk();
  EXPECT_EQ(boost::num_vertices(make_machine_graph(scenario_about(remote))), 11U);
  remote.access.copy_on_disk = true;
  const MachineGraph graph = make_machine_graph(scenario_about(remote));
  EXPECT_TRUE(reaches(graph, "host/memory", "host/disk"));
  EXPECT_EQ(boost::num_vertices(graph), 12U) << "and none of the peers";
  Scenario programs = two_machines();
  programs.machines[0].second.hardware.disk = desktop_disk();
  EXPECT_EQ(boost::num_vertices(make_machine_graph(programs)), 11U) << "programs use no such disk";
}

}  // namespace
}  // namespace doorbell::model
