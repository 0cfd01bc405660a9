#include "figures/claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "figures/evaluate.hpp"
#include "figures/fake_engine.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

Claim claim_of(const std::string& expression, const std::string& holds_if, Value stated = 0.0) {
  return {"c", "A claim.", std::move(stated), Expression::parse(expression), Expression::parse(holds_if)};
}

/// Two simulated curves, "a" and "b", and a formula.
FigureResult two_curves() {
  Figure made;
  made.id = "paper/fig1";
  for (const auto& [name, scenario] : {std::pair{"a", "3"}, {"b", "5"}}) {
    made.series.push_back({name, name, Simulation{scenario, {}, {}, {}, FromSweep{"/threads"}}, {}});
  }
  made.series.push_back({"reads", "", ClosedForm{"dma_read_bytes", "cib.json", {64.0}, std::nullopt, 1}, {}});
  return Evaluator{fake_engine(), 1, std::nullopt}.evaluate(made);
}

FigureResult curve(const std::string& series, const std::vector<double>& values, double ci95 = 0) {
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

TEST(Claim, SpeaksOfPointsAndWhatLimitsThem) {
  const FigureResult figure = two_curves();
  for (const Claim& claim :
       {claim_of("sim('b', 2) / sim('a', 2)", "abs(value / stated - 1) < 0.01", 5.0 / 3),
        claim_of("bottleneck('a', 1)", "value == stated && contains(value, 'cores')", std::string{"server/cores"}),
        claim_of("next_bottleneck('a', 1)", "value == 'server/nic'"),
        claim_of("limit('a', 1)", "value == stated", std::string{model::name_of(model::Limit::cpu)}),
        claim_of("batch('a', 2, 'worker') + util('a', 2, 'server/cores')", "abs(value - 3.9) < 1e-9"),
        claim_of("counter('a', 4, 'server/PCIeRdCur')", "value == 12"), claim_of("latency('a', 4)", "value == 4"),
        claim_of("peak('a') / peak_at('a')", "value == 3"), claim_of("at('a', 3) - at('a', 1)", "value == 6"),
        claim_of("reach('a')", "value == 4"), claim_of("analytic('a', 1) - ci('a', 1)", "value == 9.75")}) {
    const ClaimResult result = check(claim, figure);
    EXPECT_TRUE(result.holds) << to_string(result.simulated);
  }
  EXPECT_FALSE(check(claim_of("sim('a', 1) > sim('b', 1)", "value"), figure).holds);
}

TEST(Claim, ResultSaysWhatIsStatedAndWhatIsSimulated) {
  const ClaimResult result =
      check(claim_of("bottleneck('a', 1)", "value != stated", std::string{"server/nic"}), two_curves());
  EXPECT_EQ(result.id, "c");
  EXPECT_EQ(result.text, "A claim.");
  EXPECT_EQ(result.stated, Value{std::string{"server/nic"}});
  EXPECT_EQ(result.simulated, Value{std::string{"server/cores"}});
  EXPECT_TRUE(result.holds);
}

TEST(Claim, SpeaksOfMeasurementsAndLevels) {
  FigureResult figure = two_curves();
  PointResult& point = figure.points.front();
  point.measured = 2.5;
  Outcome outcome = *point.outcome;
  outcome.run.levels = {{"in flight", 12.5}};
  point.outcome = std::make_shared<const Outcome>(outcome);
  EXPECT_EQ(check(claim_of("measured('a', 1)", "value > 0"), figure).simulated, Value{2.5});
  EXPECT_DOUBLE_EQ(std::get<double>(check(claim_of("error('a', 1)", "value > 0"), figure).simulated), 0.2);
  EXPECT_EQ(check(claim_of("level('a', 1, 'in flight')", "value > 0"), figure).simulated, Value{12.5});
}

TEST(Claim, ComparesSeriesWhereBothHaveAPoint) {
  FigureResult result = curve("a", {6, 4, 100});
  const FigureResult other = curve("b", {3, 4});
  result.points.insert(result.points.end(), other.points.begin(), other.points.end());
  EXPECT_EQ(check(claim_of("least_ratio('a', 'b')", "value == 1"), result).simulated, Value{1.0});
  EXPECT_EQ(check(claim_of("most_ratio('a', 'b')", "value == 2"), result).simulated, Value{2.0});
}

TEST(Claim, APlateauPeaksWhereItBegins) {
  const auto peak_at = [](double ci95) {
    return check(claim_of("peak_at('a')", "value > 0"), curve("a", {5, 9.95, 10, 9.9}, ci95)).simulated;
  };
  EXPECT_EQ(peak_at(0.01), Value{3.0});
  EXPECT_EQ(peak_at(0.06), Value{2.0});
}

TEST(Claim, ACurveIsReadWhereItFirstReachesX) {
  FigureResult back_and_forth = curve("a", {10, 20, 30});
  back_and_forth.points[2].x = 1.0;
  EXPECT_EQ(check(claim_of("at('a', 1.5)", "value > 0"), back_and_forth).simulated, Value{15.0});
  EXPECT_EQ(check(claim_of("reach('a')", "value > 0"), back_and_forth).simulated, Value{2.0});
}

TEST(Claim, ALatencyThatNobodyMeasuredIsNoLatencyOfZero) {
  FigureResult figure = two_curves();
  Outcome outcome = *figure.points.front().outcome;
  outcome.run.latency = {};
  figure.points.front().outcome = std::make_shared<const Outcome>(outcome);
  try {
    static_cast<void>(check(claim_of("latency('a', 1)", "value < 1"), figure));
    FAIL() << "taken";
  } catch (const DefinitionError& error) {
    EXPECT_STREQ(error.what(),
                 "figure paper/fig1, claim c: column 1: 'a' at 1: the run has no latencies; an `await` "
                 "step would measure them");
  }
}

TEST(Claim, NamesPointsAndSeriesThatAreWrittenOut) {
  const Expression expression = Expression::parse("sim('a', 2) + util('b', 'all', 'x') / sim('c', reach('d'))");
  const std::vector<NamedPoint> points = points_named_in(expression);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].series, "a");
  EXPECT_EQ(points[0].x, Position{2.0});
  EXPECT_EQ(points[1].x, Position{std::string{"all"}});
  EXPECT_EQ(points[1].column, 15U);
  EXPECT_EQ(series_named_in(expression), (std::set<std::string>{"a", "b", "c", "d"}));
}

