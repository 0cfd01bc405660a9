#include "analytic/scenario_bounds.hpp"

#include <gtest/gtest.h>

#include <string>

#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

Bounds bounds_of(const std::string& file) {
  return scenario_bounds(scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/" + file).front().scenario);
}

TEST(ScenarioBounds, KnowEveryKindOfScenario) {
  for (const char* file : {"kalia16/table4_ud_recv.json", "gmblock/raid_ram_1_a.json", "gmblock/cluster/web_sram.json",
                           "today/nvme_memory.json", "rdmabox/fig01.json", "pciebench/latency.json"}) {
    const Bounds bounds = bounds_of(file);
    EXPECT_GT(bounds.throughput.per_second, 0) << file;
    EXPECT_FALSE(bounds.bottleneck.empty()) << file;
  }
}

}  // namespace
}  // namespace doorbell::analytic
