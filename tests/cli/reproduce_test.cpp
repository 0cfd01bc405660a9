// What `doorbell reproduce` tells by its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using scenario::testing::read_all;
using scenario::testing::replaced;
using scenario::testing::Workspace;
using ::testing::HasSubstr;

TEST(ReproduceCommand, TellsByItsStatusWhatMovedAndWhatMissesItsTarget) {
  const Workspace folder;
  const std::vector<std::string> table4{"reproduce", "kalia16/table4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), table4.begin(), table4.end());
    return doorbell(more);
  };
  ASSERT_EQ(with({"--out", (folder.folder() / "out").string()}).status, 0);
  const std::string results = (folder.folder() / "out/results.json").string();
  const Outcome same = with({"--baseline", results, "--check"});
  EXPECT_EQ(same.status, 0);
  EXPECT_THAT(same.out, HasSubstr("9 same, 0 moved further"));

  const Outcome twice = with({"--seeds", "2", "--format", "json"});
  EXPECT_EQ(twice.status, 0);
  EXPECT_NE(twice.out, read_all(results)) << "means of two runs";
  expect_users_mistake(with({"--seeds", "0"}), "--seeds");

  const std::string moved = replaced(read_all(results), "\"simulated\": 1", "\"simulated\": 2");
  const Outcome other = with({"--baseline", folder.write("moved.json", moved).string()});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("8 same, 1 moved further"));
  expect_users_mistake(with({"--baseline", folder.write("broken.json", "{").string()}), "broken.json");

  expect_users_mistake(doorbell({"reproduce", "kalia16/table3", "--baseline", results}),
                       "expected points or claims of kalia16/table3, found others, of kalia16/table4");

  const Outcome missed = doorbell({"reproduce", "kalia16/table3", "--check"});
  EXPECT_EQ(missed.status, 1);
  EXPECT_EQ(missed.err, "kalia16: targets missed: worst of validation\n");
  EXPECT_EQ(doorbell({"reproduce", "kalia16/table3"}).status, 0);

  const std::filesystem::path none = folder.folder() / "none";
  expect_users_mistake(doorbell({"reproduce", "unheard-of", "--out", none.string()}), "no figure is named");
  EXPECT_FALSE(std::filesystem::exists(none));
}

TEST(ReproduceCommand, RefusesWhatIsNotThere) {
  const Workspace workspace;
  const std::string none = (workspace.folder() / "none").string();
  expect_users_mistake(doorbell({"reproduce", "kalia16/table3", "--data", none}),
                       "--data:1:1: DB001: expected an existing folder, found \"");
  expect_users_mistake(doorbell({"reproduce", "kalia16/table3", "--data", ""}),
                       "--data:1:1: DB001: expected an existing folder, found \"\"");
  expect_users_mistake(doorbell({"reproduce", "kalia16/table3", "--baseline", none}),
                       "none:1:1: DB001: expected a file that exists, found \"");
  expect_users_mistake(doorbell({"reproduce", "kalia16/table3", "--baseline", ""}), "DB001: expected");
}

TEST(ReproduceCommand, ACheckOfNoFiguresFails) {
  const Workspace data;
  std::filesystem::create_directories(data.folder() / "scenarios");
  std::filesystem::create_directories(data.folder() / "plots");
  const Outcome outcome = doorbell({"reproduce", "--check", "--data-dir", data.folder().string()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "no figures: nothing to check\n");
}

TEST(ReproduceCommand, WhatWouldBeInVainIsRefusedBeforeAnythingRuns) {
  const Workspace folder;
  const std::string out = (folder.folder() / "out").string();
  const std::string nothing = "PATH=" + folder.folder().string();
  // A figure that would take minutes.
  const Outcome without_gnuplot = doorbell({"reproduce", "rdmabox/fig12", "--out", out}, nothing);
  expect_users_mistake(without_gnuplot, "doorbell: DB706 --out: no pictures without gnuplot");
  EXPECT_FALSE(std::filesystem::exists(out));
  const std::string results = folder.write("results.json", R"({"figures": [], "collections": []})").string();
  expect_users_mistake(doorbell({"reproduce", "rdmabox/fig12", "--baseline", results, "--out", out}),
                       "expected points or claims of rdmabox/fig12, found none");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace doorbell::cli
