// What a figure says of its scenarios is known to be wrong before they run.
#include "figures/planned_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures/fake_engine.hpp"
#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;

class PlannedFigure : public testing::Test {
 protected:
  static json sound() {
    return json::parse(R"json({
      "id": "paper/fig1", "title": "A figure",
      "series": [
        {"name": "slow", "scenario": "3.json", "x": {"sweep": "/threads"}},
        {"name": "fast", "scenario": "5.json", "at": {"/threads": 4}, "x": ["few", "many"]},
        {"name": "open", "scenario": "5.json", "x": {"metric": "throughput"}},
        {"name": "reads", "closed_form": "dma_read_bytes", "profile": "cib.json", "x": [64]}],
      "panels": [{"name": "bars", "x": {"label": "x"}, "y": {"label": "y"},
                  "bars": [{"group": "g", "label": "l", "series": "fast", "x": "many"}]}],
      "claims": [{"id": "c1", "text": "It grows.", "stated": 2,
                  "expression": "sim('slow', 4) / sim('reads', 64) + sim('open', 3)", "holds_if": "value > 0"}]})json");
  }

  std::string complaint(const std::string& pointer, const json& value) {
    json definition = sound();
    definition[json::json_pointer{pointer}] = value;
    return complaint_of(definition);
  }
  std::string complaint_of(const json& definition) {
    const Figure figure = read_figure(scratch_.write("fig1.json", definition.dump()));
    try {
      Evaluator{engine_, 1, std::nullopt}.prepare(figure);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }

  Scratch scratch_;
  RunCount runs_ = std::make_shared<std::atomic<int>>(0);
  Engine engine_ = fake_engine(runs_);
};

TEST_F(PlannedFigure, RunsNothing) {
  EXPECT_EQ(complaint("/title", "sound"), "no error");
  EXPECT_EQ(*runs_, 0);
}

TEST_F(PlannedFigure, SeriesStandOnAxesOfTheirScenarios) {
  EXPECT_THAT(complaint("/series/0/x/sweep", "threads"),
              HasSubstr("DB507 /series/0/x/sweep: expected an axis of the scenario's sweep: \"/threads\" or "
                        "\"/payload\", found \"threads\"; did you mean \"/threads\"?"));
  EXPECT_THAT(complaint("/series/0/x/sweep", "threads"), HasSubstr("fig1.json:1:"));
  EXPECT_THAT(complaint("/series/0/set", {{"/threads", 2}}),
              HasSubstr("DB507 /series/0/x/sweep: expected an axis of the scenario's sweep, which has none"));
}

TEST_F(PlannedFigure, EachPointHasAPosition) {
  EXPECT_THAT(complaint("/series/1/at", json::object()), HasSubstr("DB507 /series/1/x: expected a position for each of "
                                                                   "the 3 points of"));
}

TEST_F(PlannedFigure, CoordinatesAreThoseOfAPoint) {
  EXPECT_THAT(complaint("/series/1/at", {{"/threads", 5}}), HasSubstr("DB507 /series/1/at: expected a point of"));
  EXPECT_THAT(complaint("/series/1/at", {{"/threads", 5}}), HasSubstr("found none where /threads is 5"));
  EXPECT_THAT(complaint("/series/1/at", {{"/thread", 4}}), HasSubstr("found \"/thread\"; did you mean \"/threads\"?"));
}

TEST_F(PlannedFigure, BarsAndClaimsNamePointsThatAreThere) {
  EXPECT_THAT(
      complaint("/panels/0/bars/0/x", "mny"),
      HasSubstr("DB508 /panels/0/bars/0/x: expected an x at which \"fast\" is simulated, found mny; did you mean "
                "\"many\"?"));
  EXPECT_THAT(
      complaint("/claims/0/expression", "1 + sim('slow', 3.9)"),
      HasSubstr("DB508 /claims/0/expression: expected an x at which \"slow\" is simulated, found 3.9 in column 5; "
                "did you mean \"4\"?"));
  EXPECT_THAT(complaint("/claims/0/holds_if", "value > sim('reads', 65)"), HasSubstr("DB508 /claims/0/holds_if"));
}

TEST_F(PlannedFigure, ClaimsCanBeCalculated) {
  const auto expect_refused = [this](const char* pointer, const char* expression) {
    try {
      static_cast<void>(complaint(pointer, expression));
      FAIL() << expression << " was accepted";
    } catch (const scenario::ScenarioError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string{"DB503 "} + pointer));
      EXPECT_THAT(error.what(), HasSubstr("division by zero"));
    }
  };
  expect_refused("/claims/0/expression", "sim('slow', 4) + 1 / 0");
  expect_refused("/claims/0/holds_if", "value / (2 - 2) > 1");
}

