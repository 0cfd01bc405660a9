#include "tools/pciebench_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "calibrate/fit.hpp"
#include "figures/definition.hpp"
#include "figures/scratch.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"
#include "tools/pciebench_output.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string shipped_scenarios = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/";

class PcieBenchSets : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "set"; }
  [[nodiscard]] Measurements measured(const std::vector<std::string>& files,
                                      const std::filesystem::path& base = shipped_scenarios +
                                                                          "pciebench/bandwidth_window.json") const {
    std::vector<std::filesystem::path> names;
    for (const std::string& text : files) {
      names.push_back(scratch_.write(fmt::format("{}.dat", names.size()), with_headings(text)));
    }
    return measured_by_pciebench(names, base, folder());
  }
  figures::Scratch scratch_;
};

TEST_F(PcieBenchSets, EveryFileHasTheAxisThatVariesMost) {
  const Measurements set = measured(
      {bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22) + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 128", 40) +
           bandwidth_row("BW_DMA_WR Rand HWarm 0 0 8192 64", 24),
       bandwidth_row("BW_DMA_RD Rand Cold 0 0 4096 64", 29) + bandwidth_row("BW_DMA_RD Rand Cold 0 0 16384 64", 29),
       latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 64", 42, 560) +
           latency_row("LAT_DMA_RD Seq HWarm 4 0 8192 64", 43, 574)});
  std::map<std::string, std::string> paths;
  for (const MeasuredSeries& series : set.series) paths[series.name] = series.path;
  const std::map<std::string, std::string> expected{
      {"reads, random, host-warm, window 8 KiB", "/dma/size"},
      {"writes, random, host-warm, window 8 KiB", "/dma/size"},
      {"reads of 64 B, random, cold", "/dma/window"},
      {"reads of 64 B, sequential, host-warm, window 8 KiB, by offset, latency", "/dma/offset"}};
  EXPECT_EQ(paths, expected);
  EXPECT_TRUE(set.notes.empty());

  static_cast<void>(write_measured_set(set, folder(), figures::Use::validation));
  EXPECT_EQ(figures::read_figure(folder() / "figure.json").panels.size(), 3U);
}

TEST_F(PcieBenchSets, WindowsThatAreNearlyEqualHaveNamesOfTheirOwn) {
  std::string rows;
  for (const char* window : {"1000000", "1000001"}) {
    for (const char* size : {"64", "128", "256"})
      rows += bandwidth_row(fmt::format("BW_DMA_RD Rand Cold 0 0 {} {}", window, size), 20);
  }
  const Measurements set = measured({rows});
  ASSERT_EQ(set.series.size(), 2U);
  EXPECT_NE(set.series[0].name, set.series[1].name);
}

TEST_F(PcieBenchSets, ScenariosDoWhatTheTestsDid) {
  const Measurements set = measured({latency_row("LAT_CMD_WRRD Rand DWarm 8 0 4096 64", 88, 1170),
                                     bandwidth_row("BW_DMA_RW Seq Cold 0 0 65536 256", 30)});
  static_cast<void>(write_measured_set(set, folder(), figures::Use::validation));
  std::map<bool, model::DmaScenario> ran;  // by command
  for (const figures::Series& series : figures::read_figure(folder() / "figure.json").series) {
    for (const auto& point : scenario::load(std::get<figures::Simulation>(series.source).scenario)) {
      const auto* dma = point.scenario.find<model::DmaScenario>();
      ran.emplace(dma->commands, *dma);
    }
  }
  ASSERT_EQ(ran.size(), 2U);
  const model::DmaScenario& command = ran.at(true);
  EXPECT_EQ(command.work, model::DmaWork::write_then_read);
  EXPECT_EQ(command.offset, Bytes{8});
  EXPECT_EQ(command.window, Bytes{4096});
  EXPECT_EQ(command.cached, model::Warmth::device);
  EXPECT_EQ(command.pattern, model::AddressPattern::random);
  EXPECT_EQ(command.in_flight, 1);
  const model::DmaScenario& engine = ran.at(false);
  EXPECT_EQ(engine.work, model::DmaWork::alternating);
  EXPECT_EQ(engine.size, Bytes{256});
  EXPECT_EQ(engine.in_flight, 95) << "those of the base";
}

