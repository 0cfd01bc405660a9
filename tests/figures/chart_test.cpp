#include "figures/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "figures/evaluate.hpp"
#include "figures/gnuplot.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A simulated curve and a formula, each of two points, and the panel that draws them.
class Chart : public testing::Test {
 protected:
  Chart() {
    figure_.id = result_.id = "paper/fig1";
    figure_.series = {{"curve", "A \"curve\"", Simulation{}, {}}, {"formula", "A formula", ClosedForm{}, {}}};
    panel_.series = {"curve", "formula"};
    for (const char* series : {"curve", "formula"}) {
      for (const double x : {1.0, 2.5}) {
        PointResult& point = result_.points.emplace_back();
        point.series = series;
        point.x = x;
        point.simulated = 10 * x;
      }
    }
  }
  [[nodiscard]] std::string script() const { return gnuplot_script(figure_, panel_, result_); }
  PointResult& point(std::size_t number) { return result_.points.at(number); }

  Figure figure_;
  Panel panel_;
  FigureResult result_;
};

TEST_F(Chart, DrawsWhatItKnowsAndLeavesOutWhatIsMissing) {
  point(0).measured = 9.5;
  point(0).measured_uncertainty = 0.25;
  point(1).analytic = 30;
  EXPECT_THAT(script(), HasSubstr("$series0 << EOD\n1 10 9.5 0.25 NaN\n2.5 25 NaN NaN 30\nEOD\n"));
  EXPECT_THAT(script(), HasSubstr("$series1 << EOD\n1 10 NaN NaN NaN\n2.5 25 NaN NaN NaN\nEOD\n"));
}

TEST_F(Chart, SeriesAreDrawnInTheOrderOfTheLegend) {
  std::swap(panel_.series[0], panel_.series[1]);
  const std::string drawn = script();
  EXPECT_LT(drawn.find("title \"A formula\""), drawn.find("title \"A \\\"curve\\\"\""));
}

TEST_F(Chart, RefusesAPositionThatIsNoNumber) {
  point(1).x = std::string{"all"};
  try {
    static_cast<void>(script());
    FAIL() << "taken";
  } catch (const DefinitionError& error) {
    EXPECT_STREQ(error.what(), "figure paper/fig1: 'curve' stands at 'all', but a chart of lines needs numbers");
  }
}

TEST_F(Chart, APositionThatIsNoNumberDoesNotMatterToOtherPanels) {
  point(3).x = std::string{"all"};
  panel_.series = {"curve"};
  EXPECT_NO_THROW(static_cast<void>(script()));
}

TEST_F(Chart, TheLegendExplainsOnlyWhatIsDrawn) {
  EXPECT_THAT(script(), Not(HasSubstr("'simulated'")));
  EXPECT_THAT(script(), Not(HasSubstr("'measured'")));
  EXPECT_THAT(script(), Not(HasSubstr("'closed form'")));
  point(0).analytic = 11;
  EXPECT_THAT(script(), HasSubstr("title 'simulated'"));
  EXPECT_THAT(script(), HasSubstr("title 'closed form'"));
  point(0).measured = 9;
  EXPECT_THAT(script(), HasSubstr("title 'measured'"));
}

TEST_F(Chart, PointsBesideNothingButFormulasArePublished) {
  panel_.series = {"formula"};
  point(2).measured = 9;
  EXPECT_THAT(script(), HasSubstr("title 'published'"));
  EXPECT_THAT(script(), Not(HasSubstr("'simulated'")));
}

TEST_F(Chart, AFormulaIsNotDrawnOnceMoreAsItsOwnBound) {
  point(2).analytic = 10;
  EXPECT_THAT(script(), Not(HasSubstr("using 1:5")));
  point(0).analytic = 10;
  EXPECT_THAT(script(), HasSubstr("$series0 using 1:5"));
}

TEST_F(Chart, WithoutAMarkerMeasuredPointsAreNotDrawn) {
  point(0).measured = 9;
  EXPECT_THAT(script(), HasSubstr("$series0 using 1:3:4 with yerrorbars"));
  figure_.series[0].style.marker = Marker::none;
  EXPECT_THAT(script(), Not(HasSubstr("yerrorbars")));
}

