#include "models/dma_graph.hpp"

#include <gtest/gtest.h>

#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

int used(const MachineGraph& graph) {
  int count = 0;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) count += graph[edge].used ? 1 : 0;
  return count;
}

TEST(DmaGraph, DataGoFromTheDeviceToMemoryAndBack) {
  const MachineGraph graph = make_dma_graph(dma_device());
  EXPECT_TRUE(reaches(graph, "device", "memory"));
  EXPECT_TRUE(reaches(graph, "memory", "device"));
}

TEST(DmaGraph, ShowsTheWaysThatTheWorkTakes) {
  DmaScenario scenario = dma_device();
  scenario.work = DmaWork::write;
  EXPECT_EQ(used(make_dma_graph(scenario)), 3) << "up the link, into the cache, and out of it";
  scenario.work = DmaWork::read;
  EXPECT_EQ(used(make_dma_graph(scenario)), 4);
  scenario.work = DmaWork::alternating;
  EXPECT_EQ(used(make_dma_graph(scenario)), 6);
}

}  // namespace
}  // namespace doorbell::model
