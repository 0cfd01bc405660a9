#include "scenario/resolution.hpp"

#include <gtest/gtest.h>

#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

const std::string fabrics =
    R"("500 us"}, "sweep": [{"path": "/fabric", "values": [{"switch_latency": "100 ns"}, {"switch_latency": "300 ns"}]}])";

/// The good scenario, with two networks in turn.
class TwoFabrics : public ::testing::Test {
 protected:
  [[nodiscard]] Resolution with(std::vector<std::string> sets) const {
    return {file_, {.sets = std::move(sets), .seed = {}}};
  }
  [[nodiscard]] static std::string latency(Resolution& resolution, std::size_t point) {
    return resolution.tree(point).find("fabric")->find("switch_latency")->text;
  }

  const Workspace workspace_;
  const std::filesystem::path file_ = workspace_.write("x.json", replaced(good_scenario, R"("500 us"})", fabrics));
};

TEST_F(TwoFabrics, EachPointIsWholeAndHasNoSweep) {
  Resolution resolution = with({});
  ASSERT_EQ(resolution.points(), 2U);
  EXPECT_EQ(latency(resolution, 0), "100 ns");
  EXPECT_EQ(latency(resolution, 1), "300 ns");
  EXPECT_EQ(resolution.tree(1).find("sweep"), nullptr);
  EXPECT_NE(resolution.tree(1).find("programs"), nullptr);
}

TEST_F(TwoFabrics, AnOverrideWinsWhereAnAxisReplacesAllAroundIt) {
  Resolution resolution = with({"fabric.switch_latency=5 ns"});
  ASSERT_EQ(resolution.points(), 2U);
  EXPECT_EQ(latency(resolution, 0), "5 ns");
  EXPECT_EQ(latency(resolution, 1), "5 ns");
}

TEST_F(TwoFabrics, TheHashKnowsTheAxes) {
  EXPECT_EQ(with({}).hash(), with({}).hash());
  EXPECT_NE(with({}).hash(), with({"sweep=[]"}).hash());
  EXPECT_NE(with({}).hash(), with({"seed=2"}).hash());
}

TEST(Seeds, ThatOfTheCallerReplacesTheirAxis) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", replaced(good_scenario, R"("500 us"})",
                                                       R"("500 us"}, "sweep": [{"path": "/seed", "values": [1, 2]}])"));
  EXPECT_EQ(load(file, {}).size(), 2U);
  const auto points = load(file, {.sets = {}, .seed = 5});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].scenario.seed, 5U);
}

/// The cores of the server at each point of the good scenario with these axes.
std::vector<std::string> cores_with(const std::string& axes) {
  const Workspace workspace;
  const auto file =
      workspace.write("x.json", replaced(good_scenario, R"("500 us"})", R"("500 us"}, "sweep": )" + axes));
  Resolution resolution{file, {}};
  std::vector<std::string> cores;
  for (std::size_t i = 0; i < resolution.points(); ++i)
    cores.push_back(coordinate_text(
        *resolution.tree(i).find("machines")->find("server")->find("hardware")->find("cpu")->find("cores")));
  return cores;
}

TEST(NestedAxes, ThePartWinsInWhateverOrderTheyAreWritten) {
  const std::string part = R"({"path": "/machines/server/hardware/cpu/cores", "values": [7, 9]})";
  const std::string whole = R"({"path": "/machines/server/hardware", "values": ["hardware.json"]})";
  const std::vector<std::string> expected{"7", "9"};
  EXPECT_EQ(cores_with("[" + part + "," + whole + "]"), expected);
  EXPECT_EQ(cores_with("[" + whole + "," + part + "]"), expected);
  EXPECT_EQ(cores_with(R"([{"paths": ["/machines/server/hardware/cpu/cores", "/machines/server/hardware"],
                            "values": [[7, "hardware.json"], [9, "hardware.json"]]}])"),
            expected);
}

}  // namespace
}  // namespace doorbell::scenario::testing
