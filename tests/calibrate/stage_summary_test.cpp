#include "calibrate/stage_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace doorbell::calibrate {
namespace {

/// A point measured as 100.
Residual point(const std::string& stage, double x, double predicted, double deviation) {
  return {stage, "paper/fig1", "rate", x, 100, predicted, deviation};
}

Found parameter(const std::string& stage, Basis basis = Basis::points) {
  Found found;
  found.stage = stage;
  found.basis = basis;
  return found;
}

TEST(StageSummary, NamesTheWorstPointOfEachStage) {
  Fit fit;
  fit.residuals = {point("one", 1, 101, 0.5), point("one", 2, 96, -1), point("one", 4, 102, 1),
                   point("two", 1, 100, 0)};
  const auto stages = summarise(fit);
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].stage, "one");
  EXPECT_EQ(stages[0].points, 3U);
  EXPECT_NEAR(stages[0].median_error.value(), 0.02, 1e-12);
  EXPECT_NEAR(error_of(stages[0].worst).value(), -0.04, 1e-12);
  EXPECT_EQ(stages[0].worst.x, figures::Position{2.0});
  EXPECT_EQ(stages[1].points, 1U);
  EXPECT_TRUE(stages[1].fits);
}

TEST(StageSummary, WhereNothingWasMeasuredNoErrorIsCounted) {
  Fit fit;
  fit.residuals = {point("one", 1, 104, 1), point("one", 2, 17, 1), point("two", 1, 17, 1)};
  fit.residuals[1].measured = fit.residuals[2].measured = 0;
  const auto stages = summarise(fit);
  EXPECT_EQ(error_of(fit.residuals[1]), std::nullopt);
  EXPECT_EQ(stages[0].points, 2U);
  EXPECT_NEAR(stages[0].median_error.value(), 0.04, 1e-12);
  EXPECT_EQ(stages[1].median_error, std::nullopt);
}

TEST(StageSummary, ComparesDeviationsWithUncertainties) {
  Fit fit;
  fit.parameters = {parameter("one")};
  fit.residuals = {point("one", 1, 100, 1), point("one", 2, 100, -1), point("one", 4, 100, 1)};
  // Three squares over the two points that one parameter leaves.
  EXPECT_NEAR(summarise(fit)[0].chi, std::sqrt(1.5), 1e-12);
  EXPECT_TRUE(summarise(fit)[0].fits);
  for (Residual& residual : fit.residuals) residual.deviation *= 2;
  EXPECT_FALSE(summarise(fit)[0].fits);
}

TEST(StageSummary, OnlyParametersThatPointsDetermineTakeAPoint) {
  Fit fit;
  fit.parameters = {parameter("one"), parameter("one", Basis::nothing), parameter("one", Basis::plan),
                    parameter("two")};
  fit.residuals = {point("one", 1, 100, 1), point("one", 2, 100, -1), point("two", 1, 100, 3)};
  EXPECT_NEAR(summarise(fit)[0].chi, std::sqrt(2), 1e-12);
  // As many parameters as points should leave nothing over: what is left all the same counts as it is.
  EXPECT_NEAR(summarise(fit)[1].chi, 3, 1e-12);
  EXPECT_FALSE(summarise(fit)[1].fits);
}

TEST(StageSummary, PointsWithoutInfluenceAreCountedButDoNotJudge) {
  Fit fit;
  fit.parameters = {parameter("one")};
  fit.residuals = {point("one", 1, 100, 1), point("one", 2, 100, -1), point("one", 4, 200, 140)};
  fit.residuals[2].say = Say::independent;
  const StageSummary summary = summarise(fit)[0];
  EXPECT_EQ(summary.points, 3U);
  EXPECT_DOUBLE_EQ(error_of(summary.worst).value(), 1);
  EXPECT_NEAR(summary.chi, std::sqrt(2), 1e-12);
  EXPECT_TRUE(summary.fits && summary.scatter_is_known);
  // What is outvoted contradicts: that does not fit.
  fit.residuals[2].say = Say::outvoted;
  EXPECT_FALSE(summarise(fit)[0].fits);
  EXPECT_EQ(summarise(fit)[0].outvoted, 1U);
  fit.parameters[0].is_listed = true;
  EXPECT_FALSE(summarise(fit)[0].scatter_is_known);
}

}  // namespace
}  // namespace doorbell::calibrate
