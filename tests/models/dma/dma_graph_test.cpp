#include "models/dma/dma_graph.hpp"

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
  scenario.work = DmaWork::read;
  EXPECT_EQ(used(make_dma_graph(scenario)), 3) << "up the link, and from memory down";
  scenario.cached = Warmth::host;
  EXPECT_EQ(used(make_dma_graph(scenario)), 4) << "and from the cache instead, which is drawn in both directions";
  scenario.work = DmaWork::write;
  EXPECT_EQ(used(make_dma_graph(scenario)), 4) << "up the link, into the cache, and out of it";
}

TEST(DmaGraph, CoresUseTheMemoryToo) {
  DmaScenario scenario = dma_device();
  EXPECT_FALSE(reaches(make_dma_graph(scenario), "memory", "cores"));
  scenario.cores = CoreLoad{4, CoreWork::read};
  EXPECT_TRUE(reaches(make_dma_graph(scenario), "memory", "cores"));
}

}  // namespace
}  // namespace doorbell::model
