// Scenarios about a device and its DMA.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bad_input.hpp"
#include "models/dma/dma_scenario.hpp"
#include "scenario/profile.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::filesystem::path nfp6000 =
    std::filesystem::path{DOORBELL_SOURCE_DIR} / "scenarios/hardware/nfp6000_e5v4.json";

class DmaFiles : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path scenario(const nlohmann::json& members,
                                               const nlohmann::json& hardware = {}) const {
    nlohmann::json dma{{"hardware", nfp6000.string()}, {"size", "64 B"}, {"window", "8 KiB"}};
    dma.update(members);
    if (!hardware.is_null()) dma["hardware"] = hardware;
    return workspace.write("dma.json", nlohmann::json{{"dma", dma}}.dump());
  }

  Workspace workspace;
};

TEST_F(DmaFiles, AreRead) {
  const auto points =
      load(scenario({{"work", "write_then_read"}, {"cached", "device"}, {"iommu_page", "4 KiB"}, {"offset", "3 B"}}));
  ASSERT_TRUE(std::holds_alternative<model::DmaScenario>(points[0].scenario.instead));
  const model::DmaScenario& dma = std::get<model::DmaScenario>(points[0].scenario.instead);
  EXPECT_EQ(dma.hardware_name, "NFP-6000 in a Xeon E5-2630 v4 server");
  EXPECT_EQ(dma.hardware.pcie.read_tags, 32);
  EXPECT_EQ(dma.work, model::DmaWork::write_then_read);
  EXPECT_EQ(dma.cached, model::Warmth::device);
  EXPECT_EQ(dma.iommu_page, Bytes{4096});
  EXPECT_EQ(model::unit_of(dma), Bytes{128});
  EXPECT_EQ(model::units_of(dma), 64);
}

TEST_F(DmaFiles, PagesArePowersOfTwo) {
  expect_refused_at(scenario({{"iommu_page", "5000 B"}}), out_of_range, "/dma/iommu_page");
  expect_refused_at(scenario({{"iommu_page", "2048 B"}}), out_of_range, "/dma/iommu_page");
  for (const char* page : {"0 B", "4 KiB"}) EXPECT_NO_THROW((void)load(scenario({{"iommu_page", page}})));
}

TEST_F(DmaFiles, ProfilesAreReadByThemselves) {
  EXPECT_TRUE(is_profile(nfp6000));
  EXPECT_TRUE(load_profile(nfp6000).dma_machine.has_value());
}

TEST_F(DmaFiles, EachStreamHasRoomForOneRequest) {
  const auto streams = [&](const char* window, int number) {
    return scenario({{"window", window}, {"streams", number}, {"pattern", "sequential"}});
  };
  EXPECT_NO_THROW((void)load(streams("8 KiB", 128)));
  expect_refused_at(streams("8 KiB", 129), window_too_small, "/dma/streams");
  expect_refused_at(streams("64 B", 2), window_too_small, "/dma/streams");
}

TEST_F(DmaFiles, StreamsAreOfSequentialRequests) {
  expect_refused_at(scenario({{"streams", 2}}), without_effect, "/dma/streams");
  expect_refused_at(scenario({{"streams", 2}, {"pattern", "random"}}), without_effect, "/dma/streams");
  EXPECT_NO_THROW((void)load(scenario({{"streams", 1}})));
  // A sweep over both orders may have streams for one of them.
  const auto swept = workspace.write("swept.json", R"({"extends": "dma.json",
    "sweep": [{"path": "/dma/pattern", "values": ["sequential", "random"]}]})");
  (void)scenario({{"streams", 2}});
  EXPECT_EQ(load(swept).size(), 2U);
}

TEST_F(DmaFiles, CommandsUseNoDmaEngine) {
  const LoadOptions changed{.sets = {"dma.hardware.dma_engine.load=1 ns"}, .seed = {}};
  const auto commands = scenario({{"commands", true}});
  EXPECT_NO_THROW((void)load(commands)) << "the profile has one";
  try {
    (void)load(commands, changed);
    ADD_FAILURE() << "was accepted";
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.code(), without_effect);
    EXPECT_EQ(error.pointer(), "/dma/hardware/dma_engine/load");
  }
  EXPECT_NO_THROW((void)load(scenario({{"commands", false}}), changed));
}

