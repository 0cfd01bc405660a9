#include "calibrate/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "figures/scratch.hpp"

namespace doorbell::calibrate {
namespace {

using testing::HasSubstr;

/// A figure with one point for fitting (x = 1) and one for validation (x = 2).
class PlanFile {
 public:
  explicit PlanFile(
      const std::string& rows = "rate,1,throughput,M/s,5,0.1,fit,\nrate,2,throughput,M/s,9,0.1,validation,\n") {
    scratch_.write("reference.csv",
                   "# source: a test\n# figure: 1\n# how obtained: invented\n# error estimate: none\n"
                   "series,x,metric,unit,value,uncertainty,set,note\n" +
                       rows);
    scratch_.write("figure.json", R"({"id": "paper/fig1", "title": "A figure", "reference": "reference.csv",
      "series": [{"name": "rate", "label": "rate", "scenario": "scenario.json", "x": {"sweep": "/threads"}}],
      "panels": [], "claims": []})");
  }

  [[nodiscard]] Plan read(const std::string& unknown, const std::string& observation) const {
    return read_stages(stage_of(unknown, observation));
  }
  [[nodiscard]] std::string complaint(const std::string& unknown, const std::string& observation) const {
    return complaint_of_stages(stage_of(unknown, observation));
  }
  [[nodiscard]] std::string complaint_of_stages(const std::string& stages) const {
    try {
      static_cast<void>(read_stages(stages));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  static std::string stage_of(const std::string& unknown, const std::string& observation) {
    return R"({"name": "one", "unknowns": [)" + unknown + R"(], "observations": [)" + observation + "]}";
  }
  [[nodiscard]] Plan read_stages(const std::string& stages) const {
    return read_plan(scratch_.write("plan.json", R"({"profile": "profile.json", "stages": [)" + stages + "]}"));
  }

  figures::Scratch scratch_;
};

const std::string unknown = R"({"path": "/nic/tx_message", "start": "10 ns", "min": "1 ns", "max": "1 us"})";

std::string observed(const std::string& figure) {
  return R"({"figure": ")" + figure + R"(", "series": "rate", "x": [1]})";
}
const std::string observation = observed("figure.json");

TEST(Plan, CountsNoPointTwiceThoughItsFileIsSpelledTwice) {
  const PlanFile file;
  EXPECT_THAT(
      file.complaint(unknown, observed("figure.json") + ", " + observed("./figure.json")),
      HasSubstr("DB004 /stages/0/observations/1/x/0: expected a point that the stage does not observe already"));
}

TEST(Plan, NamesAndUnknownsAreThoseOfOneStage) {
  const PlanFile file;
  const auto stage = [](const std::string& name, const std::string& path) {
    return R"({"name": ")" + name + R"(", "unknowns": [{"path": ")" + path + R"(", "values": ["1 ns"]}],
      "observations": [)" +
           observed("figure.json") + "]}";
  };
  EXPECT_EQ(file.complaint_of_stages(stage("a", "/x") + ", " + stage("b", "/y")), "no error");
  EXPECT_THAT(file.complaint_of_stages(stage("a", "/x") + ", " + stage("a", "/y")),
              HasSubstr("DB506 /stages/1/name: expected a name of this stage alone, found \"a\""));
  EXPECT_THAT(file.complaint_of_stages(stage("a", "/x") + ", " + stage("b", "/x")),
              HasSubstr("DB506 /stages/1/unknowns/0/path: expected a parameter that no earlier stage finds, found "
                        "\"/x\""));
}

/// A plan that needs what others measured.
class ExternalPlan : public testing::Test {
 protected:
  ExternalPlan() {
    scratch_.write("figure.json", R"({"id": "others/fig1", "title": "A figure",
      "external": {"file": "rates.csv", "available": "a web page", "metric": "throughput", "unit": "M/s",
                   "value": "rate", "series": [{"series": "rate", "where": {}, "x": "threads", "fit": [1]}]},
      "series": [{"name": "rate", "label": "rate", "scenario": "scenario.json", "x": {"sweep": "/threads"}}],
      "panels": [], "claims": []})");
    plan_ = scratch_.write("plan.json", R"({"profile": "profile.json", "stages": [{"name": "one",
      "unknowns": [{"path": "/nic/tx_message", "values": ["10 ns"]}],
      "observations": [{"figure": "figure.json", "series": "rate", "x": [1]}]}]})");
    scratch_.write("data/rates.csv", "threads,rate\n1,5\n2,9\n");
  }

  figures::Scratch scratch_;
  std::filesystem::path plan_;
};