TEST_F(PcieBenchSets, MeansCountWhereOutliersDoNot) {
  const auto quantity = [&](double mean_of_second) {
    return measured({latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 64", 42, 561) +
                     latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 128", 43, mean_of_second)})
        .series.at(0);
  };
  EXPECT_EQ(quantity(575).quantity, Quantity::mean_latency);
  EXPECT_DOUBLE_EQ(quantity(575).points[0].values[0], 0.561);
  // One power-saving state of the host in a thousand samples.
  const MeasuredSeries median = quantity(4300);
  EXPECT_EQ(median.quantity, Quantity::latency);
  EXPECT_DOUBLE_EQ(median.points[0].values[0], 0.56);
  EXPECT_NEAR(uncertainty_of(median.points[0], scatter_of(median)), 13.33e-3 / 2, 0.1e-3) << "half a tick of the clock";
}

TEST_F(PcieBenchSets, SayWhatIsLeftOutAndWhatIsTakenFromTheBase) {
  const std::string row = bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22);
  const Measurements set = measured({row + bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22)},
                                    shipped_scenarios + "pciebench/latency.json");
  EXPECT_THAT(set.notes, ElementsAre(HasSubstr("left out: 1 row with a last-level cache"),
                                     HasSubstr("latency.json, /dma/in_flight: 1")));
  EXPECT_THROW(static_cast<void>(measured({bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22)})), OutputError);
  EXPECT_THROW(static_cast<void>(measured({row}, shipped_scenarios + "rdmabox/fig01.json")), OutputError);
}

TEST_F(PcieBenchSets, PointToTheCellThatNoScenarioTakes) {
  const auto refusal = [&](const std::string& rows) -> std::string {
    try {
      static_cast<void>(write_measured_set(measured({rows}), folder(), figures::Use::validation));
    } catch (const OutputError& error) {
      return error.what();
    }
    return "was accepted";
  };
  const std::string good = bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22);
  EXPECT_THAT(refusal(good + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 999999999999 64", 22)),
              HasSubstr("0.dat:4:27: DB105: expected a size"))
      << "x";
  EXPECT_THAT(refusal(good + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 128", 22) +
                      bandwidth_row("BW_DMA_WR Rand HWarm 0 0 999999999999 64", 22)),
              HasSubstr("0.dat:6:27: DB105: expected a size"))
      << "what a series has in common";
  EXPECT_THAT(
      refusal(bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22)),
      HasSubstr("0.dat:2:2: DB601: expected rows that a scenario describes, found one with a last-level cache"));
  EXPECT_THAT(
      refusal(bandwidth_row("BW_DMA_RD Rand HWarm 0 4 8192 64", 22) +
              bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22)),
      HasSubstr("0.dat:2:2: DB601: expected rows that a scenario describes, found one with an offset in the device"))
      << "of the first row, whose place it is";
}

TEST_F(PcieBenchSets, NeedEachFileOnce) {
  const auto file = scratch_.write("0.dat", with_headings(bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22)));
  const auto twice = scratch_.path() / "." / "0.dat";
  EXPECT_THROW(
      static_cast<void>(measured_by_pciebench({file, twice}, shipped_scenarios + "pciebench/bandwidth.json", folder())),
      OutputError);
}

/// What the tool would print on the machine of `scenario`.
std::string printed(const std::filesystem::path& scenario, const std::string& setting,
                    const std::vector<std::string>& sets) {
  const model::RunResult result = model::run(scenario::load(scenario, {.sets = sets, .seed = {}}).at(0).scenario);
  if (setting.starts_with("BW")) return bandwidth_row(setting, result.bandwidth.bytes_per_second * 8 / 1e9);
  const double nanoseconds = to_seconds(result.latency.mean) * 1e9;
  return latency_row(setting, static_cast<int>(std::lround(nanoseconds / 13.333)), nanoseconds);
}

