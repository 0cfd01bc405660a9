#include "models/shared_files/shared_files_graph.hpp"

#include <gtest/gtest.h>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

TEST(SharedFilesGraph, KnowsTheMachinesThatShareTheDisks) {
  SharedFilesScenario shared = small_cluster();
  shared.mount.nodes = 3;
  const MachineGraph graph = make_shared_files_graph(shared);
  EXPECT_TRUE(reaches(graph, "server/disks", "clients"));
  EXPECT_EQ(graph[boost::num_vertices(graph) - 1].label, "3 nodes");
}

}  // namespace
}  // namespace doorbell::model
