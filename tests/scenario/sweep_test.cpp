#include "scenario/sweep.hpp"

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

const std::string two_axes =
    R"([{"path": "/programs/worker/threads", "values": [1, 2]}, {"path": "/seed", "values": [7, 8, 9]}])";
const std::string zipped = R"([{"paths": ["/programs/worker/threads", "/seed"], "values": [[1, 7], [2, 8]]}])";

std::vector<Point> swept(const std::string& sweep, const std::vector<std::string>& sets = {}) {
  const Workspace workspace;
  const std::string text = replaced(good_scenario, R"("500 us"})", "\"500 us\"}, \"sweep\": " + sweep);
  return load(workspace.write("x.json", text), {.sets = sets, .seed = {}});
}

std::vector<std::pair<int, std::uint64_t>> threads_and_seeds(const std::vector<Point>& points) {
  std::vector<std::pair<int, std::uint64_t>> all;
  for (const Point& point : points) all.emplace_back(point.scenario.programs[0].second.threads, point.scenario.seed);
  return all;
}

using Pairs = std::vector<std::pair<int, std::uint64_t>>;

TEST(Sweep, TheLastAxisChangesFastest) {
  EXPECT_EQ(threads_and_seeds(swept(two_axes)), (Pairs{{1, 7}, {1, 8}, {1, 9}, {2, 7}, {2, 8}, {2, 9}}));
}

TEST(Sweep, ZippedParametersChangeTogether) { EXPECT_EQ(threads_and_seeds(swept(zipped)), (Pairs{{1, 7}, {2, 8}})); }

TEST(Sweep, CoordinatesSayWhatWasChosen) {
  const std::vector<Point> points = swept(two_axes);
  using Coordinates = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(points[4].coordinates, (Coordinates{{"/programs/worker/threads", "2"}, {"/seed", "8"}}));
}

TEST(Sweep, AnOverrideRemovesItsAxis) {
  EXPECT_EQ(threads_and_seeds(swept(two_axes, {"seed=5"})), (Pairs{{1, 5}, {2, 5}}));
}

TEST(Sweep, AnOverrideLeavesTheRestOfAZippedAxis) {
  EXPECT_EQ(threads_and_seeds(swept(zipped, {"programs.worker.threads=6"})), (Pairs{{6, 7}, {6, 8}}));
}

TEST(Sweep, AnOverrideRemovesTheAxesOfWhatItReplaces) {
  const std::string latencies = R"([{"path": "/fabric/switch_latency", "values": ["100 ns", "300 ns"]}])";
  EXPECT_EQ(swept(latencies, {R"(fabric={"switch_latency": "200 ns"})"}).size(), 1U);
  EXPECT_EQ(swept(latencies, {"programs.worker.threads=1"}).size(), 2U);
}

TEST(Sweep, CanBeRemovedOrReplacedAsAWhole) {
  EXPECT_EQ(threads_and_seeds(swept(two_axes, {"sweep=[]"})), (Pairs{{6, 1}}));
  EXPECT_EQ(threads_and_seeds(swept(two_axes, {R"(sweep=[{"path": "seed", "values": [3]}])"})), (Pairs{{6, 3}}));
}

TEST(Sweep, ReachesIntoProfiles) {
  const auto points = swept(R"([{"path": "/machines/server/hardware/cpu/cores", "values": [8, 10]}])");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[1].scenario.machines[0].second.hardware.cpu.cores, 10);
}

TEST(Sweep, EveryCombinationIsCheckedNotOnlyTheFirst) {
  EXPECT_THROW(static_cast<void>(swept(R"([{"path": "/programs/worker/threads", "values": [1, 2, 16, 17]}])")),
               ScenarioError);
}

TEST(Sweep, RowsCountLikeAnOdometer) {
  std::vector<Axis> axes(2);
  axes[0].rows.resize(2);
  axes[1].rows.resize(3);
  EXPECT_EQ(point_count(axes), 6U);
  EXPECT_EQ(rows_at(axes, 0), (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(rows_at(axes, 5), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(point_count({}), 1U);
}

}  // namespace
}  // namespace doorbell::scenario