TEST_F(Chart, AColourThatIsNotChosenIsThePlaceInTheLegend) {
  EXPECT_THAT(script(), HasSubstr("lc rgb '#D55E00' title \"A formula\""));
  figure_.series[1].style.colour = 2;
  EXPECT_THAT(script(), HasSubstr("lc rgb '#009E73' title \"A formula\""));
}

TEST_F(Chart, WithoutALineOnlyPointsAreDrawn) {
  EXPECT_THAT(script(), HasSubstr("$series0 using 1:2 with linespoints lw 2 dt 1 pt 7 "));
  EXPECT_THAT(script(), HasSubstr("$series1 using 1:2 with lines lw 2 dt 1 lc "));
  for (Series& series : figure_.series) series.style.line = Line::none;
  EXPECT_THAT(script(), HasSubstr("$series0 using 1:2 with points lw 2 pt 7 "));
  EXPECT_THAT(script(), HasSubstr("$series1 using 1:2 with points lw 2 pt 7 "));
}

TEST_F(Chart, WhereColoursRepeatLinesAndMarkersDiffer) {
  panel_.series.assign(17, "curve");
  EXPECT_THAT(script(), HasSubstr("$series7 using 1:2 with linespoints lw 2 dt 1 pt 7 "));
  EXPECT_THAT(script(), HasSubstr("$series8 using 1:2 with linespoints lw 2 dt (8,5) pt 5 "));
  EXPECT_THAT(script(), HasSubstr("$series16 using 1:2 with linespoints lw 2 dt (10,4,2,4) pt 9 "));
  figure_.series[0].style.colour = 0;
  EXPECT_THAT(script(), HasSubstr("$series8 using 1:2 with linespoints lw 2 dt 1 pt 7 "));
}

TEST_F(Chart, HasTheAxesOfThePanel) {
  panel_.x = {.label = "Size", .range = {{1, 4096}}, .ticks = {}, .log = 2};
  panel_.y = {.label = "Rate", .range = {}, .ticks = {}};
  EXPECT_THAT(script(), HasSubstr("set xlabel \"Size\"\nset xrange [1:4096]\nset logscale x 2\n"));
  EXPECT_THAT(script(), HasSubstr("set ylabel \"Rate\"\n"));
}

TEST_F(Chart, EqualResultsGiveEqualScripts) {
  FigureResult later = result_;
  later.seconds = 5;
  EXPECT_EQ(script(), gnuplot_script(figure_, panel_, later));
}

TEST_F(Chart, ManyBarsMakeAWiderPicture) {
  for (int i = 0; i < 6; ++i) panel_.bars.push_back({std::to_string(i), "", "curve", 1.0});
  EXPECT_THAT(script(), HasSubstr("size 720,480 "));
  panel_.bars.push_back({"6", "", "curve", 1.0});
  EXPECT_THAT(script(), HasSubstr("size 960,480 "));
  EXPECT_THAT(script(), HasSubstr("with boxes"));
}

TEST_F(Chart, OfNoNumberIsDrawnEmpty) {
  for (PointResult& one : result_.points) one.simulated = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(run_gnuplot(script()).svg, HasSubstr("</svg>"));
  panel_.y.log = 10;
  panel_.x.ticks = {1, 2};
  EXPECT_THAT(run_gnuplot(script()).svg, HasSubstr("</svg>"));
  point(0).x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(run_gnuplot(script()).svg, HasSubstr("</svg>"));
  panel_.series.clear();
  panel_.bars = {{"group", "label", "curve", 2.5, {}}};
  EXPECT_THAT(run_gnuplot(script()).svg, HasSubstr("</svg>"));
}

TEST_F(Chart, OfOneCurveWithoutANumberShowsTheOther) {
  point(0).simulated = point(1).simulated = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(run_gnuplot(script()).svg, HasSubstr("</svg>"));
  EXPECT_THAT(script(), Not(HasSubstr("range")));
}

}  // namespace
}  // namespace doorbell::figures
