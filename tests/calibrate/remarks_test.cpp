#include "calibrate/remarks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace doorbell::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Fit of_one_stage(const std::vector<std::string>& pointers) {
  Fit fit;
  for (const std::string& pointer : pointers) {
    Found found;
    found.stage = "port";
    found.pointer = pointer;
    fit.parameters.push_back(found);
  }
  return fit;
}

Residual point_with(double x, double predicted, double deviation, Say say = Say::decides) {
  Residual residual;
  residual.stage = "port";
  residual.series = "WRITE";
  residual.x = x;
  residual.measured = 100;
  residual.predicted = predicted;
  residual.deviation = deviation;
  residual.say = say;
  return residual;
}

TEST(Remarks, AreNoneOnAFitThatFits) {
  Fit fit = of_one_stage({"/port/bandwidth"});
  fit.residuals = {point_with(8, 101, 1), point_with(16, 99, -1)};
  EXPECT_THAT(remarks(fit), IsEmpty());
}

TEST(Remarks, NameTheParametersThatTradeOff) {
  Fit fit = of_one_stage({"/nic/a", "/nic/b", "/nic/c", "/nic/d", "/nic/e", "/nic/f", "/nic/g"});
  fit.parameters[0].open = Open::combination;
  fit.parameters[0].with = {"/nic/b", "/nic/c"};
  fit.parameters[1].open = Open::no_influence;
  fit.parameters[2].with = {"/nic/a"};
  fit.parameters[3].open = Open::range;
  fit.parameters[4].open = Open::resolution;
  fit.parameters[5].open = Open::resolution;
  fit.parameters[5].with = {"/nic/a"};
  fit.parameters[6].open = Open::scatter;
  EXPECT_THAT(
      remarks(fit),
      ElementsAre("/nic/a is not determined: its points tell only a combination of it and /nic/b and /nic/c.",
                  "/nic/b is not determined: none of its points depends on it, near this value.",
                  "/nic/c is hardly told apart from /nic/a: its points allow more of the one for less of the "
                  "other.",
                  "/nic/d is not determined: other values, and not only near ones, suit its points as well.",
                  "/nic/e is not determined: what its points tell of it is no more than the steps of percentiles.",
                  "/nic/f is not determined: what its points tell of it beside /nic/a is no more than the steps of "
                  "percentiles.",
                  "/nic/g is not determined: its points differ from the fit by too much."));
}

TEST(Remarks, NamePointsThatHadNoSay) {
  Fit fit = of_one_stage({"/port/bandwidth"});
  fit.residuals = {point_with(2, 150, 100, Say::independent), point_with(4, 90, -20, Say::independent),
                   point_with(8, 100, 0)};
  fit.residuals[0].limit = fit.residuals[1].limit = "cores of client";
  EXPECT_THAT(
      remarks(fit),
      ElementsAre("2 of the 3 points of \"port\" hardly depend on /port/bandwidth and did not decide: 'WRITE' at "
                  "2 and 4 (limit: cores of client; error -10.0 % to +50.0 %)."));
}

TEST(Remarks, SayWhoPullsWhere) {
  Fit fit = of_one_stage({"/port/bandwidth"});
  fit.residuals = {point_with(2, 110, 20), point_with(4, 90, -20), point_with(8, 90, -20, Say::outvoted),
                   point_with(16, 50, -50)};
  for (const auto& [place, pull] : {std::pair{0U, 0.9}, std::pair{1U, 1.1}, std::pair{2U, 2.0}}) {
    fit.residuals[place].wanted = "some GB/s";
    fit.residuals[place].pull = pull;
  }
  const std::vector<std::string> texts = remarks(fit);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_THAT(texts[0],
              testing::StartsWith("Warning: the points of \"port\" do not fit within their uncertainties (chi "
                                  "35.1; 2 at most where they do): the intervals of its parameters are those "
                                  "of the points that agree."));
  EXPECT_THAT(texts[0],
              HasSubstr("They contradict each other about /port/bandwidth: 2 points pull it up: 'WRITE' at 8 "
                        "wants some GB/s (+100.0 %, left out); 'WRITE' at 4 wants some GB/s (+10.0 %). 1 point "
                        "pulls it down: 'WRITE' at 2 wants some GB/s (-10.0 %). No value suits 'WRITE' at "
                        "16."));
}

}  // namespace
}  // namespace doorbell::calibrate
