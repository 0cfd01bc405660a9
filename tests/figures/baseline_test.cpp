#include "figures/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "figures/output.hpp"
#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Ten points at 1 to 10 with an interval of 2 each, of which the fifth was measured, and two claims.
FigureResult figure() {
  FigureResult made;
  made.id = "paper/fig1";
  for (int i = 1; i <= 10; ++i) {
    PointResult& point = made.points.emplace_back();
    point.series = "a";
    point.x = static_cast<double>(i);
    point.metric = "throughput";
    point.unit = "M/s";
    point.simulated = 100.0 * i;
    point.simulated_ci95 = 2;
    if (i == 5) point.measured = 400;
  }
  made.claims = {{"one", "", 1.0, 1.0, true}, {"two", "", 1.0, 1.0, false}};
  return made;
}

/// What `now` says beside figure().
Comparison beside(const FigureResult& now) {
  const Scratch folder;
  const auto file = folder.write("results.json", to_json({figure()}, {}, "1").dump());
  return compare(read_baseline(file), {now});
}

TEST(Baseline, OfTheSameRunIsTheSame) {
  const Comparison comparison = beside(figure());
  EXPECT_EQ(comparison.same, 10U);
  EXPECT_EQ(comparison.within + comparison.added, 0U);
  EXPECT_FALSE(comparison.differs());
  EXPECT_THAT(comparison_report(comparison), HasSubstr("10 same, 0 moved further"));
}

TEST(Baseline, OfTheSameRunIsTheSameWhereItTellsNoNumber) {
  FigureResult made = figure();
  made.points[1].simulated = std::numeric_limits<double>::quiet_NaN();
  made.points[2].simulated = std::numeric_limits<double>::infinity();
  const Scratch folder;
  const Baseline baseline = read_baseline(folder.write("results.json", to_json({made}, {}, "1").dump()));
  EXPECT_FALSE(compare(baseline, {made}).differs());
  const Comparison comparison = compare(baseline, {figure()});
  EXPECT_EQ(comparison.moved.size(), 2U) << "numbers now";
}

TEST(Baseline, LetsAPointMoveWithinBothIntervalsOrOnePercent) {
  FigureResult now = figure();
  now.points[0].simulated += 3.9;
  now.points[9].simulated += 9.9;
  const Comparison comparison = beside(now);
  EXPECT_EQ(comparison.within, 2U);
  EXPECT_FALSE(comparison.differs());
}

TEST(Baseline, NamesWhatMovedFurtherTheFurthestFirst) {
  FigureResult now = figure();
  now.points[0].simulated += 4.1;
  now.points[4].simulated = 400;
  const Comparison comparison = beside(now);
  EXPECT_TRUE(comparison.differs());
  ASSERT_EQ(comparison.moved.size(), 2U);
  EXPECT_EQ(comparison.moved[0].before, 500);
  EXPECT_EQ(comparison.moved[0].now, 400);
  const std::string report = comparison_report(comparison);
  EXPECT_THAT(report, HasSubstr("8 same, 2 moved further"));
  EXPECT_THAT(report, HasSubstr("-20.0 %  +25.0 %    0.0 %  paper/fig1 a at 5, throughput\n"));
}

TEST(Baseline, NamesPointsThatAreGoneAndCountsNewOnes) {
  FigureResult now = figure();
  now.points[2].x = 3.5;
  const Comparison comparison = beside(now);
  EXPECT_THAT(comparison.gone, ElementsAre("paper/fig1 a at 3"));
  EXPECT_EQ(comparison.added, 1U);
  EXPECT_TRUE(comparison.differs());
}

TEST(Baseline, NamesClaimsThatNoLongerHold) {
  FigureResult now = figure();
  now.claims[1].holds = true;
  EXPECT_THAT(beside(now).won, ElementsAre("paper/fig1 two"));
  EXPECT_FALSE(beside(now).differs());
  now.claims[0].holds = false;
  EXPECT_THAT(beside(now).lost, ElementsAre("paper/fig1 one"));
  EXPECT_TRUE(beside(now).differs());
  now.claims.clear();
  EXPECT_THAT(beside(now).lost, ElementsAre("paper/fig1 one"));
}