TEST_F(PlannedFigure, AMissingReferenceIsRefusedWhereItIsNamed) {
  try {
    static_cast<void>(complaint("/reference", "nowhere.csv"));
    FAIL() << "was accepted";
  } catch (const scenario::ScenarioError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fig1.json:1:"));
    EXPECT_THAT(error.what(), HasSubstr("DB001 /reference: expected a file that exists"));
  }
}

TEST_F(PlannedFigure, SeriesOfOneNameShareNoPoint) {
  EXPECT_THAT(
      complaint("/series/4", sound()["series"][0]),
      HasSubstr("DB506 /series/4/name: expected another name, or another x: a series before has this point, found "
                "\"slow\" at 1"));
  EXPECT_THAT(complaint("/series/1/x", {"few", "few"}),
              HasSubstr("DB506 /series/1/name: expected each x once, found \"fast\" at few twice"));
  json other = sound()["series"][0];
  other["metric"] = "latency_mean";
  EXPECT_EQ(complaint("/series/4", other), "no error");
}

TEST_F(PlannedFigure, MeasuredPointsAreSimulated) {
  const std::string header = "series,x,metric,unit,value,uncertainty,set,note\n";
  scratch_.write("rates.csv", header + "slow,3,throughput,M/s,2.5,0.1,fit,\n");
  EXPECT_THAT(
      complaint("/reference", "rates.csv"),
      EndsWith("rates.csv:2:6: DB508: expected an x at which paper/fig1 simulates \"slow\", found 3; did you mean "
               "\"2\"?"));
  scratch_.write("rates.csv", header + "slow,1,througput,M/s,2.5,0.1,fit,\n");
  EXPECT_THAT(complaint("/reference", "rates.csv"),
              EndsWith("rates.csv:2:8: DB508: expected the metric that paper/fig1 simulates of \"slow\" at 1: "
                       "\"throughput\", found \"througput\"; did you mean \"throughput\"?"));
  scratch_.write("rates.csv", header + "slow,1,throughput,k/s,2.5,0.1,fit,\n");
  EXPECT_THAT(complaint("/reference", "rates.csv"),
              EndsWith("rates.csv:2:19: DB510: expected M/s, in which paper/fig1 simulates \"slow\", found \"k/s\""));
  scratch_.write("rates.csv", header + "slow,1,throughput,M/s,2.5,0.1,fit,\nopen,7,throughput,M/s,2.5,0.1,fit,\n");
  EXPECT_EQ(complaint("/reference", "rates.csv"), "no error");
}

TEST_F(PlannedFigure, WhatItSaysOfAScenarioIsRefusedInItsOwnFile) {
  engine_ = default_engine();
  EXPECT_THAT(complaint("/title", "sound"), HasSubstr("fig1.json:1:"));
  EXPECT_THAT(complaint("/title", "sound"), HasSubstr("DB001 /series/0/scenario: expected a file that exists, found"));
  const std::string scenario = DOORBELL_SOURCE_DIR "/scenarios/examples/first.json";
  json series = {{"name", "one"}, {"scenario", scenario}, {"x", {1}}};
  series["set"] = {{"/seed", 2}, {"/programs/sender/threds", 3}};
  const auto refusal = [&](const json& first) {
    json definition = sound();
    definition.erase("claims");
    definition["series"] = json::array({first});
    definition["panels"][0]["bars"][0]["series"] = "one";
    return complaint_of(definition);
  };
  EXPECT_THAT(refusal(series), HasSubstr("DB302 /series/0/set/~1programs~1sender~1threds: expected"));
  series["set"] = {{"/programs/sender/threads", "two"}};
  EXPECT_THAT(refusal(series), HasSubstr("fig1.json:1:"));
  EXPECT_THAT(refusal(series), HasSubstr(" /series/0/set/~1programs~1sender~1threads: expected"));
}

TEST_F(PlannedFigure, AProfileThatIsMissingIsRefusedInItsOwnFile) {
  const auto missing = [](const std::filesystem::path& file) -> model::HardwareProfile {
    return default_engine().profile(file);
  };
  engine_.profile = missing;
  EXPECT_THAT(complaint("/title", "sound"), HasSubstr("DB001 /series/3/profile: expected a file that exists"));
}

}  // namespace
}  // namespace doorbell::figures