TEST_F(PcieBenchSets, AMachineThatIsKnownComesOut) {
  std::ifstream input{shipped_scenarios + "hardware/nfp6000_e5v4.json"};
  auto machine = json::parse(input);
  machine.erase("$schema");
  machine["memory"]["read_latency"]["value"] = "280 ns";
  machine["memory"]["dram"]["value"] = "50 ns";
  machine["dma_engine"]["signal"]["value"] = "90 ns";
  machine["dma_engine"]["write_interval"]["value"] = "33 ns";
  const auto real = scratch_.write("machine.json", machine.dump());
  const auto base = scratch_.write("real.json", json{{"dma",
                                                      {{"hardware", real.string()},
                                                       {"size", "64 B"},
                                                       {"window", "8 KiB"},
                                                       {"in_flight", 95},
                                                       {"duration", "2 ms"}}}}
                                                    .dump());

  const std::string alone = "dma.in_flight=1";
  const std::string command = "dma.commands=true";
  const std::string warm = "dma.cached=host";
  std::string text = printed(base, "LAT_CMD_RD Rand HWarm 0 0 8192 64", {alone, command, warm}) +
                     printed(base, "LAT_CMD_RD Rand Cold 0 0 8192 64", {alone, command});
  for (const std::string size : {"8", "32", "64", "1024", "2048"}) {
    text += printed(base, "LAT_DMA_RD Rand HWarm 0 0 8192 " + size, {alone, warm, "dma.size=" + size + " B"});
  }
  for (const std::string size : {"32", "64"}) {
    text += printed(base, "BW_DMA_WR Rand HWarm 0 0 8192 " + size, {"dma.work=write", warm, "dma.size=" + size + " B"});
  }
  const MeasuredSet set = write_measured_set(measured({text}), folder(), figures::Use::fit);
  const calibrate::Fit fit =
      calibrate::fit(calibrate::read_plan(set.plan), figures::default_engine(), 2, [](const std::string&) {});
  std::map<std::string, double> found;
  for (const calibrate::Found& parameter : fit.parameters) found[parameter.pointer] = parameter.found;
  EXPECT_NEAR(found["/memory/read_latency"], 280e-9, 2e-9);
  EXPECT_NEAR(found["/memory/dram"], 50e-9, 2e-9);
  EXPECT_NEAR(found["/dma_engine/signal"], 90e-9, 3e-9);
  EXPECT_NEAR(found["/dma_engine/write_interval"], 33e-9, 0.5e-9);
}

TEST_F(PcieBenchSets, AnIommuThatIsKnownComesOut) {
  std::ifstream input{shipped_scenarios + "hardware/nfp6000_e5v4.json"};
  auto machine = json::parse(input);
  machine.erase("$schema");
  machine["iommu"]["entries"]["value"] = 64;
  machine["iommu"]["walk"]["value"] = "400 ns";
  machine["memory"]["eviction"]["value"] = "120 ns";
  const auto real = scratch_.write("machine.json", machine.dump());
  const json load{
      {"hardware", real.string()}, {"size", "64 B"}, {"window", "8 KiB"}, {"in_flight", 95}, {"duration", "3 ms"}};
  const auto without = scratch_.write("without.json", json{{"dma", load}}.dump());
  json behind = load;
  behind["iommu_page"] = "4 KiB";
  const auto base = scratch_.write("real.json", json{{"dma", behind}}.dump());

  const std::vector<std::string> one{"dma.in_flight=1", "dma.commands=true"};
  const auto with = [&](std::vector<std::string> sets) {
    sets.insert(sets.end(), one.begin(), one.end());
    return sets;
  };
  std::string reads;
  for (const std::string window : {"4096", "524288", "1048576", "2097152", "16777216", "67108864"})
    reads += printed(base, "LAT_CMD_RD Rand Cold 0 0 " + window + " 64", with({"dma.window=" + window + " B"}));
  std::string writes;
  for (const std::string window : {"4096", "16384", "33554432", "67108864"}) {
    writes += printed(without, "LAT_CMD_WRRD Rand Cold 0 0 " + window + " 64",
                      with({"dma.window=" + window + " B", "dma.work=write_then_read"}));
  }
  const auto found = [&](const std::string& text, const std::filesystem::path& scenario) {
    std::filesystem::remove_all(folder());
    const MeasuredSet set = write_measured_set(measured({text}, scenario), folder(), figures::Use::fit);
    std::map<std::string, double> all;
    for (const calibrate::Found& parameter :
         calibrate::fit(calibrate::read_plan(set.plan), figures::default_engine(), 2, [](const std::string&) {
         }).parameters)
      all[parameter.pointer] = parameter.found;
    return all;
  };
  const auto iommu = found(reads, base);
  EXPECT_EQ(iommu.at("/iommu/entries"), 64);
  EXPECT_NEAR(iommu.at("/iommu/walk"), 400e-9, 8e-9);
  const auto cache = found(writes, without);
  EXPECT_NEAR(cache.at("/memory/eviction"), 120e-9, 4e-9);
  EXPECT_NEAR(cache.at("/memory/write_latency"), 143.8e-9, 2e-9);
}

}  // namespace
}  // namespace doorbell::tools
