#include "scenario/inherit.hpp"

#include <gtest/gtest.h>

#include "bad_input.hpp"
#include "scenario/load.hpp"
#include "scenario/parse.hpp"
#include "scenario/profile.hpp"
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

/// The paths that a file sweeps which extends `base` with this.
std::vector<std::string> swept_by_heir(const std::string& axes, const std::string& heir) {
  const Workspace workspace;
  workspace.write("base.json", replaced(good_scenario, "\"measure\":", "\"sweep\": [" + axes + "], \"measure\":"));
  return load_file(workspace.write("heir.json", R"({"extends": "base.json", )" + heir + "}")).sweep_paths;
}

TEST(Inherit, AParameterOfAnHeirIsNotSweptByItsBase) {
  const std::string threads = R"({"path": "/programs/worker/threads", "values": [1, 2]})";
  const std::string clients = R"({"path": "programs.client.threads", "values": [3, 4]})";
  const std::string both =
      R"({"paths": ["/programs/worker/threads", "/programs/client/threads"], "values": [[1, 3], [2, 4]]})";
  const std::string sets = R"("programs": {"worker": {"threads": 5}})";
  using Paths = std::vector<std::string>;
  EXPECT_EQ(swept_by_heir(threads, sets), Paths{});
  EXPECT_EQ(swept_by_heir(threads + ", " + clients, sets), Paths{"/programs/client/threads"});
  EXPECT_EQ(swept_by_heir(both, sets), Paths{"/programs/client/threads"});
  EXPECT_EQ(swept_by_heir(both, R"("title": "Heir")").size(), 2U);
  EXPECT_EQ(swept_by_heir(clients, sets + ", \"sweep\": [" + threads + "]"), Paths{"/programs/worker/threads"})
      << "a sweep of its own";
  EXPECT_EQ(swept_by_heir(threads, R"("programs": {"client": {"threads": 5}})"), Paths{"/programs/worker/threads"});
}

TEST(Inherit, AnHeirsValueCounts) {
  const Workspace workspace;
  workspace.write("base.json",
                  replaced(good_scenario, "\"measure\":",
                           R"("sweep": [{"path": "/programs/worker/threads", "values": [1, 2]}], "measure":)"));
  const auto file = workspace.write("heir.json", R"({"extends": "base.json", "programs": {"worker": {"threads": 5}}})");
  const std::vector<Point> points = load(file);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.front().scenario.programs[0].second.threads, 5);
}

TEST(Inherit, AnHeirWithOtherHardwareSweepsWhatItsBaseSweepsOfIt) {
  const std::string units = R"({"path": "/machines/server/hardware/cpu/cores", "values": [8, 16]})";
  EXPECT_EQ(swept_by_heir(units, R"("machines": {"server": {"hardware": "hardware.json"}})").size(), 1U);
  EXPECT_EQ(swept_by_heir(units, R"("machines": {"server": {"hardware": {"extends": "hardware.json",
      "cpu": {"cores": {"value": 8, "provenance": "stated", "source": "x"}}}}})")
                .size(),
            0U);
  const std::string machines = R"({"path": "/machines/server/hardware", "values": ["hardware.json"]})";
  EXPECT_EQ(swept_by_heir(machines, R"("machines": {"server": {"hardware": "hardware.json"}})").size(), 0U);
  EXPECT_EQ(swept_by_heir(machines, R"("machines": {"server": {"hardware": {"cpu": {
      "cores": {"value": 8, "provenance": "stated", "source": "x"}}}}})")
                .size(),
            1U)
      << "a part of what is swept";
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

const std::string fabric_in_place = R"("fabric": {"switch_latency": "200 ns"})";

std::string fabric_file(const std::string& latency) {
  return R"({"title": "Far", "switch_latency": {"value": ")" + latency +
         R"(", "provenance": "stated", "source": "its manual"}})";
}

TEST(Inherit, AFabricMayHaveAFile) {
  const Workspace workspace;
  workspace.write("nets/far.json", fabric_file("3 us"));
  workspace.write("nets/near.json", fabric_file("1 us"));
  const auto file = workspace.write("x.json", replaced(good_scenario, fabric_in_place, R"("fabric": "nets/far.json")"));
  const auto latency = [&](const std::vector<std::string>& sets, std::size_t point) {
    return load(file, {.sets = sets, .seed = {}}).at(point).scenario.fabric.switch_latency;
  };
  EXPECT_EQ(latency({}, 0), std::chrono::microseconds{3});
  EXPECT_EQ(latency({"fabric.switch_latency=2 us"}, 0), std::chrono::microseconds{2});
  const std::string near = (workspace.folder() / "nets/near.json").string();
  const std::string swept = R"(sweep=[{"path": "/fabric", "values": ["far.json", ")" + near + R"("]}])";
  EXPECT_THROW(static_cast<void>(latency({swept}, 0)), ScenarioError) << "an override has no folder";
  const std::string both = R"(sweep=[{"path": "/fabric", "values": [{"switch_latency": "5 ns"}, ")" + near + R"("]}])";
  EXPECT_EQ(latency({both}, 0), std::chrono::nanoseconds{5});
  EXPECT_EQ(latency({both}, 1), std::chrono::microseconds{1});
  EXPECT_EQ(load_profile(near).fabric->switch_latency, std::chrono::microseconds{1});
}

TEST(Inherit, AFabricOfAFileNeedsItsProvenances) {
  const Workspace workspace;
  workspace.write("bare.json", R"({"$schema": "fabric.json", "switch_latency": "3 us"})");
  workspace.write("far.json", fabric_file("3 us"));
  for (const std::string fabric :
       {R"("bare.json")", R"({"extends": "bare.json"})", R"({"extends": "far.json", "switch_latency": "1 us"})"}) {
    const auto file = workspace.write("x.json", replaced(good_scenario, fabric_in_place, R"("fabric": )" + fabric));
    const ScenarioError error = complaint_of(file);
    EXPECT_EQ(error.code(), ErrorCode::no_provenance) << fabric;
    EXPECT_EQ(error.pointer(), "/fabric/switch_latency") << fabric;
  }
  EXPECT_THROW(static_cast<void>(load_profile(workspace.folder() / "bare.json")), ScenarioError);
}

TEST(Inherit, OnlyAFabricOfAFileHasATitle) {
  const Workspace workspace;
  const auto file =
      workspace.write("x.json", replaced(good_scenario, fabric_in_place, R"("fabric": {"title": "Mine"})"));
  const ScenarioError error = complaint_of(file);
  EXPECT_EQ(error.code(), ErrorCode::unknown_key);
  EXPECT_EQ(std::string{error.what()}.find("did you mean \"title\""), std::string::npos) << error.what();
  const auto alone = workspace.write("alone.json", R"({"$schema": "fabric.json", "title": "Nothing but a title"})");
  EXPECT_TRUE(load_profile(alone).fabric.has_value());
}

TEST(Inherit, AFabricIsOfNoOtherKind) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", replaced(good_scenario, fabric_in_place, R"("fabric": "hardware.json")"));
  const ScenarioError error = complaint_of(file);
  EXPECT_EQ(error.code(), ErrorCode::wrong_file);
  EXPECT_EQ(error.pointer(), "/fabric");
}

}  // namespace
}  // namespace doorbell::scenario
