#include "analytic/storage_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;

std::vector<scenario::Point> storage_points(const std::string& name) {
  return scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/gmblock/" + name + ".json",
                        {.sets = {"storage.duration=2 s"}, .seed = {}});
}

double simulated(const model::Scenario& scenario) { return model::run(scenario).throughput.per_second; }

TEST(StorageAnalysis, MeetsTheSimulationWithOneRequestInFlight) {
  for (const char* name : {"raid_ram_1_a", "raid_sram_1_b", "mbl_ram_1_b", "local_raid_sram_a"}) {
    for (const scenario::Point& point : storage_points(name)) {
      const Bounds bounds = analyze(std::get<model::StorageScenario>(point.scenario.instead));
      EXPECT_NEAR(simulated(point.scenario) / bounds.throughput.per_second, 1, 0.01)
          << name << " " << point.coordinates.front().second;
    }
  }
}

TEST(StorageAnalysis, NoSimulationBeatsIt) {
  for (const char* name : {"raid_ram_4_a", "mbl_ram_4_b", "raid_tcp_a", "raid_synchro_multiple_b", "write_ram_b"}) {
    for (const scenario::Point& point : storage_points(name)) {
      const Bounds bounds = analyze(std::get<model::StorageScenario>(point.scenario.instead));
      const model::RunResult result = model::run(point.scenario);
      const double share = result.throughput.per_second / bounds.throughput.per_second;
      const double scatter = result.throughput_ci95.per_second / bounds.throughput.per_second;
      EXPECT_LE(share - scatter, 1.005) << name << " " << point.coordinates.front().second;
      EXPECT_GE(share, 0.6) << name << " " << point.coordinates.front().second;
    }
  }
}

// Koukis 2010, section 3.4.2: through memory every byte crosses the 398 MB/s of Server A's bridge twice.
TEST(StorageAnalysis, ThroughMemoryTheBridgeIsCrossedTwice) {
  model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_ram_4_a").back().scenario.instead);
  const Bounds bounds = analyze(storage);
  EXPECT_EQ(bounds.bottleneck, "server/host bridge");
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second / storage.server.bus.bridge.bytes_per_second, 0.5, 1e-9);
}

TEST(StorageAnalysis, TheNicsMemoryLimitsWhatIsInFlight) {
  model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_sram_2_b").front().scenario.instead);
  storage.request = 512_KiB;  // the second does not fit
  EXPECT_EQ(analyze(storage).bottleneck, "server/buffers in the NIC's memory");
  storage.server.nic.sram = 4096_KiB;
  EXPECT_NE(analyze(storage).bottleneck, "server/buffers in the NIC's memory");
}

TEST(StorageAnalysis, CopiesForTcpFillTheMemoryBus) {
  model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_tcp_a").back().scenario.instead);
  EXPECT_EQ(analyze(storage).bottleneck, "server/CPU");
  // Six crossings, and a core that does nothing else while it copies.
  storage.server.bus.memory = 60_MBps;
  storage.server.cpu.tcp = 10000_MBps;
  const Bounds bounds = analyze(storage);
  EXPECT_EQ(bounds.bottleneck, "server/memory bus");
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 10e6, 1);
}

TEST(StorageAnalysis, TheFrontSideBusBoundsCopies) {
  model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_tcp_a").back().scenario.instead);
  storage.server.bus.front_side = 60_MBps;
  storage.server.cpu.tcp = 10000_MBps;
  const Bounds bounds = analyze(storage);
  const auto bus = std::ranges::find(bounds.bounds, "server/front-side bus", &Bound::resource);
  ASSERT_NE(bus, bounds.bounds.end());
  // Four crossings; the processor that copies is held as long, and for what it does beside.
  EXPECT_NEAR(bus->limit.per_second * static_cast<double>(storage.request.count), 15e6, 1);
  EXPECT_LE(bounds.bandwidth.bytes_per_second, 15e6);
  EXPECT_GT(bounds.bandwidth.bytes_per_second, 14e6);
  model::Scenario scenario;
  scenario.instead = storage;
  EXPECT_LE(simulated(scenario), bounds.throughput.per_second * 1.005);
}

TEST(StorageAnalysis, WritesToThePageCacheStayInMemory) {
  model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_ram_1_a").back().scenario.instead);
  storage.operation = model::BlockOperation::write;
  storage.medium = model::Medium::page_cache;
  storage.path = model::DataPath::local_ram;
  storage.server.cpu.request = Time{0};
  EXPECT_EQ(analyze(storage).bandwidth, storage.server.bus.memory);
  storage.server.bus.front_side = 100_MBps;
  EXPECT_EQ(analyze(storage).bandwidth, storage.server.bus.front_side);
  EXPECT_EQ(analyze(storage).bottleneck, "server/front-side bus");
}

TEST(StorageAnalysis, BandwidthIsThroughputTimesRequest) {
  const model::StorageScenario storage =
      std::get<model::StorageScenario>(storage_points("raid_ram_1_a").back().scenario.instead);
  const Bounds bounds = analyze(storage);
  EXPECT_DOUBLE_EQ(bounds.bandwidth.bytes_per_second,
                   bounds.throughput.per_second * static_cast<double>(storage.request.count));
}

}  // namespace
}  // namespace doorbell::analytic
