#include "cli/run_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/result_json.hpp"
#include "scenario/load.hpp"

namespace doorbell::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

scenario::ScenarioFile short_sweep() {
  return scenario::load_file(DOORBELL_SOURCE_DIR "/scenarios/kalia16/fig07_spec_s0.json",
                             {.sets = {"measure.warmup=5 us", "measure.duration=20 us"}, .seed = {}});
}

TEST(RunPoints, ResultsDoNotDependOnTheNumberOfJobs) {
  const Report alone = run_points("x.json", short_sweep(), 1);
  ASSERT_GT(alone.points.size(), 1U);
  EXPECT_GT(alone.results.back().throughput.per_second, alone.results.front().throughput.per_second);
  EXPECT_EQ(result_json(alone), result_json(run_points("x.json", short_sweep(), 3)));
}

TEST(RunPoints, SeedsArePooledPointByPoint) {
  const auto with_seed = [](std::uint64_t seed) {
    scenario::ScenarioFile loaded = short_sweep();
    for (scenario::Point& point : loaded.points) point.scenario.seed = seed;
    return loaded;
  };
  const Report first = run_points("x.json", with_seed(5), 2);
  const Report second = run_points("x.json", with_seed(6), 2);
  const Report both = run_points("x.json", with_seed(5), 3, 2);
  EXPECT_EQ(both.seed, 5U);
  EXPECT_EQ(both.seeds, 2U);
  ASSERT_EQ(both.results.size(), first.results.size());
  for (std::size_t i = 0; i < both.results.size(); ++i) {
    EXPECT_DOUBLE_EQ(both.results[i].throughput.per_second,
                     (first.results[i].throughput.per_second + second.results[i].throughput.per_second) / 2);
    EXPECT_EQ(both.results[i].latency.samples, first.results[i].latency.samples + second.results[i].latency.samples);
    EXPECT_EQ(both.results[i].bottleneck.sentence, first.results[i].bottleneck.sentence);
  }
}

TEST(RunPoints, ScenariosWithProcessesOfTheirOwnHaveSeedsToo) {
  const auto with_seed = [](std::uint64_t seed, unsigned seeds) {
    scenario::ScenarioFile loaded = scenario::load_file(
        DOORBELL_SOURCE_DIR "/scenarios/gmblock/mbl_synchro_single_b.json", {.sets = {}, .seed = seed});
    loaded.points.resize(1);
    return run_points("x.json", std::move(loaded), 2, seeds).results.front();
  };
  const model::RunResult first = with_seed(3, 1);
  const model::RunResult second = with_seed(4, 1);
  ASSERT_NE(first.latency.mean, second.latency.mean);
  const model::RunResult both = with_seed(3, 2);
  EXPECT_EQ(both.latency.mean, (first.latency.mean + second.latency.mean) / 2);
  EXPECT_EQ(both.latency.samples, first.latency.samples + second.latency.samples);
}

TEST(RunPoints, ARefusalOfTheModelsIsTheUsersMistake) {
  scenario::ScenarioFile loaded = short_sweep();
  loaded.points.resize(1);
  // Such a scenario cannot come from a file: the loader refuses it.
  loaded.points.front().scenario.programs.front().second.machine = "nowhere";
  try {
    static_cast<void>(run_points("x.json", std::move(loaded), 2));
    FAIL() << "ran";
  } catch (const scenario::ScenarioError& error) {
    EXPECT_EQ(error.code(), scenario::ErrorCode::refused_by_model);
    EXPECT_EQ(error.file(), "x.json");
  }
}

TEST(RunPoints, ARefusalInAProcessOfItsOwnIsTheUsersMistakeToo) {
  scenario::ScenarioFile loaded = scenario::load_file(DOORBELL_SOURCE_DIR "/scenarios/today/nvme_memory.json");
  loaded.points.resize(1);
  std::get<model::TransferScenario>(loaded.points.front().scenario.instead)
      .streams.front()
      .second.stages.front()
      .route = {"nowhere"};
  EXPECT_THROW(static_cast<void>(run_points("x.json", std::move(loaded), 1)), scenario::ScenarioError);
}

TEST(RunPoints, ASweepOverSeedsHasNoSeedOfAllPoints) {
  scenario::ScenarioFile loaded = short_sweep();
  loaded.points.resize(2);
  loaded.points[1].scenario.seed = loaded.points[0].scenario.seed + 7;
  const Report report = run_points("x.json", std::move(loaded), 1, 2);
  EXPECT_FALSE(report.seed);
  EXPECT_NE(result_json(report).find("\"seed\": null"), std::string::npos);
}

/// The warnings of the first point of a scenario on remote memory.
std::vector<std::string> warnings_of(const std::string& name) {
  scenario::ScenarioFile loaded = scenario::load_file(DOORBELL_SOURCE_DIR "/scenarios/rdmabox/" + name, {});
  loaded.points.resize(1);
  return run_points(name, std::move(loaded), 1).results.front().warnings;
}

TEST(RunPoints, AStoreThatWasJustFilledStillDrifts) {
  EXPECT_THAT(warnings_of("redis_rdmabox.json"), ElementsAre(HasSubstr("the rate of the load still drifts: +")));
}

TEST(RunPoints, AnApplicationThatHasRunForLongDoesNot) {
  for (const char* name : {"textrank_nbdx_128k.json", "lr_rdmabox.json", "memory_limit.json"})
    EXPECT_THAT(warnings_of(name), ElementsAre()) << name;
}

}  // namespace
}  // namespace doorbell::cli
