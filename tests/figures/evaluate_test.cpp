#include "figures/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/claim.hpp"
#include "figures/fake_engine.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

Series simulated(const std::string& name, const std::string& scenario, Abscissa x, Metric metric = {},
                 Overrides overrides = {}) {
  return {name, name, Simulation{scenario, std::move(overrides), {}, std::move(metric), std::move(x)}, {}};
}

Claim claim(const std::string& expression, const std::string& holds_if, Value stated = 0.0) {
  return {"c", "A claim.", std::move(stated), Expression::parse(expression), Expression::parse(holds_if)};
}

Figure figure(std::vector<Series> series) {
  Figure made;
  made.id = "paper/fig1";
  made.series = std::move(series);
  return made;
}

FigureResult evaluate(const Figure& made, int jobs = 1) {
  return Evaluator{fake_engine(), jobs, std::nullopt}.evaluate(made);
}

std::string complaint(const Figure& made) {
  try {
    static_cast<void>(evaluate(made));
  } catch (const DefinitionError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Evaluator, TakesXFromTheSweep) {
  const FigureResult result = evaluate(figure({simulated("a", "3", FromSweep{"/threads"})}));
  ASSERT_EQ(result.points.size(), 3U);
  EXPECT_EQ(result.points[2].x, Position{4.0});
  EXPECT_DOUBLE_EQ(result.points[2].simulated, 12);
  EXPECT_DOUBLE_EQ(result.points[2].simulated_ci95, 0.25);
  EXPECT_DOUBLE_EQ(*result.points[2].analytic, 40);
  EXPECT_EQ(result.points[2].unit, "M/s");
}

TEST(Evaluator, TakesTheNumberOfASweptQuantity) {
  EXPECT_EQ(evaluate(figure({simulated("a", "3", FromSweep{"/payload"})})).points[1].x, Position{16.0});
}

TEST(Evaluator, TakesXFromTheRun) {
  const Metric latency{Metric::Kind::latency_mean, {}};
  const FigureResult result = evaluate(figure({simulated("a", "3", FromRun{Metric{}}, latency)}));
  EXPECT_EQ(result.points[1].x, Position{6.0});
  EXPECT_DOUBLE_EQ(result.points[1].simulated, 2);
  EXPECT_EQ(result.points[1].unit, "us");
  EXPECT_FALSE(result.points[1].analytic);
}

TEST(Evaluator, SpreadsOnePointOverAllPositions) {
  const Fixed everywhere{{1.0, 2.0, std::string{"three"}}};
  const FigureResult result = evaluate(figure({simulated("flat", "3", everywhere, {}, {{"/threads", "4"}})}));
  ASSERT_EQ(result.points.size(), 3U);
  EXPECT_DOUBLE_EQ(result.points[0].simulated, result.points[2].simulated);
}

TEST(Evaluator, RefusesPositionsThatDoNotFit) {
  EXPECT_THAT(complaint(figure({simulated("a", "3", Fixed{{1.0, 2.0}})})), HasSubstr("2 positions for the 3 points"));
  EXPECT_THAT(complaint(figure({simulated("a", "3", FromSweep{"/cores"})})), HasSubstr("does not sweep /cores"));
}

TEST(Evaluator, ReadsCountersBatchesAndUtilisations) {
  const FigureResult result = evaluate(figure({
      simulated("counter", "3", FromSweep{"/threads"}, {Metric::Kind::counter, "server/PCIeRdCur"}),
      simulated("batch", "3", FromSweep{"/threads"}, {Metric::Kind::batch, "worker"}),
      simulated("busy", "3", FromSweep{"/threads"}, {Metric::Kind::utilisation, "server/nic"}),
  }));
  EXPECT_DOUBLE_EQ(result.find("counter", 4.0)->simulated, 12);
  EXPECT_DOUBLE_EQ(result.find("batch", 4.0)->simulated, 6);
  EXPECT_DOUBLE_EQ(result.find("busy", 4.0)->simulated, 0.5);
  EXPECT_THAT(complaint(figure({simulated("a", "3", FromSweep{"/threads"}, {Metric::Kind::batch, "nobody"})})),
              HasSubstr("no mean_batch 'nobody'"));
}

TEST(Evaluator, RunsASharedScenarioOnce) {
  const auto runs = std::make_shared<std::atomic<int>>(0);
  Evaluator evaluator{fake_engine(runs), 2, std::nullopt};
  const Figure both =
      figure({simulated("rate", "3", FromSweep{"/threads"}),
              simulated("counter", "3", FromSweep{"/threads"}, {Metric::Kind::counter, "server/PCIeRdCur"})});
  static_cast<void>(evaluator.evaluate(both));
  EXPECT_EQ(*runs, 3);
  static_cast<void>(evaluator.evaluate(both));
  EXPECT_EQ(*runs, 3);
  static_cast<void>(evaluator.evaluate(figure({simulated("other", "3", Fixed{{1.0}}, {}, {{"/threads", "4"}})})));
  EXPECT_EQ(*runs, 4);
}

TEST(Evaluator, RunsOnlyThePointsThatASeriesStandsAt) {
  const auto runs = std::make_shared<std::atomic<int>>(0);
  Evaluator evaluator{fake_engine(runs), 1, std::nullopt};
  Figure made = figure({simulated("a", "3", Fixed{{std::string{"best"}}})});
  std::get<Simulation>(made.series[0].source).at = {{"/threads", "4"}};
  const FigureResult result = evaluator.evaluate(made);
  ASSERT_EQ(result.points.size(), 1U);
  EXPECT_DOUBLE_EQ(result.points[0].simulated, 12);
  EXPECT_EQ(*runs, 1);
  std::get<Simulation>(made.series[0].source).at = {{"/threads", "5"}};
  EXPECT_THAT(complaint(made), HasSubstr("has no point where /threads is 5"));
}

TEST(Evaluator, GivesEveryScenarioTheSeed) {
  const FigureResult result =
      Evaluator{fake_engine(), 1, 500'000}.evaluate(figure({simulated("a", "3", FromSweep{"/threads"})}));
  EXPECT_DOUBLE_EQ(result.points[0].simulated, 3.5);
}

TEST(Evaluator, PutsTheReferenceBesideItsPoint) {
  Figure made = figure({simulated("a", "3", FromSweep{"/threads"})});
  made.reference = {{"a", 1.0, "throughput", "M/s", 2.5, 0.1, Use::fit, "read off"},
                    {"a", 4.0, "throughput", "M/s", 16, 0.1, Use::validation, ""},
                    {"another machine", 1.0, "throughput", "M/s", 1, 0, Use::fit, ""}};
  const FigureResult result = evaluate(made);
  EXPECT_DOUBLE_EQ(*result.points[0].error(), 0.2);
  EXPECT_FALSE(result.points[1].error());
  EXPECT_DOUBLE_EQ(*result.points[2].error(), -0.25);
  EXPECT_EQ(result.points[0].note, "read off");
}

TEST(Evaluator, RefusesAReferenceThatMeetsNoPoint) {
  Figure made = figure({simulated("a", "3", FromSweep{"/threads"})});
  made.reference = {{"a", 3.0, "throughput", "M/s", 9, 0.1, Use::fit, ""}};
  EXPECT_THAT(complaint(made), HasSubstr("the reference has throughput of 'a' at 3, which is not simulated"));
  made.reference = {{"a", 1.0, "throughput", "GB/s", 9, 0.1, Use::fit, ""}};
  EXPECT_THAT(complaint(made), HasSubstr("simulated in M/s and measured in GB/s"));
}

TEST(Evaluator, EvaluatesClosedForms) {
  Series series{"reads", "reads", ClosedForm{"dma_read_bytes", "cib.json", {64.0, 256.0}, std::nullopt, 1}, {}};
  const FigureResult result = evaluate(figure({series}));
  EXPECT_DOUBLE_EQ(result.points[1].simulated, 300);
  EXPECT_DOUBLE_EQ(*result.points[1].analytic, 300);
}

TEST(Claims, SpeakOfPointsAndWhatLimitsThem) {
  Figure made = figure({simulated("a", "3", FromSweep{"/threads"}), simulated("b", "5", FromSweep{"/threads"})});
  made.claims = {
      claim("sim('b', 2) / sim('a', 2)", "abs(value / stated - 1) < 0.01", 5.0 / 3),
      claim("bottleneck('a', 1)", "value == stated && contains(value, 'cores')", std::string{"server/cores"}),
      claim("next_bottleneck('a', 1)", "value == 'server/nic'"),
      claim("batch('a', 2, 'worker') + util('a', 2, 'server/cores')", "abs(value - 3.9) < 1e-9"),
      claim("counter('a', 4, 'server/PCIeRdCur')", "value == 12"),
      claim("latency('a', 4)", "value == 4"),
      claim("peak('a') / peak_at('a')", "value == 3"),
      claim("at('a', 3) - at('a', 1)", "value == 6"),
      claim("reach('a')", "value == 4"),
      claim("analytic('a', 1) - ci('a', 1)", "value == 9.75"),
      claim("sim('a', 1) > sim('b', 1)", "value")};
  const FigureResult result = evaluate(made);
  for (std::size_t i = 0; i + 1 < result.claims.size(); ++i) EXPECT_TRUE(result.claims[i].holds) << i;
  EXPECT_FALSE(result.claims.back().holds);
  EXPECT_EQ(result.claims[1].simulated, Value{std::string{"server/cores"}});
}

FigureResult points(const std::string& series, const std::vector<double>& values, double ci95 = 0) {
  FigureResult result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    PointResult point;
    point.series = series;
    point.x = static_cast<double>(i + 1);
    point.simulated = values[i];
    point.simulated_ci95 = ci95;
    result.points.push_back(point);
  }
  return result;
}

TEST(Claims, CompareSeriesWhereBothHaveAPoint) {
  FigureResult result = points("a", {6, 4, 100});
  const FigureResult other = points("b", {3, 4});
  result.points.insert(result.points.end(), other.points.begin(), other.points.end());
  EXPECT_EQ(check(claim("least_ratio('a', 'b')", "value == 1"), result).simulated, Value{1.0});
  EXPECT_EQ(check(claim("most_ratio('a', 'b')", "value == 2"), result).simulated, Value{2.0});
}

TEST(Claims, APlateauPeaksWhereItBegins) {
  const auto peak_at = [](double ci95) {
    return check(claim("peak_at('a')", "value > 0"), points("a", {5, 9.95, 10, 9.9}, ci95)).simulated;
  };
  EXPECT_EQ(peak_at(0.01), Value{3.0});
  EXPECT_EQ(peak_at(0.06), Value{2.0});
}

TEST(Claims, SayWhatTheyCannotFind) {
  const auto complaint_of = [](const std::string& expression, const std::string& holds_if) {
    Figure made = figure({simulated("a", "3", FromSweep{"/threads"})});
    made.claims = {claim(expression, holds_if)};
    return complaint(made);
  };
  EXPECT_EQ(complaint_of("1 + sim('a', 3)", "true"),
            "figure paper/fig1, claim c: column 5: there is no point 'a' at 3");
  EXPECT_THAT(complaint_of("sim('a')", "value > 0"), HasSubstr("expected 2 arguments, found 1"));
  EXPECT_THAT(complaint_of("batch('a', 1, 'nobody')", "value > 0"), HasSubstr("the run knows no 'nobody'"));
  EXPECT_THAT(complaint_of("measured('a', 1)", "value > 0"), HasSubstr("this point has no measured value"));
  EXPECT_THAT(complaint_of("at('a', 5)", "value > 0"), HasSubstr("the curve 'a' does not reach 5"));
  EXPECT_THAT(complaint_of("reach('b')", "value > 0"), HasSubstr("there is no curve 'b'"));
  EXPECT_THAT(complaint_of("least_ratio('a', 'b')", "value > 0"), HasSubstr("the two series share no x"));
  EXPECT_THAT(complaint_of("speed('a', 1)", "value > 0"), HasSubstr("unknown function 'speed'"));
  EXPECT_THAT(complaint_of("sim('a', 1)", "value"), HasSubstr("holds_if must give a truth value"));
  EXPECT_THAT(complaint_of("value", "value"), HasSubstr("unknown name 'value'"));
}

}  // namespace
}  // namespace doorbell::figures
