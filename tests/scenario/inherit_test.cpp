#include "scenario/inherit.hpp"

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "scenario/parse.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

std::string merged(const std::string& base, const std::string& over) {
  return to_json(merge(parse(base, "base"), parse(over, "over")));
}

TEST(Merge, ObjectsMergeAndTheRestReplaces) {
  EXPECT_EQ(merged(R"({"a": 1, "b": 2})", R"({"b": 3, "c": 4})"), R"({"a":1,"b":3,"c":4})");
  EXPECT_EQ(merged(R"({"a": {"b": 1, "c": 2}})", R"({"a": {"c": 3}})"), R"({"a":{"b":1,"c":3}})");
  EXPECT_EQ(merged(R"({"a": [1, 2]})", R"({"a": [3]})"), R"({"a":[3]})");
  EXPECT_EQ(merged(R"({"a": {"b": 1}})", R"({"a": 5})"), R"({"a":5})");
}

TEST(Merge, ANumberNeverKeepsTheSourceOfAnother) {
  EXPECT_EQ(merged(R"({"a": {"value": 1, "provenance": "stated", "source": "x"}})", R"({"a": {"value": 2}})"),
            R"({"a":{"value":2}})");
}

TEST(Inherit, ChildWinsOverItsBase) {
  const Workspace workspace;
  workspace.write("base.json", good_scenario);
  const auto file =
      workspace.write("child.json", R"({"extends": "base.json", "programs": {"worker": {"threads": 4}}})");
  const model::Scenario scenario = load(file).front().scenario;
  EXPECT_EQ(scenario.programs[0].second.threads, 4);
  EXPECT_EQ(scenario.programs[0].second.loop.size(), 3U);
  EXPECT_EQ(scenario.title, "Sequencer");
}

TEST(Inherit, PathsAreRelativeToTheFileThatNamesThem) {
  const Workspace workspace;
  workspace.write("base/base.json", replaced(replaced(good_scenario, "hardware.json", "../hardware.json"),
                                             "\"hardware.json\"", "\"../hardware.json\""));
  const auto file = workspace.write("deep/down/child.json", R"({"extends": "../../base/base.json"})");
  EXPECT_EQ(load(file).size(), 1U);
}

TEST(Inherit, AProfileCanBeChangedInPlace) {
  const Workspace workspace;
  const std::string changed =
      R"({"hardware": {"extends": "hardware.json", "cpu": {"cores": {"value": 8, "provenance": "stated", "source": "x"}}}},)";
  const auto file = workspace.write("x.json", replaced(good_scenario, R"({"hardware": "hardware.json"},)", changed));
  const model::Scenario scenario = load(file).front().scenario;
  EXPECT_EQ(scenario.machines[0].second.hardware.cpu.cores, 8);
  EXPECT_EQ(scenario.machines[1].second.hardware.cpu.cores, 16);
}

TEST(Inherit, AProfileInPlaceMayNameItsSchema) {
  const Workspace workspace;
  const std::string changed = R"({"hardware": {"$schema": "hardware.json", "extends": "hardware.json"}},)";
  const auto file = workspace.write("x.json", replaced(good_scenario, R"({"hardware": "hardware.json"},)", changed));
  EXPECT_EQ(load(file).size(), 1U);
}

TEST(Inherit, NamingAnotherProfileInheritsNothingOfTheFirst) {
  const Workspace workspace;
  workspace.write("base.json", good_scenario);
  workspace.write("hollow.json", R"({"title": "Hollow"})");
  const auto file =
      workspace.write("x.json", R"({"extends": "base.json", "machines": {"server": {"hardware": "hollow.json"}}})");
  EXPECT_THROW(static_cast<void>(load(file)), ScenarioError);
}

}  // namespace
}  // namespace doorbell::scenario
