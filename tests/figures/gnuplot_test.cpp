#include "figures/gnuplot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace doorbell::figures {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Gnuplot, QuotesWhatAStringMustNotContain) {
  EXPECT_EQ(gnuplot_text(""), R"("")");
  EXPECT_EQ(gnuplot_text("rate, M/s"), R"("rate, M/s")");
  EXPECT_EQ(gnuplot_text(R"(a "b")"), R"("a \"b\"")");
  EXPECT_EQ(gnuplot_text(R"(a\n\)"), R"("a\\n\\")");
  EXPECT_EQ(gnuplot_text("`date`"), R"("\`date\`")");
  EXPECT_EQ(gnuplot_text("two\nlines"), R"("two\nlines")");
  EXPECT_EQ(gnuplot_text("\u00b5s, 100 %, $x, {y}_1 'z'"), "\"\u00b5s, 100 %, $x, {y}_1 'z'\"");
}

/// A picture of nothing that takes `commands` first.
std::string empty_picture(const std::string& commands) {
  const std::string plot = "set xrange [0:1]\nset yrange [0:1]\nunset key\n";
  return svg_terminal(720) + plot + commands + "plot NaN\n" + png_terminal(720) + "replot\nunset output\n";
}

TEST(Gnuplot, ShowsQuotedTextAsItIs) {
  const std::string text = "a \"b\" \\n `echo c` $d @e %s {f}_g\nnext";
  const std::string svg = run_gnuplot(empty_picture("set title " + gnuplot_text(text) + "\n")).svg;
  EXPECT_THAT(svg, HasSubstr("a \"b\" \\n `echo c` $d @e %s {f}_g</text>"));
  EXPECT_THAT(svg, HasSubstr(">next</text>"));
}

TEST(Gnuplot, DrawsOnBothTerminals) {
  const Drawing drawing = run_gnuplot(empty_picture(""));
  EXPECT_THAT(drawing.svg, HasSubstr("</svg>"));
  EXPECT_THAT(drawing.svg, HasSubstr("width=\"720\""));
  EXPECT_THAT(drawing.png, StartsWith("\x89PNG"));
  EXPECT_EQ(drawing.svg, run_gnuplot(empty_picture("")).svg);
}

TEST(Gnuplot, PassesTheFirstComplaintOn) {
  try {
    static_cast<void>(run_gnuplot("set xrange [0:1]\nset nonsense\nset rubbish\n"));
    FAIL() << "taken";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), StartsWith("gnuplot failed: "));
    EXPECT_THAT(error.what(), HasSubstr("line 2"));
  }
}

TEST(Gnuplot, WhatIsNoNumberIsMissing) {
  EXPECT_EQ(gnuplot_number(std::nullopt), "NaN");
  EXPECT_EQ(gnuplot_number(std::nan("")), "NaN");
  EXPECT_EQ(gnuplot_number(std::numeric_limits<double>::infinity()), "NaN");
  EXPECT_EQ(gnuplot_number(-std::numeric_limits<double>::infinity()), "NaN");
  EXPECT_EQ(gnuplot_number(0), "0");
  EXPECT_EQ(gnuplot_number(0.1), "0.1");
  EXPECT_EQ(gnuplot_number(-1.25e-30), "-1.25e-30");
  EXPECT_THAT(common_commands("", "top left"), HasSubstr("set datafile missing 'NaN'\n"));
}

TEST(Gnuplot, ColoursBeginAnewAfterEight) {
  for (int index = 0; index < 8; ++index) {
    EXPECT_EQ(palette_colour(index), palette_colour(index + 8));
    for (int other = 0; other < index; ++other) EXPECT_NE(palette_colour(index), palette_colour(other));
  }
}

TEST(Gnuplot, TheLegendIsAboveOrInside) {
  EXPECT_THAT(common_commands("", "above"), HasSubstr("set key above horizontal "));
  EXPECT_THAT(common_commands("", "bottom right"), HasSubstr("set key inside bottom right vertical "));
}

TEST(Gnuplot, APictureNeedsNoTitle) {
  EXPECT_THAT(common_commands("", "above"), Not(HasSubstr("title")));
  EXPECT_THAT(common_commands("\"A\"", "above"), HasSubstr("set title \"\\\"A\\\"\"\n"));
}

TEST(Gnuplot, AnAxisLeavesToGnuplotWhatItDoesNotSay) {
  EXPECT_EQ(axis_commands("x", {.label = "Cores", .range = {}, .ticks = {}}), "set xlabel \"Cores\"\n");
}

TEST(Gnuplot, AnAxisHasItsRangeAndPlaces) {
  EXPECT_EQ(axis_commands("y", {.label = "Rate", .range = {{-0.5, 20}}, .ticks = {0, 2.5, 10}}),
            "set ylabel \"Rate\"\nset yrange [-0.5:20]\nset ytics (0, 2.5, 10)\n");
}

TEST(Gnuplot, LongNumbersOnALinearAxisHavePrefixes) {
  const auto commands = [](double upper, int log) {
    return axis_commands("x", {.label = "", .range = {{1, upper}}, .ticks = {}, .log = log});
  };
  EXPECT_THAT(commands(1e5, 0), HasSubstr("set format x '%.0s %c'\n"));
  EXPECT_THAT(commands(99'999, 0), Not(HasSubstr("format")));
  EXPECT_THAT(commands(1e5, 10), Not(HasSubstr("format")));
}

TEST(Gnuplot, PlacesOnAnAxisOfPowersOfTwoAreBinary) {
  EXPECT_EQ(axis_commands("x", {.label = "", .range = {{64, 1048576}}, .ticks = {}, .log = 2}),
            "set xlabel \"\"\nset xrange [64:1048576]\nset logscale x 2\nset format x '%.0b%B'\n");
  EXPECT_EQ(axis_commands("x", {.label = "", .range = {{1, 512}}, .ticks = {1, 512}, .log = 2}),
            "set xlabel \"\"\nset xrange [1:512 * (1 + 1e-6)]\nset logscale x 2\nset xtics (1, 512)\n");
  EXPECT_EQ(axis_commands("x", {.label = "", .range = {}, .ticks = {1, 2, 4}, .log = 2}),
            "set xlabel \"\"\nset xrange [*:4 * (1 + 1e-6) < *]\nset logscale x 2\nset xtics (1, 2, 4)\n");
  EXPECT_EQ(axis_commands("y", {.label = "", .range = {}, .ticks = {}, .log = 10}),
            "set ylabel \"\"\nset logscale y 10\n");
}

TEST(Gnuplot, ThePngHasTwiceThePixels) {
  EXPECT_THAT(svg_terminal(720), HasSubstr("size 720,480 "));
  EXPECT_THAT(png_terminal(720), HasSubstr("size 1440,960 "));
  for (const std::string& terminal : {svg_terminal(720), png_terminal(720)}) {
    EXPECT_THAT(terminal, HasSubstr("\nmarker = "));
    EXPECT_THAT(terminal, HasSubstr("\nsmall_font = "));
  }
}

TEST(Gnuplot, PlotsAreOneCommand) {
  EXPECT_EQ(plot_command({"a"}), "plot a\n");
  EXPECT_EQ(plot_command({"a", "b"}), "plot a, \\\n     b\n");
}

}  // namespace
}  // namespace doorbell::figures
