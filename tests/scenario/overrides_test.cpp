#include "scenario/overrides.hpp"

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

Node value_of(const std::string& set) { return parse_overrides({set}).front().value; }

TEST(Overrides, ValuesAreJsonOrElseText) {
  EXPECT_EQ(to_json(value_of("a=6")), "6");
  EXPECT_EQ(to_json(value_of("a=true")), "true");
  EXPECT_EQ(to_json(value_of("a=[1, 2]")), "[1,2]");
  EXPECT_EQ(to_json(value_of("a=4 KiB")), "\"4 KiB\"");
  EXPECT_EQ(to_json(value_of("a=\"4 KiB\"")), "\"4 KiB\"");
  EXPECT_EQ(to_json(value_of("a=b=c")), "\"b=c\"");
  EXPECT_EQ(to_json(value_of("a=")), "\"\"");
}

TEST(Overrides, PlacesAreThoseInTheOption) {
  const std::vector<Override> overrides = parse_overrides({"a=1", "a.b=[10, 20]"});
  const Node& list = overrides[1].value;
  EXPECT_EQ(list.at.file_name(), "--set");
  EXPECT_EQ(list.at.line, 2);
  EXPECT_EQ(list.at.column, 5);
  EXPECT_EQ(list.items[1].at.column, 10);
  EXPECT_EQ(value_of("gr\xc3\xb6\xc3\x9f"
                     "e=1")
                .at.column,
            7)
      << "characters, not bytes";
}

TEST(Overrides, HaveNoControlCharacters) {
  for (const char* set : {"title=x\x1b[31m", R"(title="x\u001b[31m")", R"(title=["x\n"])", "a\nb=1"}) {
    try {
      static_cast<void>(parse_overrides({"a=1", set}));
      ADD_FAILURE() << set;
    } catch (const ScenarioError& error) {
      EXPECT_EQ(error.code(), ErrorCode::control_character) << error.what();
      EXPECT_EQ(error.line(), 2);
    }
  }
}

TEST(Overrides, AListWithAProvenanceIsReplacedAsAWhole) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/examples/first.json";
  const std::string turbo = "machines.server.hardware.cpu.turbo";
  EXPECT_NO_THROW(static_cast<void>(load(file, {.sets = {turbo + "=[\"2 GHz\"]"}, .seed = {}})));
  try {
    static_cast<void>(load(file, {.sets = {turbo + ".0=\"2 GHz\""}, .seed = {}}));
    FAIL() << "taken";
  } catch (const ScenarioError& error) {
    EXPECT_NE(std::string{error.what()}.find("to replace all of it"), std::string::npos) << error.what();
  }
}

TEST(Overrides, NamesMayHaveAnEqualsSignWherePathAndValueAreKnownApart) {
  const Workspace workspace;
  std::string scenario = good_scenario;
  for (const char* name : {"\"server\": {", "\"machine\": \"server\""}) {
    std::string renamed = name;
    scenario = replaced(scenario, name, renamed.replace(renamed.find("server"), 6, "server=1"));
  }
  LoadOptions options;
  options.values = {{"/machines/server=1/hardware/cpu/cores", "12"}};
  const auto points = load(workspace.write("x.json", scenario), options);
  EXPECT_EQ(points.front().scenario.machines[0].second.hardware.cpu.cores, 12);
}

TEST(Overrides, ASeedIsNoLargerThanItsLimit) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  EXPECT_NO_THROW(static_cast<void>(load(file, {.sets = {"seed=9007199254740991"}, .seed = {}})));
  EXPECT_THROW(static_cast<void>(load(file, {.sets = {"seed=9007199254740993"}, .seed = {}})), ScenarioError);
}

TEST(Overrides, TheLastOneWins) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  const auto points = load(file, {.sets = {"programs.worker.threads=3", "/programs/worker/threads=4"}, .seed = {}});
  EXPECT_EQ(points.front().scenario.programs[0].second.threads, 4);
}

TEST(Overrides, ReachIntoTheProfileWithoutProvenance) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  const auto points = load(file, {.sets = {"machines.server.hardware.cpu.cores=12"}, .seed = {}});
  EXPECT_EQ(points.front().scenario.machines[0].second.hardware.cpu.cores, 12);
  EXPECT_EQ(points.front().scenario.machines[1].second.hardware.cpu.cores, 16);
}

TEST(Overrides, CreateWhatTheFileLeavesToItsDefault) {
  const Workspace workspace;
  const auto file =
      workspace.write("x.json", replaced(good_scenario, R"("fabric": {"switch_latency": "200 ns"},)", ""));
  const auto points = load(file, {.sets = {"fabric.switch_latency=1 us"}, .seed = {}});
  EXPECT_EQ(points.front().scenario.fabric.switch_latency, std::chrono::microseconds{1});
}

TEST(Overrides, AProfileIsSoughtFromTheCurrentFolder) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  std::string profile = read_all(workspace.folder() / "hardware.json");
  profile.replace(profile.find('{'), 1, "{\"title\": \"Another\", ");
  const auto other = workspace.write("elsewhere/other.json", profile);
  const auto points = load(file, {.sets = {"machines.server.hardware=" + other.string()}, .seed = {}});
  EXPECT_EQ(points.front().scenario.machines[0].second.hardware_name, "Another");
}

}  // namespace
}  // namespace doorbell::scenario
