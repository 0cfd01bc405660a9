// What a figure reads off its runs by name is tried on single points first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/evaluate.hpp"
#include "figures/fake_engine.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

/// A figure of one series, "a", that reads `metric` off the three points of a scenario.
Figure figure_of(const Metric& metric, const std::string& claimed = "sim('a', 2)") {
  Figure figure;
  figure.id = "paper/fig1";
  figure.series.push_back({"a", "a", Simulation{"3", {}, {}, metric, FromSweep{"/threads"}}, {}});
  figure.claims.push_back({"c", "A claim.", 0.0, Expression::parse(claimed), Expression::parse("value > 0")});
  return figure;
}

class Trial : public testing::Test {
 protected:
  std::string complaint(const std::vector<Figure>& figures) {
    try {
      evaluator_.try_names(figures);
    } catch (const DefinitionError& error) {
      return error.what();
    }
    return "no error";
  }

  RunCount runs_ = std::make_shared<std::atomic<int>>(0);
  Evaluator evaluator_{fake_engine(runs_), 1, std::nullopt};
};

TEST_F(Trial, AMisspeltNameCostsOnePoint) {
  EXPECT_EQ(complaint({figure_of({Metric::Kind::utilisation, "server/coers"})}),
            "figure paper/fig1, series 'a': no utilisation 'server/coers' in the results of the run; nearest: "
            "'server/cores'");
  EXPECT_EQ(*runs_, 1);
}

TEST_F(Trial, SoDoesOneInAClaim) {
  EXPECT_THAT(complaint({figure_of({}, "util('a', 2, 'server/coers')")}),
              HasSubstr("figure paper/fig1, claim c: the run knows no 'server/coers'"));
  EXPECT_EQ(*runs_, 1);
}

TEST_F(Trial, SoDoesOneOfAnX) {
  Figure figure = figure_of({});
  std::get<Simulation>(figure.series.front().source).x = FromRun{{Metric::Kind::counter, "server/PCIe"}};
  EXPECT_THAT(complaint({figure}), HasSubstr("'server/PCIe' in the results"));
  EXPECT_EQ(*runs_, 1);
}

/// A figure of one series, of all levels of a run whose names begin so.
Figure figure_of_levels(const std::string& begin) {
  Figure figure = figure_of({Metric::Kind::levels, begin}, "1");
  auto& simulation = std::get<Simulation>(figure.series.front().source);
  simulation.x = FromLevels{};
  simulation.overrides = {{"/threads", "2"}};
  return figure;
}

TEST_F(Trial, SoDoesTheBeginningOfNames) {
  EXPECT_EQ(complaint({figure_of_levels("server/sned of KB ")}),
            "figure paper/fig1, series 'a': no levels that begin with 'server/sned of KB ' in the results of the run; "
            "nearest: 'server/send of KB '");
  EXPECT_EQ(complaint({figure_of_levels("disk")}),
            "figure paper/fig1, series 'a': no levels that begin with 'disk' in the results of the run");
  EXPECT_EQ(*runs_, 1);
  EXPECT_EQ(complaint({figure_of_levels("server/send of KB ")}), "no error");
  EXPECT_EQ(complaint({figure_of_levels("server/s")}), "no error");
}

TEST_F(Trial, LevelsAtTheirNumbersAreNoOtherMetric) {
  Figure figure = figure_of_levels("");
  std::get<Simulation>(figure.series.front().source).metric = {};
  EXPECT_THAT(complaint({figure}), HasSubstr(R"("x": {"levels": "number"} goes with the metric "levels")"));
}

TEST_F(Trial, AMistakeInTheLastFigureDoesNotCostTheOthers) {
  const Figure sound = figure_of({Metric::Kind::utilisation, "server/cores"});
  EXPECT_THAT(complaint({sound, figure_of({Metric::Kind::batch, "wroker"})}), HasSubstr("nearest: 'worker'"));
  EXPECT_EQ(*runs_, 1) << "the figures share it";
}

TEST_F(Trial, WhatIsTriedIsNotSimulatedAgain) {
  const Figure sound =
      figure_of({Metric::Kind::utilisation, "server/cores"}, "counter('a', 4, 'server/PCIeRdCur') / 12");
  EXPECT_EQ(complaint({sound}), "no error");
  EXPECT_EQ(*runs_, 2) << "the first point, and that of the claim";
  EXPECT_TRUE(evaluator_.evaluate(sound).claims.front().holds);
  EXPECT_EQ(*runs_, 3);
}

TEST_F(Trial, WhatEveryRunHasIsNotTried) {
  EXPECT_EQ(complaint({figure_of({})}), "no error");
  EXPECT_EQ(*runs_, 0);
}

}  // namespace
}  // namespace doorbell::figures
