// What `doorbell calibrate` tells of a fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "narrow.hpp"
#include "tools/perftest_output.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using scenario::testing::read_all;
using scenario::testing::Workspace;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// A file that fits the latency of a NIC to medians of READs of 8 and 16 B, in microseconds.
std::string plan_for(const Workspace& workspace, const std::string& of_8, const std::string& of_16) {
  const auto output =
      workspace.write("lat.txt", tools::heading("RDMA_Read Latency") + tools::latencies + "8 1000 0.1 90 " + of_8 +
                                     " 2 0 3 4\n16 1000 0.1 90 " + of_16 + " 2 0 3 4\n");
  const std::string set = (workspace.folder() / "set").string();
  const Outcome imported = doorbell({"import", "perftest", output.string(), "--hardware",
                                     source_dir + "/scenarios/hardware/cib.json", "--use", "fit", "--out", set});
  EXPECT_EQ(imported.status, 0) << imported.err;
  return set + "/calibration.json";
}

TEST(CalibrateCommand, NamesTheWorstPointOfAStage) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "2.50", "2.50");
  const Outcome text = doorbell({"calibrate", plan});
  EXPECT_THAT(text.out, HasSubstr("stage    points  median   worst"));
  EXPECT_THAT(text.out, ContainsRegex("latency       2   0\\.[0-9] % +.0\\.[0-9] % +(8|16) +RC READ latency"));
  EXPECT_THAT(text.out, Not(HasSubstr("Warning")));
  expect_narrow(text.out);
}

TEST(CalibrateCommand, MayAskForMoreThanThatTheProfileLiesInTheInterval) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "2.00", "2.60");  // whose interval is wide
  const Outcome wide = doorbell({"calibrate", plan});
  EXPECT_EQ(wide.status, 0) << wide.out;
  const Outcome near = doorbell({"calibrate", plan, "--within", "1"});
  EXPECT_EQ(near.status, 1);
  EXPECT_THAT(near.out, ContainsRegex("NO, [0-9.]+ % apart"));
  expect_narrow(near.out);
  const Outcome json = doorbell({"calibrate", plan, "--within", "1", "--format", "json"});
  EXPECT_FALSE(nlohmann::json::parse(json.out).at("parameters").at(0).at("agrees").get<bool>());
  EXPECT_EQ(doorbell({"calibrate", plan, "--within", "1000"}).status, 0);
  expect_users_mistake(doorbell({"calibrate", plan, "--within", "0"}), "--within: expected a whole number from 1 to");
}

TEST(CalibrateCommand, WarnsOfPointsThatDoNotFit) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "2.00", "3.00");
  const std::string profile = (workspace.folder() / "profile.json").string();
  const Outcome text = doorbell({"calibrate", plan, "--write", profile});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Warning: the points of \"latency\" do not fit"));
  expect_narrow(text.out);
  EXPECT_THAT(read_all(profile), HasSubstr("latency; its points do not fit: chi "));

  const auto stage = nlohmann::json::parse(doorbell({"calibrate", plan, "--format", "json"}).out).at("stages").at(0);
  EXPECT_EQ(stage.at("name"), "latency");
  EXPECT_EQ(stage.at("points"), 2);
  EXPECT_FALSE(stage.at("fits").get<bool>());
  EXPECT_GT(stage.at("chi").get<double>(), 2);
  EXPECT_EQ(stage.at("worst").at("series"), "RC READ latency");
}

TEST(CalibrateCommand, DoesNotAgreeAtAnEndOfARange) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "0.20", "0.30");  // which no NIC of this kind does
  const Outcome text = doorbell({"calibrate", plan});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, HasSubstr("lies at the end of its range"));
  EXPECT_THAT(text.out, ContainsRegex("/nic/latency .* NO\n"));
}

TEST(CalibrateCommand, RefusesAFolderThatIsNotThere) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "2.50", "2.50");
  expect_users_mistake(doorbell({"calibrate", plan, "--data", (workspace.folder() / "none").string()}),
                       "--data:1:1: DB001: expected an existing folder, found \"");
}

