#include "models/storage/storage_graph.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

StorageScenario served(DataPath path, Medium medium = Medium::raid) {
  StorageScenario scenario;
  scenario.server = small_cluster().server;
  scenario.path = path;
  scenario.medium = medium;
  return scenario;
}

/// Parts that the data passes.
std::set<std::string> passed(const MachineGraph& graph) {
  std::set<std::string> parts;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    if (!graph[edge].used) continue;
    parts.insert(graph[boost::source(edge, graph)].name);
    parts.insert(graph[boost::target(edge, graph)].name);
  }
  return parts;
}

TEST(StorageGraph, AllPartsHangTogether) {
  for (const DataPath path : {DataPath::ram, DataPath::sram, DataPath::pcimem, DataPath::tcp}) {
    const MachineGraph graph = make_storage_graph(served(path));
    for (const char* part : {"server/memory", "server/NIC", "clients"}) {
      EXPECT_TRUE(reaches(graph, "server/disks", part)) << part;
      EXPECT_TRUE(reaches(graph, part, "server/disks")) << part;
    }
  }
}

TEST(StorageGraph, ShowsWhichWayTheDataTakes) {
  const auto through_memory = passed(make_storage_graph(served(DataPath::ram)));
  EXPECT_TRUE(through_memory.contains("server/host bridge"));
  EXPECT_TRUE(through_memory.contains("clients"));
  const auto past_memory = passed(make_storage_graph(served(DataPath::sram)));
  EXPECT_FALSE(past_memory.contains("server/host bridge"));
  EXPECT_TRUE(past_memory.contains("server/NIC"));
  EXPECT_TRUE(passed(make_storage_graph(served(DataPath::pcimem))).contains("server/bus memory"));
  EXPECT_TRUE(passed(make_storage_graph(served(DataPath::tcp))).contains("server/CPU"));
}

TEST(StorageGraph, WhatStaysInTheServerHasNoClients) {
  const MachineGraph graph = make_storage_graph(served(DataPath::local_ram));
  EXPECT_FALSE(reaches(graph, "server/disks", "clients"));
  EXPECT_FALSE(passed(graph).contains("server/NIC"));
}

TEST(StorageGraph, CachedBlocksComeFromMemory) {
  const MachineGraph graph = make_storage_graph(served(DataPath::ram, Medium::page_cache));
  EXPECT_FALSE(reaches(graph, "server/memory", "server/disks"));
  EXPECT_TRUE(passed(graph).contains("server/memory"));
}

TEST(StorageGraph, CopiesAreDrawnWithTheBusThatTheyCross) {
  const auto text_at_processor = [](const StorageScenario& storage) {
    const MachineGraph graph = make_storage_graph(storage);
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
      if (graph[boost::target(edge, graph)].name == "server/CPU") return graph[edge].label;
    }
    return std::string{};
  };
  StorageScenario storage = served(DataPath::tcp);
  EXPECT_EQ(text_at_processor(storage).find("front-side"), std::string::npos);
  storage.server.bus.front_side = Bandwidth{1064e6};
  EXPECT_NE(text_at_processor(storage).find("front-side bus 1.06"), std::string::npos) << text_at_processor(storage);
}

}  // namespace
}  // namespace doorbell::model