TEST_F(ExternalPlan, TakesThePointsFromTheirFolder) {
  const Plan plan = read_plan(plan_, scratch_.path() / "data");
  EXPECT_EQ(plan.stages[0].observations.at(0).point.value, 5);
}

TEST_F(ExternalPlan, SaysWhereTheyCanBeHad) {
  for (const auto& folder : {std::optional<std::filesystem::path>{}, std::optional{scratch_.path() / "nowhere"}}) {
    try {
      static_cast<void>(read_plan(plan_, folder));
      FAIL() << "nothing was thrown";
    } catch (const figures::DefinitionError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("others/fig1 was measured by others: `--data DIR` takes it from "
                                                   "DIR/rates.csv, made from a web page"));
    }
  }
}

TEST(Plan, IsReadInBaseUnits) {
  const Plan plan = PlanFile{}.read(unknown, observation);
  ASSERT_EQ(plan.stages.size(), 1U);
  const Unknown& found = plan.stages[0].unknowns.at(0);
  EXPECT_DOUBLE_EQ(found.start, 1e-8);
  EXPECT_DOUBLE_EQ(found.min, 1e-9);
  EXPECT_DOUBLE_EQ(found.max, 1e-6);
  EXPECT_EQ(plan.stages[0].observations.at(0).point.value, 5);
}

TEST(Plan, NeverFitsToValidationPoints) {
  EXPECT_THAT(PlanFile{}.complaint(unknown, R"({"figure": "figure.json", "series": "rate", "x": [1, 2]})"),
              HasSubstr("DB502 /stages/0/observations/0/x/1: expected a point of \"rate\" in the fit set of "
                        "paper/fig1, found 2"));
}

TEST(Plan, CountsNoPointTwice) {
  EXPECT_THAT(
      PlanFile{}.complaint(unknown, R"({"figure": "figure.json", "series": "rate", "x": [1, 1.0]})"),
      HasSubstr("DB004 /stages/0/observations/0/x/1: expected a point that the stage does not observe already"));
  EXPECT_THAT(
      PlanFile{}.complaint(unknown, observation + ", " + observation),
      HasSubstr("DB004 /stages/0/observations/1/x/0: expected a point that the stage does not observe already"));
}

/// Both of one series at one x; the figure simulates the second one.
TEST(Plan, TakesThePointOfTheMetricThatIsSimulated) {
  const PlanFile file{"rate,1,latency_p50,us,3,0.1,fit,\nrate,1,throughput,M/s,5,0.1,fit,\n"};
  EXPECT_EQ(file.read(unknown, observation).stages[0].observations.at(0).point.metric, "throughput");
}

TEST(Plan, RefusesZerosThatAreExact) {
  const PlanFile exact{"rate,1,PCIeRdCur,M/s,0,0,fit,\n"};
  EXPECT_THAT(exact.complaint(unknown, observation),
              HasSubstr("reference.csv:6:22: DB105: expected a value or an uncertainty above 0"));
  const PlanFile known{"rate,1,PCIeRdCur,M/s,0,0.8,fit,\n"};
  EXPECT_EQ(known.complaint(unknown, observation), "no error");
}

