#include "figures/definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json sound() {
  return json::parse(R"json({
    "id": "paper/fig1", "title": "A figure",
    "series": [
      {"name": "a", "label": "A", "scenario": "../3.json", "set": {"/threads": 2, "/verb": "READ"}, "x": {"sweep": "/threads"}},
      {"name": "b", "scenario": "3.json", "metric": {"counter": "server/PCIeRdCur"}, "x": [1, "two"]},
      {"name": "c", "closed_form": "dma_read_bytes", "profile": "cib.json", "x": [1, 2], "style": {"marker": "none"}}],
    "panels": [{"name": "fig1", "x": {"label": "x", "range": [1, 10], "log": 2}, "y": {"label": "y", "ticks": [0, 1]}, "series": ["b", "a"]}],
    "claims": [{"id": "c1", "text": "It grows.", "stated": 2, "expression": "sim('a', 1)", "holds_if": "value > stated"}]})json");
}

class Definition : public testing::Test {
 protected:
  Figure read(const json& definition) {
    return read_figure(scratch_.write("plots/paper/fig1.json", definition.dump()));
  }
  std::string complaint(const std::string& pointer, const json& value) {
    json definition = sound();
    definition[json::json_pointer{pointer}] = value;
    try {
      static_cast<void>(read(definition));
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  Scratch scratch_;
};

TEST_F(Definition, NamesNoPanelOrClaimTwice) {
  EXPECT_THAT(complaint("/claims/1", sound()["claims"][0]), HasSubstr("DB506 /claims/1/id"));
  EXPECT_THAT(complaint("/panels/1", sound()["panels"][0]), HasSubstr("DB506 /panels/1/name"));
}

TEST_F(Definition, ReadsSeriesWithPathsRelativeToTheFile) {
  const Figure figure = read(sound());
  ASSERT_EQ(figure.series.size(), 3U);
  const auto& a = std::get<Simulation>(figure.series[0].source);
  EXPECT_EQ(a.scenario, scratch_.path() / "plots/3.json");
  EXPECT_EQ(a.overrides, (std::vector<std::pair<std::string, std::string>>{{"/threads", "2"}, {"/verb", "READ"}}));
  EXPECT_EQ(std::get<FromSweep>(a.x).path, "/threads");
  EXPECT_EQ(a.seeds, 1U);
  const auto& b = std::get<Simulation>(figure.series[1].source);
  EXPECT_EQ(name_of(b.metric), "PCIeRdCur");
  EXPECT_EQ(unit_of(b.metric), "M/s");
  EXPECT_EQ(std::get<Fixed>(b.x).positions, (std::vector<Position>{1.0, std::string{"two"}}));
  EXPECT_EQ(figure.series[1].label, "b");
}

TEST_F(Definition, AddsALevelToAMetric) {
  json definition = sound();
  definition["series"][1]["metric"] = {{"per_operation", "host/RDMA writes"}, {"plus", "host/writes of an insert"}};
  const Metric metric = std::get<Simulation>(read(definition).series[1].source).metric;
  EXPECT_EQ(name_of(metric), "RDMA writes");
  EXPECT_EQ(metric.plus, "host/writes of an insert");
  EXPECT_THAT(complaint("/series/1/metric", {{"plus", "host/writes of an insert"}}), HasSubstr("DB104"));
  EXPECT_THAT(complaint("/series/1/metric", {{"per_operation", "a"}, {"counter", "b"}}), HasSubstr("DB104"));
}

TEST_F(Definition, ReadsOffOneKindOfOperations) {
  json definition = sound();
  definition["series"][1]["metric"] = {{"latency_p50", "reads"}};
  EXPECT_EQ(std::get<Simulation>(read(definition).series[1].source).metric.subject, "reads");
  EXPECT_THAT(complaint("/series/1/metric", {{"bandwidth", "reads"}}), HasSubstr("DB104"));
  EXPECT_THAT(complaint("/series/1/metric", {{"latency_p50", "reads"}, {"plus", "a"}}), HasSubstr("DB104"));
}

TEST_F(Definition, TakesTheMeansOfSeveralRuns) {
  json several = sound();
  several["series"][0]["seeds"] = 12;
  EXPECT_EQ(std::get<Simulation>(read(several).series[0].source).seeds, 12U);
  EXPECT_THAT(complaint("/series/0/seeds", 0), HasSubstr("/series/0/seeds"));
  EXPECT_THAT(complaint("/series/2/seeds", 12), HasSubstr("seeds")) << "a closed form has none";
}

TEST_F(Definition, DrawsClosedFormsDashedUnlessToldOtherwise) {
  const Figure figure = read(sound());
  EXPECT_EQ(figure.series[2].style.line, Line::dashed);
  EXPECT_EQ(figure.series[2].style.marker, Marker::none);
  EXPECT_EQ(figure.series[0].style.line, Line::solid);
}

TEST_F(Definition, ReadsPanelsAndClaims) {
  const Figure figure = read(sound());
  EXPECT_EQ(figure.panels.at(0).series, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(figure.panels.at(0).x.log, 2);
  EXPECT_EQ(figure.claims.at(0).stated, Value{2.0});
  const auto stated = [&](const json& value) {
    json definition = sound();
    definition["claims"][0]["stated"] = value;
    definition["claims"][0]["holds_if"] = "value > 0";
    return read(definition).claims.at(0).stated;
  };
  EXPECT_EQ(stated(true), Value{true});
  EXPECT_EQ(stated("CPU"), Value{std::string{"CPU"}});
}

TEST_F(Definition, SaysWhereItIsWrong) {
  EXPECT_THAT(complaint("/title", "a\nb"), HasSubstr("DB010 /title: expected text without control characters"));
  EXPECT_THAT(complaint("/series/0/name", "a\nb"), HasSubstr("DB010 /series/0/name"));
  EXPECT_THAT(complaint("/series/0/name", "a\x1b[31m"), HasSubstr("DB010 /series/0/name"));
  EXPECT_THAT(complaint("/colour", 1), HasSubstr("fig1.json:1:"));
  EXPECT_THAT(complaint("/colour", 1), HasSubstr("DB101 /colour: expected one of \"id\", \"title\""));
  EXPECT_THAT(complaint("/series/0/scenario", 1), HasSubstr("DB103 /series/0/scenario: expected text, found 1"));
  EXPECT_THAT(complaint("/series/0/metric", "troughput"),
              HasSubstr("found \"troughput\"; did you mean \"throughput\"?"));
  EXPECT_THAT(complaint("/series/0/metric", {{"speed", "x"}}), HasSubstr("DB104 /series/0/metric: expected"));
  EXPECT_THAT(complaint("/series/0/x", json::array()), HasSubstr("/series/0/x: expected at least one position"));
  EXPECT_THAT(complaint("/series/2/link", "fast"), HasSubstr("DB103 /series/2/link: expected a data rate"));
  EXPECT_THAT(complaint("/series/2/closed_form", "speed"), HasSubstr("DB104 /series/2/closed_form: expected"));
  EXPECT_THAT(complaint("/series/2/x", {"a"}), HasSubstr("DB102 /series/2: expected \"size\""));
  EXPECT_THAT(complaint("/series/2/style", {{"colour", 9}}),
              HasSubstr("DB105 /series/2/style/colour: expected a whole number from 0 to 7, found 9"));
  EXPECT_THAT(complaint("/series/2/style", {{"colour", 0.5}}), HasSubstr("DB106 /series/2/style/colour"));
  EXPECT_THAT(complaint("/panels/0/series/1", "d"),
              HasSubstr("DB104 /panels/0/series/1: expected \"a\", \"b\" or \"c\", found \"d\""));
  EXPECT_THAT(complaint("/panels/0/x/range", {5, 1}), HasSubstr("DB105 /panels/0/x/range: expected [low, high]"));
  EXPECT_THAT(complaint("/claims/0/holds_if", "value >"), HasSubstr("DB503 /claims/0/holds_if: expected an expression, "
                                                                    "found column 8: expected a value"));
  EXPECT_THAT(complaint("/reference", "none.csv"),
              HasSubstr("fig1.json:1:259: DB001 /reference: expected a file that exists, found"));
}

TEST_F(Definition, MeasuredPointsFromElsewhereAreOfItsSeries) {
  const json external = json::parse(R"({"file": "a.csv", "available": "a page", "metric": "throughput", "unit": "M/s",
    "value": "mean", "series": [{"series": "aa", "where": {}, "x": "threads"}]})");
  EXPECT_THAT(complaint("/external", external),
              HasSubstr("DB104 /external/series/0/series: expected \"a\", \"b\" or \"c\", found \"aa\"; did you mean"));
}

TEST_F(Definition, ClaimsAreOfOneOfTwoSets) {
  json definition = sound();
  EXPECT_EQ(read(definition).claims.at(0).use, Use::validation);
  definition["claims"][0]["set"] = "fit";
  EXPECT_EQ(read(definition).claims.at(0).use, Use::fit);
  EXPECT_THAT(complaint("/claims/0/set", "none"), HasSubstr("/claims/0/set: expected"));
}

TEST_F(Definition, TablesHaveNames) {
  EXPECT_THAT(complaint("/reference", ""),
              HasSubstr("DB001 /reference: expected the name of a table of reference points, found \"\""));
  json external = json::parse(R"({"file": "", "available": "a page", "metric": "throughput", "unit": "M/s",
    "value": "mean", "series": [{"series": "a", "where": {}, "x": "threads", "file": ""}]})");
  EXPECT_THAT(complaint("/external", external), HasSubstr("DB001 /external/file: expected the name of a table"));
  external["file"] = "a.csv";
  EXPECT_THAT(complaint("/external", external),
              HasSubstr("DB001 /external/series/0/file: expected the name of a table"));
}

TEST_F(Definition, APanelShowsSomething) {
  EXPECT_THAT(complaint("/panels/0/series", json::array()),
              HasSubstr("DB103 /panels/0/series: expected at least one series"));
  EXPECT_THAT(complaint("/panels/0/bars", json::array()), HasSubstr("DB103 /panels/0/bars: expected at least one bar"));
}

TEST_F(Definition, ALogarithmicAxisIsAboveZero) {
  EXPECT_THAT(complaint("/panels/0/x/range", {0, 8}), HasSubstr("DB105 /panels/0/x/range/0: expected a place above 0, "
                                                                "as the axis is logarithmic, found 0"));
  EXPECT_THAT(complaint("/panels/0/x/range", {-5, 8}), HasSubstr("DB105 /panels/0/x/range/0"));
  EXPECT_THAT(complaint("/panels/0/x/ticks", {1, 0}), HasSubstr("DB105 /panels/0/x/ticks/1"));
  EXPECT_EQ(complaint("/panels/0/y/range", {-5, 8}), "no error");
}

TEST_F(Definition, ClaimsCallFunctionsOfSeriesThatAreThere) {
  EXPECT_THAT(complaint("/claims/0/expression", "1 + sim('cc', 1)"),
              HasSubstr("DB503 /claims/0/expression: expected an expression, found column 5: there is no series 'cc'; "
                        "nearest: 'c'"));
  EXPECT_THAT(
      complaint("/claims/0/holds_if", "value > most_ratio('a', 'second')"),
      HasSubstr("DB503 /claims/0/holds_if: expected an expression, found column 9: there is no series 'second'"));
  EXPECT_THAT(complaint("/claims/0/expression", "sim('a')"), HasSubstr("column 1: 'sim' takes 2 arguments, found 1"));
  EXPECT_THAT(complaint("/claims/0/expression", "peak()"), HasSubstr("column 1: 'peak' takes 1 argument, found 0"));
  EXPECT_EQ(complaint("/claims/0/holds_if", "contains('cc', 'c') && abs(sim('b', peak_at('a'))) > 0"), "no error");
}

TEST_F(Definition, MustBeJson) {
  const auto code = [](const std::filesystem::path& file) {
    try {
      static_cast<void>(read_figure(file));
    } catch (const scenario::ScenarioError& error) {
      return error.code();
    }
    return scenario::ErrorCode{};
  };
  EXPECT_EQ(code(scratch_.write("bad.json", "{")), scenario::ErrorCode::syntax);
  EXPECT_EQ(code(scratch_.write("twice.json", R"({"id": "a", "id": "b"})")), scenario::ErrorCode::duplicate_key);
  EXPECT_EQ(code(scratch_.path() / "none.json"), scenario::ErrorCode::file_not_found);
  EXPECT_EQ(code(scratch_.path()), scenario::ErrorCode::not_a_file);
  EXPECT_EQ(code(scratch_.write("stages.json", R"({"profile": "a", "stages": []})")), scenario::ErrorCode::wrong_file);
}

TEST_F(Definition, MissesWhatItNeeds) {
  json definition = sound();
  definition["series"][0].erase("x");
  EXPECT_THROW(static_cast<void>(read(definition)), scenario::ScenarioError);
}

TEST_F(Definition, ClaimsOfTheWrongTypeAreRefused) {
  EXPECT_THAT(
      complaint("/claims/0/expression", "limit('a', 1) + 1"),
      HasSubstr("DB503 /claims/0/expression: expected an expression, found column 15: '+' needs a number, found a "
                "text"));
  EXPECT_THAT(complaint("/claims/0/expression", "bottleneck('a', 1)"),
              HasSubstr("DB503 /claims/0/holds_if: expected an expression, found column 7: '>' needs a number, found a "
                        "text"));
  EXPECT_THAT(complaint("/claims/0/stated", "none"), HasSubstr("DB503 /claims/0/holds_if"));
  EXPECT_THAT(complaint("/claims/0/holds_if", "value"),
              HasSubstr("DB503 /claims/0/holds_if: expected an expression that is true or false, found a number"));
  EXPECT_THAT(complaint("/claims/0/holds_if", "contains(value, 'x')"),
              HasSubstr("column 1: argument 1 of 'contains' must be a text"));
  EXPECT_THAT(complaint("/claims/0/expression", "at('a', 'one')"), HasSubstr("argument 2 of 'at' must be a number"));
  EXPECT_EQ(complaint("/claims/0/expression", "peak_at('a')"), "no error") << "a number or a text, as the run decides";
  EXPECT_EQ(complaint("/claims/0/expression", "max(sim('a', 1), reach('a'))"), "no error");
}

}  // namespace
}  // namespace doorbell::figures
