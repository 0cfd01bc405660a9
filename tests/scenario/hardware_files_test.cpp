#include "scenario/hardware_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using ::testing::ElementsAre;
using testing::good_scenario;
using testing::replaced;
using testing::Workspace;

TEST(HardwareFiles, AreThoseOfTheProfileWhatItExtendsAndTheScenario) {
  const Workspace workspace;
  const auto at = [&](const char* name) { return std::filesystem::weakly_canonical(workspace.folder() / name); };
  workspace.write("mine.json", R"({"extends": "hardware.json", "title": "hardware", "nic": {"latency":
    {"value": "1 ns", "provenance": "assumed", "source": "test"}}})");
  const auto plain = workspace.write("plain.json", good_scenario);
  EXPECT_THAT(hardware_files(plain, "hardware"),
              ElementsAre(std::set{at("hardware.json")}, std::set{at("hardware.json")}));
  EXPECT_THAT(hardware_files(plain, "other"), ElementsAre());
  const auto mine = workspace.write(
      "mine_too.json", replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                                R"("server": {"hardware": {"extends": "mine.json", "nic": {"queue_depth": 1}}})"));
  EXPECT_THAT(
      hardware_files(mine, "hardware"),
      ElementsAre(std::set{at("hardware.json"), at("mine.json"), at("mine_too.json")}, std::set{at("hardware.json")}));
}

}  // namespace
}  // namespace doorbell::scenario