TEST(Plan, NamesWhatIsWrong) {
  const PlanFile file;
  EXPECT_THAT(file.complaint(unknown, R"({"figure": "figure.json", "series": "rate", "x": [3]})"),
              HasSubstr("DB501 /stages/0/observations/0/x/0: expected a point of \"rate\" in the reference"));
  EXPECT_THAT(file.complaint(unknown, R"({"figure": "figure.json", "series": "rat", "x": [1]})"),
              HasSubstr("DB104 /stages/0/observations/0/series: expected \"rate\", found \"rat\"; did you mean "
                        "\"rate\"?"));
  EXPECT_THAT(file.complaint(unknown, R"({"figure": "missing.json", "series": "rate", "x": [1]})"),
              HasSubstr("plan.json:1:175: DB001 /stages/0/observations/0/figure: expected a file that exists"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 us", "min": "1 ns", "max": "1 us"})", observation),
              HasSubstr("between min and max"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 ns", "min": "0 ns", "max": "1 us"})", observation),
              HasSubstr("positive"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 nm", "min": "1 ns", "max": "1 us"})", observation),
              HasSubstr("/stages/0/unknowns/0/start: expected a number, a time"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "values": []})", observation), HasSubstr("at least one value"));
  const std::string mixed =
      R"({"path": "/a", "values": ["1 ns"]}, {"path": "/b", "start": "1 ns", "min": "1 ns", "max": "2 ns"})";
  EXPECT_THAT(file.complaint(mixed, observation), HasSubstr("of all unknowns of a stage or of none"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "begin": 1})", observation), HasSubstr("begin"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 ns", "min": "1 ns", "max": "3 B"})", observation),
              HasSubstr("DB203 /stages/0/unknowns/0/max: expected a time"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 ns", "min": 1, "max": "3 ns"})", observation),
              HasSubstr("DB201 /stages/0/unknowns/0/min: expected a time"));
  EXPECT_THAT(file.complaint(R"({"path": "/nic", "start": "2 ns", "min": "2 ns", "max": "2 ns"})", observation),
              HasSubstr("/stages/0/unknowns/0/max: expected a number above min"));
  const std::string twice = R"({"path": "/a", "values": ["1 ns"]}, {"path": "/a", "values": ["2 ns"]})";
  EXPECT_THAT(file.complaint(twice, observation),
              HasSubstr("/stages/0/unknowns/1/path: expected a parameter that the stage"));
  EXPECT_THAT(file.complaint("", observation), HasSubstr("at least one unknown"));
  EXPECT_THAT(file.complaint(unknown, ""), HasSubstr("at least one observation"));
}

void collect_fitted(const nlohmann::json& node, const std::string& pointer, std::set<std::string>& into) {
  if (!node.is_object()) return;
  if (node.value("provenance", "") == "fitted") into.insert(pointer);
  for (const auto& [key, value] : node.items()) collect_fitted(value, pointer + "/" + key, into);
}

class ShippedPlan : public testing::TestWithParam<const char*> {};

TEST_P(ShippedPlan, FindsExactlyTheParametersThatItsProfileCallsFitted) {
  const std::filesystem::path external{DOORBELL_EXTERNAL_DATA};
  const std::string name = GetParam();
  if ((name.starts_with("pciebench") || name.starts_with("hostnet")) && !std::filesystem::exists(external)) {
    GTEST_SKIP() << "its measured points are not part of the project";
  }
  const Plan plan = read_plan(std::filesystem::path{DOORBELL_SOURCE_DIR} / "calib" / (name + ".json"), external);
  std::set<std::string> found;
  for (const Stage& stage : plan.stages) {
    for (const Unknown& parameter : stage.unknowns) found.insert(parameter.pointer);
  }
  std::ifstream stream{plan.profile};
  std::set<std::string> fitted;
  collect_fitted(nlohmann::json::parse(stream), "", fitted);
  EXPECT_EQ(found, fitted);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedPlan,
                         testing::Values("kalia16-cx", "kalia16-cx3", "kalia16-cib", "gmblock-server-b",
                                         "pciebench-nfp6000", "hostnet-gold6234"),
                         [](const auto& given) {
                           std::string name{given.param};
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Plan, OfServerBServesServerAWhichHasTheSameDisksAndNic) {
  const std::filesystem::path hardware = std::filesystem::path{DOORBELL_SOURCE_DIR} / "scenarios" / "hardware";
  const auto read = [&](const char* name) {
    std::ifstream stream{hardware / name};
    return nlohmann::json::parse(stream);
  };
  const nlohmann::json a = read("server_a.json");
  const nlohmann::json b = read("server_b.json");
  std::set<std::string> fitted;
  collect_fitted(a, "", fitted);
  EXPECT_FALSE(fitted.empty());
  for (const std::string& pointer : fitted) {
    EXPECT_EQ(a.at(nlohmann::json::json_pointer{pointer}), b.at(nlohmann::json::json_pointer{pointer})) << pointer;
  }
}

}  // namespace
}  // namespace doorbell::calibrate
