#include "scenario/load.hpp"

#include <gtest/gtest.h>

#include "scenario/profile.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;
using namespace model;

TEST(Load, ReadsAWholeScenario) {
  const Workspace workspace;
  const ScenarioFile file = load_file(workspace.write("sequencer.json", good_scenario));
  EXPECT_EQ(file.title, "Sequencer");
  ASSERT_EQ(file.points.size(), 1U);
  EXPECT_TRUE(file.points[0].coordinates.empty());

  const Scenario& scenario = file.points[0].scenario;
  ASSERT_EQ(scenario.machines.size(), 2U);
  EXPECT_EQ(scenario.machines[0].first, "server");
  EXPECT_EQ(scenario.machines[0].second.hardware_name, "hardware");
  EXPECT_EQ(scenario.machines[0].second.hardware.cpu.cores, 16);
  EXPECT_EQ(scenario.machines[1].second.count, 5);
  EXPECT_EQ(scenario.fabric.switch_latency, std::chrono::nanoseconds{200});
  EXPECT_EQ(scenario.measure.duration, std::chrono::microseconds{500});

  const Program& worker = scenario.programs[0].second;
  EXPECT_EQ(worker.threads, 6);
  ASSERT_EQ(worker.queue_pairs.size(), 1U);
  EXPECT_EQ(worker.queue_pairs[0].first, "responses");
  EXPECT_EQ(worker.queue_pairs[0].second.transport, Transport::ud);
  EXPECT_EQ(worker.queue_pairs[0].second.ports, PortUse::all);
  ASSERT_EQ(worker.loop.size(), 3U);
  EXPECT_EQ(std::get<CollectStep>(worker.loop[0]).per_item, std::chrono::nanoseconds{5});
  EXPECT_EQ(std::get<IncrementStep>(worker.loop[1]).line, "counter");
  EXPECT_EQ(std::get<PostStep>(worker.loop[2]).payload, Bytes{8});
  EXPECT_EQ(std::get<PostStep>(worker.loop[2]).destination, Destination::origin);
}

TEST(Load, KeepsDefaultsOfWhatIsLeftOut) {
  const Workspace workspace;
  const std::string text = replaced(good_scenario, R"("fabric": {"switch_latency": "200 ns"},)", "");
  const Scenario scenario = load(workspace.write("x.json", text)).front().scenario;
  EXPECT_EQ(scenario.fabric.switch_latency, Fabric{}.switch_latency);
  EXPECT_EQ(std::get<PostStep>(scenario.programs[0].second.loop[2]).signal_every, PostStep{}.signal_every);
}

TEST(Load, TakesTheFilesNameWhenThereIsNoTitle) {
  const Workspace workspace;
  EXPECT_EQ(load_file(workspace.write("unnamed.json", replaced(good_scenario, R"("title": "Sequencer",)", ""))).title,
            "unnamed");
}

TEST(Load, AcceptsLeavesWithProvenanceInScenarios) {
  const Workspace workspace;
  const std::string text =
      replaced(good_scenario, R"("per_item": "5 ns")",
               R"("per_item": {"value": "5 ns", "provenance": "fitted", "source": "1-core points"})");
  const Scenario scenario = load(workspace.write("x.json", text)).front().scenario;
  EXPECT_EQ(std::get<CollectStep>(scenario.programs[0].second.loop[0]).per_item, std::chrono::nanoseconds{5});
}

TEST(Load, SeedComesFromTheFileOrTheOptions) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", replaced(good_scenario, R"("title")", R"("seed": 42, "title")"));
  EXPECT_EQ(load(file).front().scenario.seed, 42U);
  EXPECT_EQ(load(file, {.sets = {}, .seed = 7}).front().scenario.seed, 7U);
}

TEST(Load, HashTellsContentApart) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  const std::string hash = load_file(file).hash;
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash, load_file(workspace.write("y.json", "// a comment\n" + good_scenario)).hash);
  EXPECT_NE(hash, load_file(file, {.sets = {"programs.worker.threads=5"}, .seed = {}}).hash);
}

TEST(Load, AxesAreThoseOfOnePoint) {
  const Workspace workspace;
  const std::string sweep = R"("sweep": [{"path": "/programs/worker/threads", "values": [1, 2, 3]}], "title")";
  const auto file = workspace.write("x.json", replaced(good_scenario, R"("title")", sweep));
  const std::vector<Axis> axes = axes_at(file, {}, 2);
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_EQ(axes.front().rows.size(), 1U);
  EXPECT_THROW(static_cast<void>(axes_at(file, {}, 3)), std::out_of_range);
}

TEST(Load, EveryScenarioAndProfileOfTheRepository) {
  int scenarios = 0;
  int profiles = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{repository / "scenarios"}) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != ".json" || file.parent_path().filename() == "schema") continue;
    SCOPED_TRACE(file.string());
    try {
      if (is_profile(file)) {
        EXPECT_FALSE(load_profile(file).title.empty());
        ++profiles;
      } else {
        EXPECT_FALSE(load_file(file).points.empty());
        ++scenarios;
      }
    } catch (const ScenarioError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(scenarios, 29);
  EXPECT_GE(profiles, 1);
}

}  // namespace
}  // namespace doorbell::scenario
