#include "scenario/profile.hpp"

#include <gtest/gtest.h>

#include "scenario/error.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

TEST(Profile, IsReadByItself) {
  const Workspace workspace;
  const Profile profile = load_profile(workspace.folder() / "hardware.json");
  EXPECT_EQ(profile.title, "hardware");
  EXPECT_EQ(profile.hardware.cpu.cores, 16);
}

TEST(Profile, InheritsAndReplacesSingleParameters) {
  const Workspace workspace;
  const auto file = workspace.write("big.json", R"({"extends": "hardware.json", "title": "Big",
    "cpu": {"cores": {"value": 40, "provenance": "assumed", "source": "what if"}}})");
  const Profile profile = load_profile(file);
  EXPECT_EQ(profile.title, "Big");
  EXPECT_EQ(profile.hardware.cpu.cores, 40);
  const Profile base = load_profile(workspace.folder() / "hardware.json");
  EXPECT_EQ(profile.hardware.pcie.max_payload, base.hardware.pcie.max_payload);
}

TEST(Profile, IsToldFromAScenario) {
  const Workspace workspace;
  EXPECT_TRUE(is_profile(workspace.folder() / "hardware.json"));
  EXPECT_FALSE(is_profile(workspace.write("scenario.json", good_scenario)));
  EXPECT_TRUE(is_profile(workspace.write("a.json", R"({"$schema": "../schema/hardware.json", "extends": "x.json"})")));
  EXPECT_FALSE(is_profile(workspace.write("b.json", R"({"$schema": "../schema/scenario.json", "extends": "x.json"})")));
  EXPECT_THROW(static_cast<void>(is_profile(workspace.folder() / "nowhere.json")), ScenarioError);
}

}  // namespace
}  // namespace doorbell::scenario
