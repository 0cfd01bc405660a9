#include "models/storage/storage_routes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

StorageScenario scenario(DataPath path, Medium medium = Medium::raid) {
  StorageScenario scenario;
  scenario.path = path;
  scenario.medium = medium;
  StorageServer& server = scenario.server;
  server.bus = {.pci = 400_MBps, .bridge = 300_MBps, .memory = 1000_MBps};
  server.raid.disks = 2;
  server.raid.media = 80_MBps;
  server.raid.interface = 70_MBps;
  server.raid.controller = 500_MBps;
  server.raid.fetch_from_memory = 150_MBps;
  server.raid.fetch_from_bus = 120_MBps;
  server.nic.link = 200_MBps;
  server.nic.read_target = 25_MBps;
  server.bus_memory = 350_MBps;
  return scenario;
}

std::set<std::string> names(const StorageRoutes& routes, const StorageRoutes::Route& route) {
  std::set<std::string> result;
  for (const std::size_t resource : route) result.insert(routes.resources.at(resource).name.substr(7));
  return result;
}

using Names = std::set<std::string>;

TEST(StorageRoutes, ThroughMemoryDataCrossesTheBusesTwice) {
  const StorageRoutes routes = storage_routes(scenario(DataPath::ram));
  EXPECT_EQ(names(routes, routes.from_disks[2]),
            (Names{"PCI bus", "host bridge", "memory bus", "RAID controller", "2 disks at a time"}));
  EXPECT_TRUE(names(routes, routes.from_disks[1]).contains("1 disk at a time"));
  EXPECT_EQ(names(routes, routes.send), (Names{"PCI bus", "host bridge", "memory bus", "NIC link"}));
  EXPECT_EQ(routes.rate(routes.send).bytes_per_second, 200e6);
  EXPECT_EQ(routes.rate(routes.from_disks[2]).bytes_per_second, 140e6);
}

TEST(StorageRoutes, DisksAreNoBusThatBothDirectionsShare) {
  const StorageRoutes routes = storage_routes(scenario(DataPath::ram));
  for (const auto& resource : routes.resources) {
    const Limit limit = resource.name.ends_with(" at a time") ? Limit::link_bandwidth : resource.limit;
    EXPECT_EQ(resource.limit, limit) << resource.name;
  }
}

TEST(StorageRoutes, ThroughTheNicsMemoryItNeverSeesTheHostsMemory) {
  const StorageRoutes routes = storage_routes(scenario(DataPath::sram));
  for (const StorageRoutes::Route* route : {&routes.from_disks[1], &routes.send, &routes.to_device}) {
    EXPECT_FALSE(names(routes, *route).contains("memory bus"));
    EXPECT_FALSE(names(routes, *route).contains("host bridge"));
  }
  EXPECT_EQ(names(routes, routes.send), Names{"NIC link"});
  EXPECT_EQ(routes.rate(routes.to_device).bytes_per_second, 25e6);  // read by the controller, as a target
}

TEST(StorageRoutes, ACardOnTheBusIsWrittenAndReadAcrossIt) {
  StorageScenario writes = scenario(DataPath::pcimem);
  writes.operation = BlockOperation::write;
  const StorageRoutes routes = storage_routes(writes);
  EXPECT_EQ(names(routes, routes.send), (Names{"PCI bus", "bus memory", "NIC link"}));
  const std::string all = std::to_string(writes.server.raid.disks) + " disks at a time";
  EXPECT_EQ(names(routes, routes.to_device),
            (Names{"PCI bus", "bus memory", "controller fetch", "RAID controller", all, "media of the disks"}));
  EXPECT_EQ(routes.rate(routes.to_device).bytes_per_second, 120e6);
}

TEST(StorageRoutes, ThePageCacheIsOnTheMemoryBus) {
  const StorageRoutes routes = storage_routes(scenario(DataPath::ram, Medium::page_cache));
  EXPECT_EQ(names(routes, routes.from_device), Names{"memory bus"});
  EXPECT_EQ(names(routes, routes.to_device), Names{"memory bus"});
}

TEST(StorageRoutes, ProcessorsReachMemoryOverTheFrontSideBusAndDevicesPastIt) {
  for (const DataPath path : {DataPath::ram, DataPath::tcp, DataPath::local_ram}) {
    for (const BlockOperation operation : {BlockOperation::read, BlockOperation::write}) {
      StorageScenario storage = scenario(path);
      storage.operation = operation;
      storage.server.cpu.copy = 1000_MBps;
      storage.server.bus.front_side = 90_MBps;
      const StorageRoutes routes = storage_routes(storage);
      for (const StorageRoutes::Route* route : {&routes.from_disks[2], &routes.to_device, &routes.send})
        EXPECT_FALSE(names(routes, *route).contains("front-side bus"));
      EXPECT_EQ(names(routes, routes.memory), (Names{"memory bus", "front-side bus"}));
      EXPECT_EQ(routes.rate(routes.memory), 90_MBps);
      if (path != DataPath::tcp) continue;
      EXPECT_EQ(names(routes, routes.copies), (Names{"memory bus", "front-side bus", "copying"}));
    }
  }
}

TEST(StorageRoutes, AProcessorCopiesOutOfThePageCache) {
  StorageScenario storage = scenario(DataPath::ram, Medium::page_cache);
  storage.server.bus.front_side = 90_MBps;
  const StorageRoutes routes = storage_routes(storage);
  for (const StorageRoutes::Route* route : {&routes.from_device, &routes.to_device})
    EXPECT_EQ(names(routes, *route), (Names{"memory bus", "front-side bus"}));
}

}  // namespace
}  // namespace doorbell::model
