// The whole way on one tiny figure: from plots/ and a reference to results.json, CSV, pictures and page.
#include "figures/reproduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures/catalogue.hpp"
#include "figures/fake_engine.hpp"
#include "figures/output.hpp"
#include "figures/report.hpp"
#include "figures/scratch.hpp"
#include "figures/unshown.hpp"

namespace doorbell::figures {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* lines = R"json({
  "id": "paper/fig1", "title": "Rate < cores & more", "reference": "fig1.csv",
  "series": [
    {"name": "slow", "label": "Slow \"one\"", "scenario": "3.json", "x": {"sweep": "/threads"}},
    {"name": "fast", "label": "Fast", "scenario": "5.json", "x": {"sweep": "/threads"}, "style": {"marker": "square"}}],
  "panels": [{"name": "fig1", "x": {"label": "Cores", "range": [0, 5]}, "y": {"label": "Rate"}, "series": ["slow", "fast"]}],
  "claims": [{"id": "ratio", "text": "Fast is faster.", "stated": 1.7, "expression": "sim('fast', 4) / sim('slow', 4)",
              "holds_if": "value > 2"}]})json";
constexpr const char* bars = R"json({
  "id": "paper/table1", "title": "A table",
  "series": [{"name": "slow", "scenario": "3.json", "x": {"sweep": "/threads"}}],
  "panels": [{"name": "table1", "x": {"label": ""}, "y": {"label": "Rate", "range": [0, 15]},
              "bars": [{"group": "Slow\nones", "label": "1 core", "series": "slow", "x": 1},
                       {"group": "Slow\nones", "label": "4 cores", "series": "slow", "x": 4}]}]})json";
constexpr const char* reference =
    "# source: a test\nseries,x,metric,unit,value,uncertainty,set,note\n"
    "slow,1,throughput,M/s,2.5,0.1,fit,\nslow,4,throughput,M/s,12,0.1,validation,\"a, b\"\n";

json document_of(const Reproduction& reproduction) {
  return json::parse(to_json(reproduction.results, reproduction.collections, "1.2.3").dump());
}

class Reproduce : public testing::Test {
 protected:
  Reproduce() {
    data_.write("plots/paper/fig1.json", lines);
    data_.write("plots/paper/table1.json", bars);
    data_.write("plots/paper/fig1.csv", reference);
  }

  Reproduction run(std::vector<std::string> ids = {}, int jobs = 1) {
    const ReproduceOptions options{std::move(ids), std::nullopt, jobs, std::nullopt, std::nullopt};
    return reproduce(options, data_.path(), fake_engine(), [this](const std::string& id) { announced_.push_back(id); });
  }

  Scratch data_;
  std::vector<std::string> announced_;
};

TEST_F(Reproduce, TakesAllFiguresOrThoseThatAPrefixNames) {
  static_cast<void>(run());
  EXPECT_THAT(announced_, ElementsAre("paper/fig1", "paper/table1"));
  EXPECT_EQ(run({"paper/t"}).results.size(), 1U);
  EXPECT_EQ(run({"paper/table1", "paper"}).results.size(), 2U);
}

TEST_F(Reproduce, AnExactIdIsNoPrefix) {
  std::string longer = lines;
  longer.replace(longer.find("paper/fig1"), 10, "paper/fig12");
  data_.write("plots/paper/fig12.json", longer);
  EXPECT_EQ(run({"paper/fig1"}).results.size(), 1U);
}

TEST_F(Reproduce, TakesMeasuredPointsThatAreNotPartOfTheProjectWhereTheyAre) {
  json figure = json::parse(lines);
  figure.erase("reference");
  figure["id"] = "paper/fig3";
  figure["external"] = {{"file", "others/rates.csv"},
                        {"available", "a web page"},
                        {"metric", "throughput"},
                        {"unit", "M/s"},
                        {"value", "mean"},
                        {"low", "min"},
                        {"high", "max"}};
  figure["external"]["series"] = json::array({{{"series", "slow"}, {"where", {{"kind", "slow"}}}, {"x", "threads"}}});
  data_.write("plots/paper/fig3.json", figure.dump());
  data_.write("elsewhere/others/rates.csv", "kind,threads,mean,min,max\nfast,1,9,9,9\nslow,1,2.5,2,3\n");

  ReproduceOptions options;
  options.ids = {"paper/fig3"};
  const auto reproduced = [&] { return reproduce(options, data_.path(), fake_engine(), [](const std::string&) {}); };
  for (const char* folder : {"", "nowhere"}) {
    if (*folder != 0) options.external = data_.path() / folder;
    const Reproduction without = reproduced();
    EXPECT_FALSE(without.results[0].find("slow", 1.0)->measured);
    ASSERT_EQ(without.left_out.size(), 1U);
    EXPECT_THAT(without.left_out[0], HasSubstr("paper/fig3: measured points left out"));
    EXPECT_THAT(without.left_out[0], HasSubstr("DIR/others/rates.csv, which is made from a web page"));
  }
  options.external = data_.path() / "elsewhere";
  const Reproduction with = reproduced();
  EXPECT_EQ(with.results[0].find("slow", 1.0)->measured, 2.5);
  EXPECT_EQ(with.results[0].find("slow", 1.0)->use, Use::validation);
  EXPECT_THAT(with.left_out, ElementsAre());
}