TEST_F(DmaFiles, AFullWriteQueueMayBeWhatTurnsTheBus) {
  const std::filesystem::path cores = std::filesystem::path{DOORBELL_SOURCE_DIR} / "scenarios/hardware/gold6234.json";
  const std::string channels = "dma.hardware.memory.channels.";
  const auto points = load(scenario({{"hardware", cores.string()}}),
                           {.sets = {channels + "write_queue=48", channels + "drain_at=48"}, .seed = {}});
  const auto& dma = std::get<model::DmaScenario>(points.front().scenario.instead);
  EXPECT_EQ(dma.hardware.memory.channels->drain_at, dma.hardware.memory.channels->write_queue);
}

TEST_F(DmaFiles, RefuseWhatCannotBe) {
  expect_refused_at(scenario({{"size", "10000 B"}}), window_too_small, "/dma/window");
  expect_refused_at(scenario({{"window", "64 B"}, {"offset", "1 B"}}), window_too_small, "/dma/window");
  expect_refused_at(scenario({{"streams", 65536}, {"pattern", "sequential"}}), window_too_small, "/dma/streams");
  expect_refused_at(scenario({{"offset", "64 B"}}), out_of_range, "/dma/offset");
  expect_refused_at(scenario({{"work", "reed"}}), unknown_choice, "/dma/work");
  expect_refused_at(scenario({{"hardware", "nowhere.json"}}), file_not_found, "/dma/hardware");
  expect_refused_at(scenario({{"in_flight", 0}}), nothing_to_run, "/dma/in_flight");
  expect_refused_at(scenario({{"cores", {{"count", 2}}}}), impossible_hardware, "/dma/cores");
  const std::filesystem::path cores = std::filesystem::path{DOORBELL_SOURCE_DIR} / "scenarios/hardware/gold6234.json";
  const auto channels = [&](const char* member, int value) -> nlohmann::json {
    const nlohmann::json parameter{{"value", value}, {"provenance", "assumed"}, {"source", "a test"}};
    return {{"extends", cores.string()}, {"memory", {{"channels", {{member, parameter}}}}}};
  };
  const nlohmann::json nothing = nlohmann::json::object();
  expect_refused_at(scenario(nothing, channels("drain_at", 49)), impossible_hardware,
                    "/dma/hardware/memory/channels/drain_at");
  expect_refused_at(scenario(nothing, channels("bank_groups", 3)), impossible_hardware,
                    "/dma/hardware/memory/channels/bank_groups");
  expect_refused_at(scenario(nothing, channels("drain_to", 27)), impossible_hardware,
                    "/dma/hardware/memory/channels/drain_to");
  for (const char* as_long : {"7.8 us", "8 us"}) {  // as one interval, or longer
    const nlohmann::json refresh{{"value", as_long}, {"provenance", "assumed"}, {"source", "a test"}};
    expect_refused_at(
        scenario(nothing, {{"extends", cores.string()}, {"memory", {{"channels", {{"refresh", refresh}}}}}}),
        impossible_hardware, "/dma/hardware/memory/channels/refresh");
  }
  const auto refreshed = [](const std::filesystem::path& profile, const char* time) -> nlohmann::json {
    const auto parameter = [](const nlohmann::json& value) -> nlohmann::json {
      return {{"value", value}, {"provenance", "assumed"}, {"source", "a test"}};
    };
    const nlohmann::json refresh{{"ranks", parameter(2)}, {"interval", parameter("7.8 us")}, {"time", parameter(time)}};
    return {{"extends", profile.string()}, {"memory", {{"refresh", refresh}}}};
  };
  expect_refused_at(scenario(nothing, refreshed(nfp6000, "7.8 us")), impossible_hardware,
                    "/dma/hardware/memory/refresh/time");
  expect_refused_at(scenario(nothing, refreshed(cores, "350 ns")), impossible_hardware, "/dma/hardware/memory/refresh");
  const nlohmann::json larger{{"value", "1 GiB"}, {"provenance", "assumed"}, {"source", "a test"}};
  const nlohmann::json hardware{{"extends", nfp6000.string()}, {"memory", {{"cache", {{"device_share", larger}}}}}};
  expect_refused_at(scenario(nlohmann::json::object(), hardware), impossible_hardware,
                    "/dma/hardware/memory/cache/device_share");
}

}  // namespace
}  // namespace doorbell::scenario::testing
