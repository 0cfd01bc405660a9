#include "models/fabric/transfer_graph.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TransferScenario disks_to_port() {
  TransferScenario scenario;
  scenario.resources = {{"disk", {1000_MBps, 4}}, {"memory", {4000_MBps, 1}}, {"port", {2000_MBps, 1}}};
  scenario.streams = {
      {"reads", {.count = 4, .size = 4_KiB, .stages = {{{"disk", "memory"}, {}}, {{"memory", "port"}, {}}}}},
      {"copies", {.count = 1, .size = 4_KiB, .stages = {{{"memory"}, {}}}}}};
  return scenario;
}

TEST(TransferGraph, FollowsEveryStreamThroughItsStages) {
  const MachineGraph graph = make_transfer_graph(disks_to_port());
  EXPECT_EQ(boost::num_vertices(graph), 3U);  // what two stages and two streams share is there once
  EXPECT_EQ(boost::num_edges(graph), 2U);
  EXPECT_TRUE(reaches(graph, "disk", "port"));
  EXPECT_FALSE(reaches(graph, "port", "disk"));
  EXPECT_EQ(graph[0].label, "4 x disk, 1.00 GB/s");
}

TEST(TransferGraph, RefusesARouteThatNamesNothing) {
  TransferScenario scenario = disks_to_port();
  scenario.streams.front().second.stages.front().route.front() = "tape";
  EXPECT_THROW((void)make_transfer_graph(scenario), std::invalid_argument);
}

}  // namespace
}  // namespace doorbell::model
