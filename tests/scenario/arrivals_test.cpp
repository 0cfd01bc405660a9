// Post steps that post what arrives.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string asking = R"("to": "worker", "window": 32}},)";
const std::string work_arriving = R"("to": "worker", "arrivals": {"rate": "100 k/s"}}},)";
const std::string arrivals_place = "/programs/client/loop/0/post/arrivals";

class ArrivalScenario : public Variants {
 protected:
  std::string text_ =
      replaced(replaced(good_scenario, asking, work_arriving), R"({"await": {"at_least": 0}})", R"({"await": {}})");
};

TEST_F(ArrivalScenario, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  const auto& [name, client] = scenario.programs.back();
  const model::PostStep* open = model::open_loop(client);
  ASSERT_NE(open, nullptr) << name;
  EXPECT_DOUBLE_EQ(open->arrivals->rate.per_second, 1e5);
  EXPECT_EQ(open->arrivals->process, model::ArrivalProcess::poisson);
}

TEST_F(ArrivalScenario, RateHasAUnitAndIsPositive) {
  expect_complaint(replaced(text_, R"("100 k/s")", "100"), missing_unit, arrivals_place + "/rate");
  expect_complaint(replaced(text_, "100 k/s", "0 k/s"), out_of_range, arrivals_place + "/rate");
}

TEST_F(ArrivalScenario, NothingElseHoldsItUp) {
  expect_complaint(replaced(text_, R"({"await": {}})", R"({"compute": {"per_pass": "1 ns"}})"), arrivals_misplaced,
                   arrivals_place);
  expect_complaint(replaced(text_, R"({"await": {}})", R"({"await": {"at_least": 0}})"), arrivals_misplaced,
                   arrivals_place);
  const std::string another = R"({"post": {"verb": "WRITE", "queue_pairs": "requests", "to": "worker"}}, {"await")";
  expect_complaint(replaced(text_, R"({"await")", another), arrivals_misplaced, arrivals_place);
}

TEST_F(ArrivalScenario, AnswersDoNotArrive) {
  expect_complaint(replaced(good_scenario, R"("destination": "origin")",
                            R"("destination": "origin", "arrivals": {"rate": "1 k/s"})"),
                   arrivals_misplaced, worker + "/loop/2/post/arrivals");
}

}  // namespace
}  // namespace doorbell::scenario::testing
