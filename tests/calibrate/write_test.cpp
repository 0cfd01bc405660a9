#include "calibrate/write.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "calibrate/parameter.hpp"
#include "figures/scratch.hpp"
#include "scenario/profile.hpp"

namespace doorbell::calibrate {
namespace {

const std::filesystem::path shipped = std::filesystem::path{DOORBELL_SOURCE_DIR} / "scenarios/hardware/cib.json";

Fit found(const std::string& pointer, const std::string& value) {
  Fit fit;
  fit.parameters.push_back(
      {.stage = "one", .pointer = pointer, .value = value, .shipped = {}, .sources = "paper/fig1"});
  return fit;
}

/// What a profile is read as when the plan's is written to another place.
scenario::Profile written(const std::filesystem::path& profile, const Fit& fit, const std::filesystem::path& target) {
  Plan plan;
  plan.profile = profile;
  std::filesystem::create_directories(target.parent_path());
  std::ofstream{target} << profile_with(plan, fit, target);
  return scenario::load_profile(target);
}

TEST(Write, PutsWhatWasFoundIntoTheProfile) {
  const figures::Scratch scratch;
  const scenario::Profile profile =
      written(shipped, found("/nic/pu_wqe", "50 ns"), scratch.path() / "deep/er/mine.json");
  EXPECT_NEAR(*get(profile.hardware, "/nic/pu_wqe"), 50e-9, 1e-15);
  EXPECT_EQ(profile.title, scenario::load_profile(shipped).title);
}

TEST(Write, OnlyWhatThePointsDetermineIsFitted) {
  const auto entry = [](Basis basis, const std::string& profile_says) {
    Fit fit = found("/nic/pu_wqe", "50 ns");
    fit.parameters[0].basis = basis;
    fit.parameters[0].shipped = profile_says;
    Plan plan;
    plan.profile = shipped;
    return nlohmann::json::parse(profile_with(plan, fit, shipped))["nic"]["pu_wqe"];
  };
  EXPECT_EQ(entry(Basis::points, "80 ns")["provenance"], "fitted");
  EXPECT_EQ(entry(Basis::nothing, "80 ns")["provenance"], "assumed");
  EXPECT_EQ(entry(Basis::nothing, "80 ns")["source"], "paper/fig1: one; the points do not determine it");
  EXPECT_EQ(entry(Basis::plan, "80 ns")["provenance"], "assumed");
  EXPECT_EQ(entry(Basis::plan, "80 ns")["value"], "50 ns");
  // Of a value that the plan only repeats, the profile knows better where it comes from.
  EXPECT_NE(entry(Basis::plan, "50 ns")["value"], "50 ns");
}

TEST(Write, AnEndOfARangeIsNotFitted) {
  Fit fit = found("/nic/pu_wqe", "50 ns");
  fit.parameters[0].at_end = true;
  Plan plan;
  plan.profile = shipped;
  const auto entry = nlohmann::json::parse(profile_with(plan, fit, shipped))["nic"]["pu_wqe"];
  EXPECT_EQ(entry["provenance"], "assumed");
  EXPECT_EQ(entry["source"], "paper/fig1: one; the end of the range searched");
}

TEST(Write, SaysWhereThePointsDoNotFit) {
  const auto source_of = [](Basis basis, double deviation) {
    Fit fit = found("/nic/pu_wqe", "50 ns");
    fit.parameters[0].basis = basis;
    fit.residuals = {{.stage = "one", .figure = {}, .series = {}, .x = {}, .deviation = deviation}};
    Plan plan;
    plan.profile = shipped;
    return nlohmann::json::parse(profile_with(plan, fit, shipped))["nic"]["pu_wqe"]["source"].get<std::string>();
  };
  EXPECT_EQ(source_of(Basis::points, 1), "paper/fig1: one");
  EXPECT_EQ(source_of(Basis::points, 3.44), "paper/fig1: one; its points do not fit: chi 3.4");
  EXPECT_EQ(source_of(Basis::nothing, 3.44),
            "paper/fig1: one; the points do not determine it; its points do not fit: chi 3.4");
  EXPECT_EQ(source_of(Basis::plan, 3.44), "paper/fig1: one; the only value in the calibration file");
}

TEST(Write, AnInheritedProfileIsFoundFromWhereverItIsWritten) {
  const figures::Scratch scratch;
  std::filesystem::create_directory(scratch.path() / "hardware");
  std::filesystem::copy_file(shipped, scratch.path() / "hardware/base.json");
  const std::filesystem::path mine = scratch.write(
      "hardware/mine.json", R"({"$schema": "../schema/hardware.json", "extends": "base.json", "title": "Mine"})");
  for (const char* place : {"mine.json", "hardware/other.json", "far/away/mine.json"}) {
    const scenario::Profile profile = written(mine, found("/nic/pu_wqe", "50 ns"), scratch.path() / place);
    EXPECT_EQ(profile.title, "Mine");
    EXPECT_NEAR(*get(profile.hardware, "/nic/pu_wqe"), 50e-9, 1e-15);
  }
  EXPECT_NE(figures::read_text(scratch.path() / "far/away/mine.json").find("\"../../schema/hardware.json\""),
            std::string::npos);
}

TEST(Write, ReadsProfilesWithComments) {
  const figures::Scratch scratch;
  const std::filesystem::path mine = scratch.write("mine.json", "// my machine\n" + figures::read_text(shipped));
  EXPECT_NO_THROW(static_cast<void>(written(mine, found("/nic/pu_wqe", "50 ns"), scratch.path() / "fitted.json")));
}

}  // namespace
}  // namespace doorbell::calibrate
