#include "figures/engine.hpp"

#include <gtest/gtest.h>

#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

TEST(Engine, FilesThatOverridesNameAreRelativeToTheFolderGiven) {
  const Scratch scratch;
  const std::filesystem::path source{DOORBELL_SOURCE_DIR};
  std::filesystem::create_directories(scratch.path() / "plots");
  std::filesystem::copy(source / "scenarios/hardware/cx3.json", scratch.path() / "other.json");
  const Overrides other{{"/machines/server/hardware", "../other.json"},
                        {"/machines/client/hardware", R"({"extends": "../other.json"})"}};
  const std::vector<SweepPoint> points =
      default_engine().load(source / "scenarios/kalia16/farm_cib.json", other, scratch.path() / "plots");
  for (const auto& [name, group] : points.front().scenario.machines) {
    EXPECT_NE(group.hardware_name.find("ConnectX-3"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace doorbell::figures
