#include "calibrate/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "calibrate/measurements.hpp"

namespace doorbell::calibrate {
namespace {

class EachMethod : public testing::TestWithParam<const char*> {};

TEST_P(EachMethod, RecoversTheParametersBehindTheMeasurements) {
  const Fit found = Measurements{GetParam(), both}.fit();
  ASSERT_EQ(found.parameters.size(), 2U);
  EXPECT_NEAR(found.parameters[0].found, true_tx, 0.01 * true_tx);
  EXPECT_NEAR(found.parameters[1].found, true_pu, 0.01 * true_pu);
  for (const Residual& residual : found.residuals) EXPECT_NEAR(residual.predicted / residual.measured, 1, 2e-3);
}

TEST_P(EachMethod, ComparesWithTheProfile) {
  const Fit found = Measurements{GetParam(), both}.fit();
  // The shipped profile says 6.37 and 87-odd ns; the points leave room for the first and none for the second.
  EXPECT_FALSE(found.parameters[1].agrees);
  EXPECT_GT(found.parameters[0].half_width, 0);
  EXPECT_LT(found.parameters[1].half_width, 0.1 * true_pu);
}

INSTANTIATE_TEST_SUITE_P(Fit, EachMethod, testing::Values("closed_form", "simulation"),
                         [](const auto& given) { return std::string{given.param}; });

TEST(Fit, TriesTheGivenValues) {
  const Fit found = Measurements{"simulation", R"({"path": "/nic/tx_message", "values": ["1 ns", "7 ns", "9 ns"]},
                                                  {"path": "/nic/pu_wqe", "values": ["40 ns", "50 ns", "60 ns"]})"}
                        .fit();
  EXPECT_DOUBLE_EQ(found.parameters[0].found, true_tx);
  EXPECT_DOUBLE_EQ(found.parameters[1].found, true_pu);
  EXPECT_NEAR(found.parameters[0].half_width, 2e-9, 1e-15);
}

TEST(Fit, IsTheSameForAnyNumberOfJobs) {
  const Measurements measurements{"simulation", both};
  const Fit one = measurements.fit(1);
  const Fit three = measurements.fit(3);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(one.parameters[i].value, three.parameters[i].value);
}

TEST(Fit, SimulatesNothingTwiceInAStage) {
  std::map<std::tuple<double, double, int>, int> runs;
  figures::Engine counting = two_parameter_engine();
  counting.run = [&runs, run = counting.run](const model::Scenario& scenario) {
    const Machine machine{scenario.machines.front().second.hardware};
    const int threads = scenario.programs.front().second.threads;
    // Once more at the end, with what later stages found.
    EXPECT_LE((++runs[{*get(machine, "/nic/tx_message"), *get(machine, "/nic/pu_wqe"), threads}]), 2);
    return run(scenario);
  };
  static_cast<void>(Measurements{"simulation", both}.fit(1, counting));
  EXPECT_GT(runs.size(), 100U);
}

/// A parameter of which the points tell nothing, whatever the profile says of it.
void expect_open(const Found& parameter) {
  EXPECT_EQ(parameter.basis, Basis::nothing) << parameter.pointer;
  EXPECT_TRUE(std::isinf(parameter.half_width)) << parameter.pointer;
  EXPECT_FALSE(parameter.agrees) << parameter.pointer;
}

TEST_P(EachMethod, AParameterThatNoPointDependsOnDoesNotAgree) {
  const Fit found =
      Measurements{GetParam(),
                   both + R"(, {"path": "/nic/rx_message", "start": "4.84 ns", "min": "1 ns", "max": "1 us"})"}
          .fit();
  expect_open(found.parameters[2]);
  EXPECT_EQ(found.parameters[0].basis, Basis::points);
  EXPECT_TRUE(std::isfinite(found.parameters[1].half_width));
}

TEST_P(EachMethod, ParametersThatOnlyTheirSumIsKnownOfDoNotAgree) {
  const Fit found = Measurements{Measurements::stage(GetParam(), both, "2")}.fit();
  for (const Found& parameter : found.parameters) expect_open(parameter);
}

TEST_P(EachMethod, ARangeInsideTheIntervalDoesNotMakeAParameterAgree) {
  const Fit found =
      Measurements{GetParam(), R"({"path": "/nic/pu_wqe", "start": "50 ns", "min": "49.9 ns", "max": "50.1 ns"})"}
          .fit();
  expect_open(found.parameters[0]);
}

TEST(Fit, GivenValuesThatAreAllAsGoodDoNotAgree) {
  const Fit found = Measurements{"simulation", R"({"path": "/nic/rx_message", "values": ["4.84 ns", "5 ns", "50 ns"]},
                                    {"path": "/nic/pu_wqe", "values": ["40 ns", "50 ns", "60 ns"]})"}
                        .fit();
  expect_open(found.parameters[0]);
  EXPECT_EQ(found.parameters[1].basis, Basis::points);
}

TEST(Fit, OfValuesThatAreAsGoodTheOneNearestToTheFirstCounts) {
  // Up to 40 ns something else limits, nearer to the point than 400 ns.
  figures::Engine engine = two_parameter_engine();
  engine.run = [](const model::Scenario& scenario) {
    const Machine hardware{scenario.machines.front().second.hardware};
    model::RunResult run;
    run.throughput = {std::min(1 / *get(hardware, "/nic/pu_wqe"), 1 / 40e-9)};
    return run;
  };
  const auto with = [&](const std::string& values) {
    const std::string unknown = R"({"path": "/nic/pu_wqe", "values": [)" + values + "]}";
    return Measurements{Measurements::stage("simulation", unknown, "1")}.fit(1, engine).parameters[0];
  };
  const Found one = with(R"("400 ns", "10 ns", "20 ns", "30 ns")");
  const Found other = with(R"("400 ns", "30 ns", "10 ns", "20 ns")");
  EXPECT_DOUBLE_EQ(one.found, 30e-9);
  EXPECT_EQ(one.found, other.found);
  EXPECT_EQ(one.half_width, other.half_width);
  EXPECT_EQ(one.agrees, other.agrees);
  EXPECT_NEAR(one.half_width, 20e-9, 1e-15) << "10 ns is as good";
}

TEST(Fit, OfValuesThatAreAsGoodAndAsNearToTheFirstTheSmallerOneCounts) {
  figures::Engine engine = two_parameter_engine();
  engine.run = [](const model::Scenario& scenario) {
    const Machine hardware{scenario.machines.front().second.hardware};
    model::RunResult run;
    // Slower in the middle than on either side.
    const bool in_the_middle = std::abs(*get(hardware, "/nic/pu_wqe") - 60e-9) < 5e-9;
    run.throughput = {in_the_middle ? 1 / 100e-9 : 1 / 90e-9};
    return run;
  };
  for (const char* values : {R"("60 ns", "50 ns", "70 ns")", R"("60 ns", "70 ns", "50 ns")"}) {
    const std::string unknown = R"({"path": "/nic/pu_wqe", "values": [)" + std::string{values} + "]}";
    EXPECT_DOUBLE_EQ(Measurements{Measurements::stage("simulation", unknown, "1")}.fit(1, engine).parameters[0].found,
                     50e-9);
  }
}

TEST(Fit, ASingleGivenValueIsComparedWithoutAnInterval) {
  const auto pinned = [](const std::string& values) {
    return Measurements{"simulation", R"({"path": "/nic/tx_message", "values": [)" + values + "]}"}.fit().parameters[0];
  };
  const Found far = pinned(R"("60 ns")");
  EXPECT_EQ(far.basis, Basis::plan);
  EXPECT_EQ(far.half_width, 0);
  EXPECT_FALSE(far.agrees);
  EXPECT_FALSE(pinned(R"("60 ns", "60 ns")").agrees);
  EXPECT_TRUE(pinned(R"("6.37 ns")").agrees);
}

TEST_P(EachMethod, PredictionsWithoutBoundLeaveValuesInTheirRange) {
  figures::Engine engine = two_parameter_engine();
  const double infinite = std::numeric_limits<double>::infinity();
  engine.bound = [=](const model::Scenario&) { return Rate{infinite}; };
  engine.run = [=](const model::Scenario&) {
    model::RunResult run;
    run.throughput = {infinite};
    return run;
  };
  for (const Found& parameter : Measurements{GetParam(), both}.fit(1, engine).parameters) {
    EXPECT_GE(parameter.found, 1e-9);
    EXPECT_LE(parameter.found, 1e-6);
    expect_open(parameter);
  }
}

TEST(Fit, KeepsWhatAScenarioChangesOfTheProfile) {
  const figures::Engine engine =
      engine_with([](model::HardwareProfile& hardware) { hardware.nic.tx_message = from_seconds(true_tx); });
  const Fit found =
      Measurements{"simulation", R"({"path": "/nic/pu_wqe", "start": "20 ns", "min": "1 ns", "max": "1 us"})"}.fit(
          1, engine);
  EXPECT_NEAR(found.parameters[0].found, true_pu, 1e-3 * true_pu);
}

TEST(Fit, SaysThatASearchEndedAtAnEndOfItsRange) {
  const auto at_end = [](const std::string& range) {
    const Fit found = Measurements{"simulation", R"({"path": "/nic/tx_message", "values": ["7 ns"]},)"
                                                 R"({"path": "/nic/pu_wqe", "values": ["50 ns"]})"}
                          .fit();
    EXPECT_FALSE(found.parameters[0].at_end);
    return Measurements{"simulation",
                        R"({"path": "/nic/pu_wqe", "start": "20 ns", "min": "1 ns", "max": ")" + range + R"("})"}
        .fit()
        .parameters[0]
        .at_end;
  };
  EXPECT_TRUE(at_end("30 ns"));
  EXPECT_FALSE(at_end("1 us"));
}

TEST(Fit, FindsAValueThatLiesBesideAPlateau) {
  const double measured = rate(true_tx, true_pu, 1);
  figures::Engine engine = two_parameter_engine();
  engine.run = [=](const model::Scenario& scenario) {
    const Machine hardware{scenario.machines.front().second.hardware};
    model::RunResult run;
    run.throughput = {std::min(1 / *get(hardware, "/nic/pu_wqe"), 1.02 * measured)};  // something else allows 2 % more
    return run;
  };
  const std::string range = R"({"path": "/nic/pu_wqe", "start": "400 ns", "min": "0.87 ns", "max": "870 ns"})";
  const Fit found = Measurements{Measurements::stage("simulation", range, "1")}.fit(1, engine);
  EXPECT_NEAR(found.parameters[0].found, 1 / measured, 0.001 / measured);
  EXPECT_EQ(found.parameters[0].basis, Basis::points);
}

TEST(Fit, TwoStartsThatEndOnAPlateauDoNotConfirmEachOther) {
  figures::Engine engine = two_parameter_engine();
  engine.run = [run = engine.run](const model::Scenario& scenario) {
    const Machine hardware{scenario.machines.front().second.hardware};
    model::RunResult result = run(scenario);
    // Where messages are quick, something else allows 10 % more than was measured.
    if (*get(hardware, "/nic/tx_message") < 0.8 * true_tx) {
      result.throughput = {1.1 * rate(true_tx, true_pu, scenario.programs.front().second.threads)};
    }
    return result;
  };
  const Fit found =
      Measurements{"simulation", R"({"path": "/nic/tx_message", "start": "4 ns", "min": "1 ns", "max": "1 us"},
                                                  {"path": "/nic/pu_wqe", "start": "30 ns", "min": "1 ns", "max": "1 us"})"}
          .fit(1, engine);
  EXPECT_NEAR(found.parameters[0].found, true_tx, 0.01 * true_tx);
  EXPECT_NEAR(found.parameters[1].found, true_pu, 0.01 * true_pu);
}

TEST(Fit, ComparesEveryPointWithWhatAllStagesFoundTogether) {
  const auto alone = [](const std::string& parameter, const std::string& x) {
    return Measurements::stage(
        "closed_form", R"({"path": "/nic/)" + parameter + R"(", "start": "20 ns", "min": "1 ns", "max": "1 us"})", x);
  };
  const Fit found = Measurements{alone("tx_message", "1") + ", " + alone("pu_wqe", "4")}.fit();
  ASSERT_EQ(found.residuals.size(), 2U);
  for (const Residual& residual : found.residuals) {
    const int threads = static_cast<int>(std::get<double>(residual.x));
    EXPECT_NEAR(residual.predicted, rate(found.parameters[0].found, found.parameters[1].found, threads) / 1e6, 1e-9);
    const double uncertainty = std::max(0.05, 0.005 * residual.measured);
    EXPECT_NEAR(residual.deviation, std::log(residual.predicted / residual.measured) * residual.measured / uncertainty,
                1e-9);
  }
}

}  // namespace
}  // namespace doorbell::calibrate