TEST(Claim, SaysWhatItCannotFind) {
  const FigureResult figure = two_curves();
  const auto complaint_of = [&](const std::string& expression, const std::string& holds_if) {
    try {
      static_cast<void>(check(claim_of(expression, holds_if), figure));
    } catch (const DefinitionError& error) {
      return std::string{error.what()};
    }
    return std::string{"no error"};
  };
  EXPECT_EQ(complaint_of("1 + sim('a', 3)", "value > 0"),
            "figure paper/fig1, claim c: column 5: there is no point 'a' at 3");
  EXPECT_THAT(complaint_of("sim('a')", "value > 0"), HasSubstr("expected 2 arguments, found 1"));
  EXPECT_THAT(complaint_of("sim(1, 'a')", "value > 0"), HasSubstr("argument 1 must be a text"));
  EXPECT_THAT(complaint_of("batch('a', 1, 'nobody')", "value > 0"), HasSubstr("the run knows no 'nobody'"));
  EXPECT_THAT(complaint_of("util('a', 1, 'server/coers')", "value > 0"),
              HasSubstr("the run knows no 'server/coers'; nearest: 'server/cores'"));
  EXPECT_THAT(complaint_of("latency('reads', 64)", "value > 0"), HasSubstr("'reads' is a closed form, not a run"));
  EXPECT_THAT(complaint_of("measured('a', 1)", "value > 0"), HasSubstr("this point has no measured value"));
  EXPECT_THAT(complaint_of("peak('c')", "value > 0"), HasSubstr("there is no series 'c'"));
  EXPECT_THAT(complaint_of("at('a', 5)", "value > 0"), HasSubstr("the curve 'a' does not reach 5"));
  EXPECT_THAT(complaint_of("at('a', 'x')", "value > 0"), HasSubstr("argument 2 must be a number"));
  EXPECT_THAT(complaint_of("reach('c')", "value > 0"), HasSubstr("there is no curve 'c'"));
  EXPECT_THAT(complaint_of("least_ratio('a', 'c')", "value > 0"), HasSubstr("the two series share no x"));
  EXPECT_THAT(complaint_of("speed('a', 1)", "value > 0"), HasSubstr("unknown function 'speed'"));
  EXPECT_THAT(complaint_of("sim('a', 1)", "value"), HasSubstr("holds_if must give a truth value"));
  EXPECT_THAT(complaint_of("sim('a', 1)", "simulated > 0"),
              HasSubstr("unknown name 'simulated', expected value or stated"));
  EXPECT_THAT(complaint_of("value", "value"), HasSubstr("unknown name 'value'"));
}

}  // namespace
}  // namespace doorbell::figures
