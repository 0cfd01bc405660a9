#include "figures/collection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "figures/catalogue.hpp"
#include "figures/report.hpp"
#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

FigureResult result(const std::string& id, std::vector<double> errors, Use use, bool holds = true) {
  FigureResult figure;
  figure.id = id;
  for (const double error : errors) {
    PointResult& point = figure.points.emplace_back();
    point.measured = 10;
    point.simulated = 10 * (1 + error);
    point.use = use;
  }
  figure.claims.push_back({"claim", "It is so.", 1.0, 1.0, holds});
  return figure;
}

class TwoFigures : public testing::Test {
 protected:
  TwoFigures() {
    figures_.resize(2);
    figures_[0].id = "paper/fig1";
    figures_[1].id = "paper/fig2";
    for (Figure& figure : figures_) figure.folder = folder_.path();
    results_ = {result("paper/fig1", {0.01, -0.03, 0.2}, Use::fit),
                result("paper/fig2", {0.05}, Use::validation, false)};
  }
  [[nodiscard]] Collection collection() const { return collect(figures_).front(); }

  Scratch folder_;
  std::vector<Figure> figures_;
  std::vector<FigureResult> results_;
};

TEST_F(TwoFigures, OfOneFolderAreSummedUpTogether) {
  ASSERT_EQ(collect(figures_).size(), 1U);
  EXPECT_EQ(collection().name, "paper");
  const Summary summary = summary_of(collection(), results_);
  EXPECT_EQ(summary.points, 4U);
  EXPECT_EQ(summary.fit.count, 3U);
  EXPECT_NEAR(*summary.fit.median, 0.03, 1e-12);
  EXPECT_NEAR(*summary.fit.worst, 0.2, 1e-12);
  EXPECT_NEAR(*summary.validation.worst, 0.05, 1e-12);
  EXPECT_NEAR(*summary.all.median, 0.04, 1e-12);
  EXPECT_EQ(summary.claims.count, 2U);
  EXPECT_EQ(summary.claims.held, 1U);
}

TEST_F(TwoFigures, NumbersOfClaimsHaveErrorsOfTheirOwn) {
  results_[0].claims = {{"ratio", "A gain of 4.", 4.0, 5.0, true},
                        {"word", "What limits.", std::string{"CPU"}, 1.0, false}};
  results_[1].claims = {{"none", "Nothing is lost.", 0.0, 0.1, false}};
  const Summary summary = summary_of(collection(), results_);
  EXPECT_EQ(summary.claims.numbers.count, 1U);
  EXPECT_NEAR(*summary.claims.numbers.worst, 0.25, 1e-12);
  EXPECT_EQ(summary.all.count, 4U) << "which are points";
  const std::string report = text_report(results_, collect(figures_));
  EXPECT_THAT(report, HasSubstr("  numbers of claims       1   25.0 %   25.0 %        -        -   25.0 %   25.0 %\n"));
  EXPECT_THAT(report, Not(HasSubstr("claims that hold"))) << "none is fitted";
}

TEST_F(TwoFigures, ClaimsThatWereFittedAreCountedApart) {
  results_[0].claims = {{"peak", "The peak is at 4.", 4.0, 4.0, true, Use::fit},
                        {"ratio", "A gain of 4.", 4.0, 5.0, false},
                        {"rises", "It rises.", true, true, true}};
  const Summary summary = summary_of(collection(), results_);
  EXPECT_EQ(summary.claims.held, 2U);
  EXPECT_EQ(summary.fit_claims.count, 1U);
  EXPECT_EQ(summary.fit_claims.held, 1U);
  EXPECT_EQ(summary.validation_claims.count, 3U);
  EXPECT_EQ(summary.validation_claims.held, 1U);
  const std::string report = text_report(results_, collect(figures_));
  EXPECT_THAT(report, HasSubstr("  numbers of claims       3    0.0 %   25.0 %    0.0 %    0.0 %   12.5 %   25.0 %\n"));
  EXPECT_THAT(report, HasSubstr("  claims that hold                                          1/1               1/3\n"));
}

TEST_F(TwoFigures, OfTwoFoldersAreNot) {
  figures_[1].folder = folder_.path() / "other";
  EXPECT_EQ(collect(figures_).size(), 2U);
}

TEST_F(TwoFigures, MissWhatIsBeyondItsTargetAndNothingElse) {
  folder_.write("targets.json",
                R"({"fit": {"median": "3.1 %", "worst": "15 %"}, "validation": {"median": "4 %"}, "claims": "all"})");
  const Misses missed = misses(collection(), summary_of(collection(), results_));
  EXPECT_THAT(missed.names(), ElementsAre("worst of fit", "median of validation", "claims"));
  const std::string report = text_report(results_, collect(figures_));
  EXPECT_THAT(report, HasSubstr("15.0 %    4.0 %        -      all  missed\n"));
}

TEST_F(TwoFigures, MeetTheirTargets) {
  folder_.write("targets.json", R"({"fit": {"worst": "20.1 %"}, "validation": {"worst": "5.1 %"}})");
  EXPECT_THAT(misses(collection(), summary_of(collection(), results_)).names(), ElementsAre());
  EXPECT_THAT(text_report(results_, collect(figures_)), HasSubstr("  met\n"));
}

