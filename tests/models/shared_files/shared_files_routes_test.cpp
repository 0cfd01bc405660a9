#include "models/shared_files/shared_files_routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

long crossings(const SharedFilesRoutes& routes, const SharedFilesRoutes::Route& route, const std::string& name) {
  return std::count_if(route.begin(), route.end(),
                       [&](std::size_t resource) { return routes.resources.at(resource).name == name; });
}

TEST(SharedFilesRoutes, PastMemoryNothingCrossesTheServersBridge) {
  const SharedFilesRoutes routes = shared_files_routes(small_cluster());
  for (const auto* route : {&routes.from_disk(DataPath::sram), &routes.to_node(DataPath::sram)}) {
    EXPECT_EQ(crossings(routes, *route, "server/host bridge"), 0);
    EXPECT_EQ(crossings(routes, *route, "server/memory bus"), 0);
  }
  for (const auto* route : {&routes.from_disk(DataPath::ram), &routes.to_node(DataPath::ram)}) {
    EXPECT_EQ(crossings(routes, *route, "server/host bridge"), 1);
    EXPECT_EQ(crossings(routes, *route, "server/memory bus"), 1);
  }
}

TEST(SharedFilesRoutes, WhateverTheWayDataCrossesBothLinksAndTheMachinesMemory) {
  const SharedFilesRoutes routes = shared_files_routes(small_cluster());
  for (const DataPath path : {DataPath::ram, DataPath::sram}) {
    for (const char* name : {"server/NIC link", "nodes/NIC link", "nodes/PCI bus", "nodes/memory bus"})
      EXPECT_EQ(crossings(routes, routes.to_node(path), name), 1) << name;
  }
}

TEST(SharedFilesRoutes, AFlowAloneHasTheRateOfTheSlowestOnItsWay) {
  const SharedFilesRoutes routes = shared_files_routes(small_cluster());
  EXPECT_EQ(routes.rate(routes.disk_to_nic), 100_MBps);      // a disk
  EXPECT_EQ(routes.rate(routes.memory_and_node), 200_MBps);  // the server's bridge
  EXPECT_EQ(routes.rate(routes.nic_to_node), 300_MBps);      // a link
  EXPECT_EQ(routes.rate(routes.copy_in_node), 500_MBps);     // 250 MB/s, both ways
}

TEST(SharedFilesRoutes, OnlyCopiesCrossFrontSideBuses) {
  SharedFilesScenario shared = small_cluster();
  shared.server.bus.front_side = 400_MBps;
  shared.node.bus.front_side = 300_MBps;
  const SharedFilesRoutes routes = shared_files_routes(shared);
  EXPECT_EQ(crossings(routes, routes.copy_in_server, "server/front-side bus"), 1);
  for (const auto* copies : {&routes.copy_in_node, &routes.copy_to_cache})
    EXPECT_EQ(crossings(routes, *copies, "nodes/front-side bus"), 1);
  for (const auto* moved : {&routes.disk_to_memory, &routes.disk_to_nic, &routes.memory_to_disk,
                            &routes.memory_and_node, &routes.nic_to_node}) {
    EXPECT_EQ(crossings(routes, *moved, "server/front-side bus"), 0);
    EXPECT_EQ(crossings(routes, *moved, "nodes/front-side bus"), 0);
  }
  EXPECT_EQ(routes.rate(routes.copy_in_server), 400_MBps);
  EXPECT_EQ(routes.rate(routes.copy_in_node), 300_MBps);
}

}  // namespace
}  // namespace doorbell::model