TEST_F(Reproduce, RefusesTwoReferencesForOneFigure) {
  json figure = json::parse(lines);
  figure["external"] = json::object();
  data_.write("plots/paper/fig1.json", figure.dump());
  EXPECT_THROW(static_cast<void>(run()), scenario::ScenarioError);
}

TEST_F(Reproduce, RefusesUnknownIdsAndNamesTheNearest) {
  const auto refusal = [&](const std::string& id) -> std::string {
    try {
      static_cast<void>(run({id}));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("paper/fgi1"), "no figure is named \"paper/fgi1\" or starts so; did you mean \"paper/fig1\"?");
  EXPECT_EQ(refusal(""), "no figure is named \"\" or starts so; ids start with paper/");
  EXPECT_EQ(refusal("unheard-of"), "no figure is named \"unheard-of\" or starts so; ids start with paper/");
}

TEST_F(Reproduce, RefusesAnIdThatIsNotItsPath) {
  data_.write("plots/paper/fig2.json", lines);
  try {
    static_cast<void>(run());
    ADD_FAILURE();
  } catch (const scenario::ScenarioError& error) {
    EXPECT_THAT(error.what(), HasSubstr("DB504 /id: expected \"paper/fig2\", after its path, found \"paper/fig1\""));
  }
}

TEST_F(Reproduce, WritesNoTwoPicturesOrTablesOfOneName) {
  const auto refusal = [&](const std::string& id, const std::string& panel) -> std::string {
    json other = json::parse(bars);
    other["id"] = id;
    other["panels"][0]["name"] = panel;
    try {
      static_cast<void>(run({"paper/fig1", data_.write("other.json", other.dump()).string()}));
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("paper/fig2", "fig1"), HasSubstr("DB506 /panels/0/name: expected another name: paper-fig1.svg"));
  EXPECT_THAT(refusal("paper/fig2", "fig1"), HasSubstr("plots/paper/fig1.json:6, found \"fig1\""));
  EXPECT_THAT(refusal("paper/fig1", "fig2"), HasSubstr("DB506 /id: expected another name: paper-fig1.csv"));
  EXPECT_THAT(refusal("paper-fig1", "fig2"), HasSubstr("DB506 /id: expected another name: paper-fig1.csv"));
  EXPECT_THAT(announced_, ElementsAre()) << "before anything ran";
  EXPECT_EQ(refusal("mine/fig1", "fig1"), "accepted");
  const std::string file = (data_.path() / "plots/paper/fig1.json").string();
  EXPECT_THROW(static_cast<void>(run({file, file})), scenario::ScenarioError);
}

TEST_F(Reproduce, TellsOfMistakesInTheLastFigureBeforeTheFirstRuns) {
  json wrong = json::parse(bars);
  wrong["series"][0]["x"]["sweep"] = "/thread";
  data_.write("plots/paper/table1.json", wrong.dump());
  EXPECT_THROW(static_cast<void>(run()), scenario::ScenarioError);
  EXPECT_THAT(announced_, ElementsAre());
}

TEST_F(Reproduce, KeepsItsContract) {
  const json document = document_of(run({"paper/fig1"}));
  EXPECT_EQ(document["doorbell"], "1.2.3");
  const json& figure = document["figures"][0];
  EXPECT_EQ(figure["id"], "paper/fig1");
  EXPECT_NEAR(figure["median_error"], 0.1, 1e-9);
  EXPECT_NEAR(figure["worst_error"], 0.2, 1e-9);
  EXPECT_NEAR(figure["fit_median_error"], 0.2, 1e-9);
  EXPECT_NEAR(figure["validation_worst_error"], 0, 1e-9);
  const json expected =
      json::parse(R"({"series": "slow", "x": 1.0, "metric": "throughput", "unit": "M/s", "measured": 2.5,
    "measured_uncertainty": 0.1, "simulated": 3.0, "simulated_ci95": 0.25, "analytic": 10.0, "error": 0.2, "set": "fit", "note": ""})");
  EXPECT_EQ(figure["points"][0], expected);
  EXPECT_EQ(figure["points"][1]["measured"], nullptr);
  EXPECT_EQ(figure["points"][1]["error"], nullptr);
  EXPECT_EQ(figure["points"][1]["set"], "none");
  EXPECT_EQ(figure["points"][5]["error"], nullptr) << "not measured";
  const json& claim = figure["claims"][0];
  EXPECT_EQ(claim["id"], "ratio");
  EXPECT_EQ(claim["stated"], 1.7);
  EXPECT_EQ(claim["holds"], false);
  EXPECT_NEAR(claim["simulated"], 5.0 / 3, 1e-12);
}

TEST_F(Reproduce, IsTheSameForAnyNumberOfJobs) {
  const auto document = [this](int jobs) {
    Reproduction reproduction = run({}, jobs);
    for (FigureResult& result : reproduction.results) result.seconds = 0;
    return document_of(reproduction).dump();
  };
  EXPECT_EQ(document(1), document(8));
}

TEST_F(Reproduce, WritesEveryFileWholeAndTheSameEachTime) {
  const Scratch first;
  const Scratch second;
  write_all(run(), first.path(), "1.2.3", 1);
  write_all(run(), second.path(), "1.2.3", 2);
  std::vector<std::string> names;
  for (const auto& item : std::filesystem::directory_iterator{first.path()})
    names.push_back(item.path().filename().string());
  EXPECT_THAT(names, testing::UnorderedElementsAre("results.json", "index.html", "paper-fig1.csv", "paper-fig1.svg",
                                                   "paper-fig1.png", "paper-table1.csv", "paper-table1.svg",
                                                   "paper-table1.png"));
  for (const std::string& name : names) {
    if (name == "results.json") continue;  // It has the seconds.
    EXPECT_EQ(read_text(first.path() / name), read_text(second.path() / name)) << name;
  }
}

TEST_F(Reproduce, PutsThePicturesIntoThePageAndEscapesText) {
  const Scratch out;
  write_all(run({"paper/fig1"}), out.path(), "1.2.3", 1);
  const std::string page = read_text(out.path() / "index.html");
  EXPECT_THAT(page, HasSubstr("data:image/svg+xml;base64,"));
  EXPECT_THAT(page, HasSubstr("Rate &lt; cores &amp; more"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(read_text(out.path() / "paper-fig1.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(read_text(out.path() / "paper-fig1.csv"),
              HasSubstr("slow,4,throughput,M/s,12,0.1,12,0.25,40,0,validation,\"a, b\"\n"));
}

TEST_F(Reproduce, LeavesNothingBehindWhenAPictureCannotBeDrawn) {
  json named = json::parse(lines);
  named.erase("reference");
  named.erase("claims");
  named["series"][0]["x"] = {"one", "two", "four"};  // A chart of lines needs numbers.
  data_.write("plots/paper/fig1.json", named.dump());
  const Scratch out;
  const Reproduction reproduction = run({"paper/fig1"});
  EXPECT_THROW(write_all(reproduction, out.path(), "1", 1), DefinitionError);
  EXPECT_FALSE(std::filesystem::exists(out.path() / "results.json"));
  for (const auto& item : std::filesystem::directory_iterator{out.path()}) {
    EXPECT_THAT(item.path().filename().string(), Not(HasSubstr("tmp")));
  }
}

TEST_F(Reproduce, ReportsFailedClaimsAndLargeErrors) {
  const Reproduction reproduction = run({"paper/fig1"});
  const std::string report = text_report(reproduction.results, reproduction.collections);
  EXPECT_THAT(report, HasSubstr("paper/fig1"));
  EXPECT_THAT(report, HasSubstr("0/1"));
  EXPECT_THAT(report, HasSubstr("ratio: Fast is faster. (stated 1.7, simulated 1.66667)"));
  EXPECT_THAT(report, HasSubstr("slow at 1: measured 2.5, simulated 3 M/s (+20.0 %, fit)"));
}

TEST_F(Reproduce, ReportsWhatNoPictureShows) {
  const Reproduction as_is = run();
  EXPECT_EQ(hidden_report(as_is.figures, as_is.results), "");
  Reproduction cut = as_is;
  for (Figure& figure : cut.figures) {
    for (Panel& panel : figure.panels) panel.y.range = {0, 1};
  }
  EXPECT_THAT(hidden_report(cut.figures, cut.results), HasSubstr("paper/fig1 fig1: slow"));
  EXPECT_THAT(hidden_report(cut.figures, cut.results), HasSubstr("paper/table1 table1: 4 cores"));
}

TEST_F(Reproduce, ReportsMeasuredPointsThatNoPictureShows) {
  Reproduction cut = run();
  Panel& panel = cut.figures[0].panels[0];
  panel.y.range = {3, 100};
  EXPECT_EQ(hidden_report(cut.figures, cut.results),
            "\nMeasured, outside the axes of their picture:\n  paper/fig1 fig1: slow at 1: 2.5 M/s\n");
  panel.y.range.reset();
  panel.x.range = {0, 3};
  EXPECT_THAT(hidden_report(cut.figures, cut.results), HasSubstr("slow at 4: 12 M/s\n"));
  cut.figures[0].series[0].style.marker = Marker::none;
  EXPECT_EQ(hidden_report(cut.figures, cut.results), "") << "they are not to be drawn";

  Figure& table = cut.figures[1];
  cut.results[1].points[0].measured = 20;
  EXPECT_THAT(hidden_report({table}, {cut.results[1]}), HasSubstr("  paper/table1 table1: slow at 1: 20 M/s\n"));
}

TEST_F(Reproduce, TellsOfRowsThatBelongToNoSeries) {
  data_.write("plots/paper/fig1.csv", std::string{reference} +
                                          "slwo,2,throughput,M/s,5,0.1,fit,\n"
                                          "slwo,4,throughput,M/s,9,0.1,fit,\n"
                                          "published arithmetic,1,throughput,M/s,9,0.1,none,\n");
  const auto told = run({"paper/fig1"}).unshown;
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(told[0],
              testing::EndsWith("fig1.csv:5: 2 rows of series \"slwo\" belong to no series; nearest: \"slow\""));

  json other = json::parse(lines);  // Another figure of the same measurements.
  other["id"] = "paper/fig2";
  other["series"][0]["name"] = other["panels"][0]["series"][0] = "slwo";
  other["panels"][0]["name"] = "fig2";
  other.erase("claims");
  data_.write("plots/paper/fig2.json", other.dump());
  EXPECT_THAT(run({"paper/fig1", "paper/fig2"}).unshown, ElementsAre());
}

TEST_F(Reproduce, TellsOfSeriesThatAreSimulatedForNothing) {
  EXPECT_THAT(run().unshown, ElementsAre()) << "claims, too, use series";
  json figure = json::parse(bars);
  figure["series"].push_back({{"name", "idle"}, {"scenario", "3.json"}, {"x", {{"sweep", "/threads"}}}});
  data_.write("plots/paper/table1.json", figure.dump());
  const auto told = run().unshown;
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(told[0], HasSubstr("table1.json:1: series \"idle\" is in no panel, no claim and no reference"));
}

TEST(ShippedFigures, AreTheSameForAnyNumberOfJobsAndFollowTheSeed) {
  const auto document = [](int jobs, std::optional<std::uint64_t> seed) {
    const ReproduceOptions options{{"kalia16/fig11b", "kalia16/fig02b"}, std::nullopt, jobs, seed, std::nullopt};
    Reproduction reproduction = reproduce(options, DOORBELL_SOURCE_DIR, default_engine(), [](const std::string&) {});
    for (FigureResult& result : reproduction.results) result.seconds = 0;
    return document_of(reproduction).dump();
  };
  const std::string once = document(1, 7);
  EXPECT_EQ(once, document(1, 7));
  EXPECT_EQ(once, document(4, 7));
  EXPECT_NE(once, document(1, 8));
}

TEST(ShippedFigures, AreAllSoundDefinitions) {
  int count = 0;
  for (const CatalogueEntry& entry : list_figures(DOORBELL_SOURCE_DIR)) {
    const Figure figure = read_figure(entry.file);
    EXPECT_EQ(figure.id, entry.id);
    EXPECT_NO_THROW((Evaluator{default_engine(), 1, std::nullopt}.prepare(figure))) << entry.id;
    EXPECT_THAT(rows_without_series({figure}), ElementsAre());
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST_F(Reproduce, IsAskedOnceMoreBeforeAnythingRuns) {
  const RunCount runs = std::make_shared<std::atomic<int>>(0);
  ReproduceOptions options;
  options.before_runs = [](const std::vector<Figure>& figures) {
    EXPECT_EQ(figures.size(), 2U);
    throw UsageError{"not so"};
  };
  EXPECT_THROW(static_cast<void>(reproduce(options, data_.path(), fake_engine(runs), [](const std::string&) {})),
               UsageError);
  EXPECT_EQ(*runs, 0);
}

TEST_F(Reproduce, TriesNamesOfAllFiguresBeforeTheRestRuns) {
  const RunCount runs = std::make_shared<std::atomic<int>>(0);
  json figure = json::parse(bars);
  figure["series"][0]["metric"] = {{"utilisation", "server/coers"}};
  data_.write("plots/paper/table1.json", figure.dump());
  EXPECT_THROW(static_cast<void>(reproduce({}, data_.path(), fake_engine(runs), [](const std::string&) {})),
               DefinitionError);
  EXPECT_EQ(*runs, 1);
}

}  // namespace
}  // namespace doorbell::figures
