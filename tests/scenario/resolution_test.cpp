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

}  // namespace
}  // namespace doorbell::scenario::testing