TEST(Baseline, NamesFiguresThatOnlyOneRunHas) {
  FigureResult other = figure();
  other.id = "paper/fig2";
  FigureResult new_one = figure();
  new_one.id = "paper/fig3";
  const Scratch folder;
  const auto file = folder.write("results.json", to_json({figure(), other}, {}, "1").dump());
  const Comparison comparison = compare(read_baseline(file), {figure(), new_one});
  EXPECT_EQ(comparison.same, 10U);
  EXPECT_EQ(comparison.added, 0U);
  EXPECT_FALSE(comparison.differs());
  const std::string report = comparison_report(comparison);
  EXPECT_THAT(report, HasSubstr("Figures that the earlier run does not have: paper/fig3\n"));
  EXPECT_THAT(report, HasSubstr("Figures of the earlier run alone: paper/fig2\n"));
}

TEST(Baseline, IsRefusedWhereNothingCanBeCompared) {
  FigureResult other = figure();
  other.id = "paper/fig2";
  FigureResult empty = figure();
  empty.points.clear();
  empty.claims.clear();
  const auto complaint = [](const std::vector<FigureResult>& earlier) -> std::string {
    const Scratch folder;
    const auto file = folder.write("results.json", to_json(earlier, {}, "1").dump());
    try {
      static_cast<void>(compare(read_baseline(file), {figure()}));
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(complaint({other}), HasSubstr("DB111 /figures: expected points or claims of paper/fig1, found others, "
                                            "of paper/fig2"));
  EXPECT_THAT(complaint({}), HasSubstr("expected points or claims of paper/fig1, found none"));
  EXPECT_THAT(complaint({empty}), HasSubstr("DB111"));
  EXPECT_EQ(complaint({other, figure()}), "accepted");
}

TEST(Baseline, TellsErrorsBeforeByTheReferenceOfThen) {
  FigureResult now = figure();
  now.points[4].measured = 500;
  const Comparison unmoved = beside(now);
  EXPECT_THAT(unmoved.new_reference, ElementsAre("paper/fig1 a at 5, throughput: 400 M/s before, 500 M/s now"));
  EXPECT_TRUE(unmoved.differs());
  now.points[4].simulated = 600;
  const std::string report = comparison_report(beside(now));
  EXPECT_THAT(report, HasSubstr("+20.0 %  +25.0 %  +20.0 %  paper/fig1 a at 5, throughput\n"));
  EXPECT_THAT(report, HasSubstr("Points whose reference changed:\n  paper/fig1 a at 5"));
}

TEST(Baseline, DoesNotCompareNumbersOfDifferentUnits) {
  FigureResult now = figure();
  now.points[4].unit = "k/s";
  now.points[4].simulated *= 1000;
  const Comparison comparison = beside(now);
  EXPECT_EQ(comparison.same, 9U);
  EXPECT_TRUE(comparison.moved.empty());
  EXPECT_THAT(comparison.new_reference, ElementsAre("paper/fig1 a at 5, throughput: 400 M/s before, 400 k/s now"));
}

TEST(Baseline, MustBeResults) {
  const Scratch folder;
  for (const char* content : {"", "{}", R"({"figures": [{"id": "a"}]})", R"({"figures": 3})"}) {
    try {
      (void)read_baseline(folder.write("results.json", content));
      ADD_FAILURE() << content;
    } catch (const scenario::ScenarioError& error) {
      EXPECT_THAT(error.what(), HasSubstr("results.json"));
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    }
  }
}

TEST(BaselineOfOtherFigures, IsToldByTheIdsAlone) {
  Baseline baseline;
  baseline.figures["paper/fig1"].claims["c"] = true;
  baseline.figures["paper/empty"];
  EXPECT_NO_THROW(require_common_figure(baseline, {"paper/fig2", "paper/fig1"}));
  EXPECT_THROW(require_common_figure(baseline, {"paper/fig2"}), scenario::ScenarioError);
  EXPECT_THROW(require_common_figure(baseline, {"paper/empty"}), scenario::ScenarioError);
}

}  // namespace
}  // namespace doorbell::figures