TEST(CalibrateCommand, TellsByWhichFactorAValueIsUncertain) {
  const Workspace workspace;
  // What is sought is a small part of what one READ at a time takes.
  const auto plan = workspace.write("plan.json", R"({"profile": ")" + source_dir + R"(/scenarios/hardware/cx3.json",
    "stages": [{"name": "responses", "method": "simulation",
      "unknowns": [{"path": "/nic/read_response_latency", "start": "200 ns", "min": "1 ns", "max": "1 us"}],
      "observations": [{"figure": ")" + source_dir + R"(/plots/kalia16/fig13b.json",
                        "series": "CX3 request_rate", "x": [1]}]}]})");
  const Outcome text = doorbell({"calibrate", plan.string()});
  EXPECT_THAT(text.out, ContainsRegex("/nic/read_response_latency +[0-9.]+ ns +factor [2-9][0-9.]* +270 ns +yes"));
}

TEST(CalibrateCommand, FollowsTheSeed) {
  const Workspace workspace;
  const auto plan = workspace.write("plan.json", R"({"profile": ")" + source_dir + R"(/scenarios/hardware/cx3.json",
    "stages": [{"name": "one counter", "method": "simulation",
      "unknowns": [{"path": "/root_complex/read_latency", "start": "200 ns", "min": "20 ns", "max": "1 us"}],
      "observations": [{"figure": ")" + source_dir + R"(/plots/kalia16/fig14.json", "series": "CX3", "x": [1]}]}]})");
  const auto found = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"calibrate", plan.string(), "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return nlohmann::json::parse(doorbell(arguments).out).at("parameters").at(0).at("found").get<double>();
  };
  const double with_its_own = found({});
  EXPECT_EQ(found({"--seed", "1"}), with_its_own);
  const double with_another = found({"--seed", "2"});
  EXPECT_NE(with_another, with_its_own);
  EXPECT_NEAR(with_another, with_its_own, 0.01 * with_its_own);
  expect_users_mistake(doorbell({"calibrate", plan.string(), "--seed", "-1"}),
                       "--seed: expected a whole number from 0");
}

TEST(CalibrateCommand, DoesNotTakeACopyOfAProfileForTheProfile) {
  const Workspace workspace;
  const std::string plan = plan_for(workspace, "2.50", "2.50");
  workspace.write("set/copy.json", read_all(source_dir + "/scenarios/hardware/cib.json"));
  nlohmann::json changed = nlohmann::json::parse(read_all(plan));
  changed["profile"] = "copy.json";
  workspace.write("set/calibration.json", changed.dump());
  expect_users_mistake(doorbell({"calibrate", plan}), "DB513 /stages/0/observations/0/x/0: expected hardware of ");
}

TEST(CalibrateCommand, SaysWhichMeasurementsOfOthersAreNotAtHand) {
  const Workspace workspace;
  nlohmann::json figure = nlohmann::json::parse(read_all(source_dir + "/plots/hostnet/cores.json"));
  figure["external"]["file"] = "hostnet/missing.csv";
  for (nlohmann::json& series : figure["series"]) {
    if (series.contains("scenario"))
      series["scenario"] = source_dir + "/plots/hostnet/" + series["scenario"].get<std::string>();
  }
  workspace.write("cores.json", figure.dump());
  nlohmann::json plan = nlohmann::json::parse(read_all(source_dir + "/calib/hostnet-gold6234.json"));
  plan["profile"] = source_dir + "/calib/" + plan["profile"].get<std::string>();
  for (nlohmann::json& stage : plan["stages"]) {
    for (nlohmann::json& seen : stage["observations"]) seen["figure"] = "cores.json";
  }
  const std::string file = workspace.write("plan.json", plan.dump()).string();
  const std::string says =
      "DB514 hostnet/cores was measured by others: `--data DIR` takes it from DIR/hostnet/missing.csv";
  expect_users_mistake(doorbell({"check", file}), says);
  expect_users_mistake(doorbell({"calibrate", file}), says);
}

}  // namespace
}  // namespace doorbell::cli