TEST_F(TwoFigures, ThatSimulateNoNumberMissTheirTargets) {
  folder_.write("targets.json", R"({"validation": {"median": "50 %", "worst": "50 %"}})");
  results_[1].points.front().simulated = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(misses(collection(), summary_of(collection(), results_)).names(),
              ElementsAre("median of validation", "worst of validation"));
}

TEST_F(TwoFigures, WithoutErrorsMissNoTargetOfErrors) {
  folder_.write("targets.json", R"({"fit": {"worst": "1 %"}, "validation": {"worst": "1 %"}})");
  for (FigureResult& figure : results_) {
    for (PointResult& point : figure.points) point.measured.reset();
  }
  EXPECT_THAT(misses(collection(), summary_of(collection(), results_)).names(), ElementsAre());
}

TEST_F(TwoFigures, WithoutAnythingThatTargetsAreForAreNotChecked) {
  const auto verdict = [&](const std::string& targets) {
    folder_.write("targets.json", targets);
    EXPECT_EQ(is_checked(collection(), summary_of(collection(), results_)),
              text_report(results_, collect(figures_)).find("nothing to check\n") == std::string::npos);
    return is_checked(collection(), summary_of(collection(), results_));
  };
  results_[1].points.front().use = Use::fit;
  EXPECT_FALSE(verdict("{}"));
  EXPECT_FALSE(verdict(R"({"fit": {}})"));
  EXPECT_FALSE(verdict(R"({"validation": {"worst": "1 %"}})"));
  EXPECT_TRUE(verdict(R"({"fit": {"worst": "99 %"}, "validation": {"worst": "1 %"}})"));
  EXPECT_TRUE(verdict(R"({"claims": "all"})"));
  for (FigureResult& figure : results_) figure.claims.clear();
  EXPECT_FALSE(verdict(R"({"claims": "all"})"));
}

TEST_F(TwoFigures, MayLieInTheCurrentFolder) {
  folder_.write("targets.json", R"({"fit": {"worst": "50 %"}})");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (Figure& figure : figures_) figure.folder.clear();
  EXPECT_TRUE(collection().targets);
  std::filesystem::current_path(before);
}

TEST_F(TwoFigures, WithoutTargetsHaveOneRowTogetherButOneAloneHasNone) {
  EXPECT_THAT(text_report(results_, collect(figures_)), HasSubstr("\npaper      "));
  figures_.pop_back();
  results_.pop_back();
  EXPECT_THAT(text_report(results_, collect(figures_)), Not(HasSubstr("\npaper      ")));
}

TEST(Targets, AreRefusedWithPlaceAndExpectation) {
  const Scratch folder;
  const auto message = [&](const std::string& content) -> std::string {
    try {
      (void)read_targets(folder.write("targets.json", content));
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto of_median = [&](const std::string& percentage) {
    return message(R"({"fit": {"median": ")" + percentage + R"("}})");
  };
  for (const char* percentage : {"4%", "4 %", "4.5  %"}) EXPECT_EQ(of_median(percentage), "accepted") << percentage;
  for (const char* percentage : {"4%%", "%", "4% 5%", "-4%"}) EXPECT_THAT(of_median(percentage), HasSubstr("DB204"));
  EXPECT_THAT(message(R"({"fit": {"median": "4"}})"), HasSubstr("/fit/median: expected a percentage such as \"15 %\""));
  EXPECT_THAT(message(R"({"fit": {"median": "-4 %"}})"), HasSubstr("found \"-4 %\""));
  EXPECT_THAT(message(R"({"fit": {"mean": "4 %"}})"), HasSubstr("DB101 /fit/mean"));
  EXPECT_THAT(message(R"({"claims": "most"})"), HasSubstr("DB104 /claims: expected \"all\", found \"most\""));
  EXPECT_THAT(message("{"), HasSubstr("targets.json"));
  EXPECT_EQ(message("{}"), "accepted");
}

TEST(Targets, AreNoFigures) {
  for (const CatalogueEntry& entry : list_figures(DOORBELL_SOURCE_DIR)) EXPECT_FALSE(entry.id.ends_with("targets"));
}

TEST_F(TwoFigures, ThatAreAllThereIsMissTargetsForWhichThereIsNothing) {
  folder_.write("targets.json", R"({"fit": {"worst": "99 %"}, "validation": {"worst": "1 %"}})");
  results_[1].points.front().use = Use::fit;
  EXPECT_THAT(misses(collection(), summary_of(collection(), results_)).names(), ElementsAre("validation (no points)"));
  EXPECT_THAT(text_report(results_, collect(figures_)), HasSubstr("  missed, nothing to check of validation\n"));
}

TEST_F(TwoFigures, OfMoreSayForWhichTargetsTheyHaveNothing) {
  folder_.write("targets.json", R"({"fit": {"worst": "99 %"}, "validation": {"worst": "1 %"}, "claims": "all"})");
  for (const char* name : {"1.json", "2.json", "3.json"}) folder_.write(name, R"({"series": [], "panels": []})");
  for (FigureResult& figure : results_) figure.claims.clear();
  results_[1].points.front().use = Use::fit;
  EXPECT_THAT(misses(collection(), summary_of(collection(), results_)).names(), ElementsAre());
  EXPECT_THAT(text_report(results_, collect(figures_)),
              HasSubstr("  met, nothing to check of validation and claims\n"));
}

}  // namespace
}  // namespace doorbell::figures
