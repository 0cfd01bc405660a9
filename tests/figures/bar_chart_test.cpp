#include "figures/bar_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "figures/evaluate.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two groups of a bar of either label.
class BarChart : public testing::Test {
 protected:
  BarChart() {
    result_.id = "paper/table1";
    for (const char* series : {"one", "other"}) {
      for (const double x : {1.0, 2.0}) {
        PointResult& point = result_.points.emplace_back();
        point.series = series;
        point.x = x;
        point.simulated = 10 * x;
        point.outcome = std::make_shared<const Outcome>();
        panel_.bars.push_back({"Group " + std::string{series}, x == 1 ? "READ" : "WRITE", series, x});
      }
    }
  }
  [[nodiscard]] std::string commands() const { return bar_chart(panel_, result_); }
  PointResult& point(std::size_t number) { return result_.points.at(number); }

  Panel panel_;
  FigureResult result_;
};

TEST_F(BarChart, WhereColoursRepeatFillingsDiffer) {
  for (int i = 2; i < 9; ++i) panel_.bars.push_back({"Group", std::to_string(i), "one", 1.0});
  EXPECT_THAT(commands(), HasSubstr("$label7 using 1:2 with boxes fs solid 0.55 border lw 1 lc rgb '#777777'"));
  EXPECT_THAT(commands(), HasSubstr("$label8 using 1:2 with boxes fs pattern 1 border lw 1 lc rgb '#0072B2'"));
}

TEST_F(BarChart, RefusesABarOfAPointThatIsNotThere) {
  const auto complaint_of = [this](const char* series, const Position& x) {
    Panel panel = panel_;
    panel.bars.push_back({"Group", "READ", series, x});
    try {
      static_cast<void>(bar_chart(panel, result_));
    } catch (const DefinitionError& error) {
      return std::string{error.what()};
    }
    return std::string{"no error"};
  };
  EXPECT_EQ(complaint_of("one", 3.0), "figure paper/table1: a bar names 'one' at 3, which is not simulated");
  EXPECT_EQ(complaint_of("third", 1.0), "figure paper/table1: a bar names 'third' at 1, which is not simulated");
  EXPECT_EQ(complaint_of("one", std::string{"all"}),
            "figure paper/table1: a bar names 'one' at all, which is not simulated");
  EXPECT_EQ(complaint_of("one", 2.0), "no error");
}

TEST_F(BarChart, PercentSignsInNamesOfGroupsAreNoFormats) {
  for (Bar& bar : panel_.bars) bar.group += " 50 %";
  EXPECT_THAT(commands(), HasSubstr("Group one 50 %%"));
}

TEST_F(BarChart, BarsOfAGroupTouchAndGroupsDoNot) {
  EXPECT_THAT(commands(),
              HasSubstr("$label0 << EOD\n0 10 NaN NaN NaN 10 \"10.0\"\n2.6 10 NaN NaN NaN 10 \"10.0\"\nEOD\n"));
  EXPECT_THAT(commands(),
              HasSubstr("$label1 << EOD\n1 20 NaN NaN NaN 20 \"20.0\"\n3.6 20 NaN NaN NaN 20 \"20.0\"\nEOD\n"));
  EXPECT_THAT(commands(), HasSubstr("set xtics (\"Group one\" 0.5, \"Group other\" 3."));
  EXPECT_THAT(commands(), HasSubstr("set xrange [-0.9:4.5]\n"));
}

TEST_F(BarChart, BarsOfEqualLabelHaveEqualColour) {
  EXPECT_THAT(commands(),
              HasSubstr("$label0 using 1:2 with boxes fs solid 0.55 border lw 1 lc rgb '#0072B2' title \"READ\""));
  EXPECT_THAT(commands(),
              HasSubstr("$label1 using 1:2 with boxes fs solid 0.55 border lw 1 lc rgb '#D55E00' title \"WRITE\""));
  EXPECT_THAT(commands(), Not(HasSubstr("$label2")));
}

TEST_F(BarChart, TheNumbersStandAboveAllThatIsDrawn) {
  point(0).measured = 12;
  point(0).measured_uncertainty = 0.5;
  EXPECT_THAT(commands(), HasSubstr("\n0 10 12 0.5 NaN 12.5 \"10.0\\n(12.0)\"\n"));
  point(0).analytic = 15;
  EXPECT_THAT(commands(), HasSubstr("\n0 10 12 0.5 15 15 \"10.0\\n(12.0)\"\n"));
}

TEST_F(BarChart, NumbersHaveTheDigitsThatMatter) {
  point(0).simulated = 0.01234;
  point(1).simulated = 9.876;
  point(2).simulated = 999.94;
  point(3).simulated = 12345.6;
  for (const char* number : {"\"0.0123\"", "\"9.88\"", "\"999.9\"", "\"12346\""})
    EXPECT_THAT(commands(), HasSubstr(number));
}

TEST_F(BarChart, TheLegendExplainsOnlyWhatIsDrawn) {
  EXPECT_THAT(commands(), Not(HasSubstr("'(measured)'")));
  EXPECT_THAT(commands(), Not(HasSubstr("'closed form'")));
  point(0).measured = 12;
  point(0).analytic = 15;
  EXPECT_THAT(commands(), HasSubstr("title '(measured)'"));
  EXPECT_THAT(commands(), HasSubstr("title 'closed form'"));
}

TEST_F(BarChart, PointsBesideNothingButFormulasArePublished) {
  for (PointResult& point : result_.points) {
    point.outcome = nullptr;
    point.analytic = point.simulated;
  }
  point(0).measured = 12;
  EXPECT_THAT(commands(), HasSubstr("title '(published)'"));
  EXPECT_THAT(commands(), Not(HasSubstr("'closed form'")));
}

TEST_F(BarChart, NamesOfTwoLinesHaveRoom) {
  EXPECT_THAT(commands(), Not(HasSubstr("bmargin")));
  for (Bar& bar : panel_.bars) bar.group = "Two\nlines";
  EXPECT_THAT(commands(), HasSubstr("set bmargin 3.4\n"));
  EXPECT_THAT(commands(), HasSubstr("set xtics (\"Two\\nlines\" 1.5) scale 0\n"));
  panel_.x.label = "Machines";
  EXPECT_THAT(commands(), HasSubstr("set bmargin 5\n"));
}

}  // namespace
}  // namespace doorbell::figures
