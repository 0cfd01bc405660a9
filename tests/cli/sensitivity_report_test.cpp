#include "cli/sensitivity_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "narrow.hpp"
#include "sample_report.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

Sensitivity::Outcome times(double factor, const std::string& limit = "server/pcie downstream") {
  model::RunResult result = sample_result();
  result.throughput.per_second *= factor;
  result.latency.p99 = Time{std::llround(static_cast<double>(result.latency.p99.count()) / factor)};
  result.bottleneck.resource = limit;
  return {result, {}};
}

using Outcome = Sensitivity::Outcome;

Sensitivity::Effect effect(const std::string& name, std::optional<Outcome> low, std::optional<Outcome> high) {
  const scenario::Parameter parameter{"/machines/server/hardware/" + name, "8 ns", "What " + name + " is", "assumed",
                                      "a guess"};
  return {{{parameter.pointer}, parameter, "4 ns", "16 ns"}, std::move(low), std::move(high)};
}

/// 62.5 M/s with intervals of 0.4 %: one parameter halves it, one gains a tenth, and one moves it by chance.
Sensitivity sample() {
  Sensitivity all;
  all.title = "Sequencer";
  all.provenances = {"assumed"};
  all.baseline.run = sample_result();
  all.effects = {effect("nic/small", times(0.9), times(1.1)), effect("nic/chance", times(1.005), times(0.995)),
                 effect("cpu/large", times(1), times(0.5, "server/cores"))};
  return all;
}

TEST(SensitivityReport, TellsTheLargestEffectsFirst) {
  const std::string text = sensitivity_text(sample());
  EXPECT_THAT(text, HasSubstr("Throughput   62.50 M/s +/- 250.0 k/s, limited by server/pcie downstream"));
  EXPECT_THAT(text, HasSubstr("Varied       3 parameters (assumed), each divided and multiplied by 2"));
  EXPECT_THAT(text, HasSubstr("cpu/large   8 ns    +0.0 %   -50.0 %  more: server/cores"));
  EXPECT_THAT(text, HasSubstr("nic/small   8 ns   -10.0 %   +10.0 %"));
  EXPECT_LT(text.find("cpu/large"), text.find("nic/small"));
  EXPECT_THAT(text, HasSubstr("and 1 that do not move it"));
  EXPECT_THAT(text, HasSubstr("Most depends on /machines/server/hardware/cpu/large: What cpu/large is"));
  expect_narrow(text);
}

TEST(SensitivityReport, DoesNotCountWhatWasNotTriedAsWithoutEffect) {
  Sensitivity all = sample();
  all.effects.push_back(effect("cpu/refused", std::nullopt, std::nullopt));
  const std::string text = sensitivity_text(all);
  EXPECT_THAT(text, HasSubstr("and 1 that do not move it"));
  EXPECT_THAT(text, HasSubstr("and 1 of which the scenario takes no other value"));
  expect_narrow(text);
}

TEST(SensitivityReport, TellsWhatACountIsRoundedTo) {
  Sensitivity all = sample();
  Sensitivity::Effect& count = all.effects.emplace_back(effect("nic/units", times(0.7), times(1.3)));
  count.doubt.parameter.value = "3";
  count.doubt.low = "2";
  count.doubt.high = "6";
  const std::string text = sensitivity_text(all);
  EXPECT_THAT(text, HasSubstr("nic/units      3  (2) -30.0 %   +30.0 %"));
  expect_narrow(text);
}

TEST(SensitivityReport, AChangeWithinTheIntervalsIsChance) {
  Sensitivity all = sample();
  all.effects = {effect("nic/noisy", times(0.95), std::nullopt)};
  EXPECT_THAT(sensitivity_text(all), HasSubstr("nic/noisy"));
  all.baseline.run.throughput_ci95.per_second *= 15;
  const std::string text = sensitivity_text(all);
  EXPECT_THAT(text, Not(HasSubstr("nic/noisy")));
  EXPECT_THAT(text, HasSubstr("None of them moves it"));
}

TEST(SensitivityReport, TellsHowFarOneDoubtAndAllTogetherMoveIt) {
  const std::string text = sensitivity_text(sample());
  EXPECT_THAT(text, HasSubstr("If one of them is off: 31.25 M/s to 68.75 M/s (-50.0 to +10.0 %)."));
  const auto document = nlohmann::json::parse(sensitivity_json(sample()));
  EXPECT_DOUBLE_EQ(document.at("lowest").get<double>(), 31.25e6);
  EXPECT_DOUBLE_EQ(document.at("highest").get<double>(), 68.75e6);
  const double down = std::sqrt(std::pow(std::log(0.5), 2) + std::pow(std::log(0.9), 2));
  EXPECT_NEAR(document.at("together").at("low").get<double>(), 62.5e6 * std::exp(-down), 1);
  EXPECT_NEAR(document.at("together").at("high").get<double>(), 68.75e6, 1);
}

TEST(SensitivityReport, CountsWhatLimits) {
  EXPECT_THAT(sensitivity_text(sample()),
              HasSubstr("In 5 of 6 runs server/pcie downstream limits; server/cores in 1."));
  Sensitivity all = sample();
  all.effects.pop_back();
  EXPECT_THAT(sensitivity_text(all), HasSubstr("In all 4 runs server/pcie downstream limits."));
}

TEST(SensitivityReport, ComparesLatencyToo) {
  Sensitivity all = sample();
  all.metric = Metric::p99;
  const std::string text = sensitivity_text(all);
  EXPECT_THAT(text, HasSubstr("p99 latency  5.000 us, limited by"));
  EXPECT_THAT(text, HasSubstr("+100.0 %"));
  expect_narrow(text);
}

TEST(SensitivityReport, ALatencyHasTheIntervalOfOtherSeeds) {
  Sensitivity all = sample();
  all.metric = Metric::p99;
  all.effects = {effect("nic/noisy", times(1 / 1.04), times(0.5))};
  EXPECT_THAT(sensitivity_text(all), HasSubstr("+100.0 %"));
  EXPECT_FALSE(nlohmann::json::parse(sensitivity_json(all)).at("parameters").at(0).at("low").at("chance").get<bool>());
  // A standard deviation of 1 %, so that a run is sure to 2.8 % and the difference of two to 5.6 %.
  const double step = 0.01 * std::sqrt(0.4);
  for (const double factor : {1 - 2 * step, 1 - step, 1 + step, 1 + 2 * step}) all.again.push_back(times(1 / factor));
  EXPECT_THAT(sensitivity_text(all), HasSubstr("p99 latency  5.000 us +/- 138.8 ns, limited by"));
  const auto document = nlohmann::json::parse(sensitivity_json(all));
  EXPECT_NEAR(document.at("half_width95").get<double>(), 138.8, 0.1);
  EXPECT_TRUE(document.at("parameters").at(0).at("low").at("chance").get<bool>());
  EXPECT_FALSE(document.at("parameters").at(0).at("high").at("chance").get<bool>());
  EXPECT_THAT(sensitivity_text(all), HasSubstr("+4.0 %?")) << "and says so beside the change";
  EXPECT_THAT(sensitivity_text(all), HasSubstr("?: could be chance"));
  EXPECT_THAT(sensitivity_text(all), Not(HasSubstr("+100.0 %?")));
  // What is chance widens no range.
  EXPECT_DOUBLE_EQ(document.at("highest").get<double>(), 10000);
  all.effects.front().high.reset();
  EXPECT_THAT(sensitivity_text(all), HasSubstr("None of them moves it"));
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(sensitivity_json(all)).at("highest").get<double>(), 5000);
}

TEST(SensitivityReport, ALatencyThatNobodyMeasuredIsNull) {
  Sensitivity all = sample();
  const auto mean = [&all] {
    return nlohmann::json::parse(sensitivity_json(all)).at("baseline").at("latency_ns").at("mean");
  };
  EXPECT_TRUE(mean().is_number());
  all.baseline.run.latency = {};
  EXPECT_TRUE(mean().is_null());
}

TEST(SensitivityReport, AValueThatIsNotAllowedIsNull) {
  Sensitivity all = sample();
  all.effects = {effect("nic/one", std::nullopt, times(2))};
  EXPECT_THAT(sensitivity_text(all), HasSubstr("       -  +100.0 %"));
  const auto parameter = nlohmann::json::parse(sensitivity_json(all)).at("parameters").at(0);
  EXPECT_TRUE(parameter.at("low").is_null());
  EXPECT_EQ(parameter.at("high").at("value"), "16 ns");
  EXPECT_EQ(parameter.at("high").at("throughput_mops"), 125.0);
  EXPECT_EQ(parameter.at("source"), "a guess");
}

TEST(SensitivityReport, WhatLimitsThenIsWholeHoweverNarrowTheTerminal) {
  Sensitivity all = sample();
  all.effects[2].high = times(0.5, "server/NIC processing units");
  EXPECT_THAT(sensitivity_text(all, terminal(50)), HasSubstr(R"(
parameter  value       / 2       x 2
  what limits then
cpu/large   8 ns    +0.0 %   -50.0 %
  more: server/NIC processing units
nic/small   8 ns   -10.0 %   +10.0 %
and 1 that)"));
  all.effects.pop_back();
  EXPECT_THAT(sensitivity_text(all, terminal(50)), HasSubstr("x 2\nnic/small")) << "nothing turns";
  all.effects = {effect("nic/requester_context_service", times(0.5, "server/cores"), times(2, "client/cores"))};
  EXPECT_THAT(sensitivity_text(all, terminal(50)), HasSubstr(R"(
nic/requester_context_service
                          8 ns   -50.0 %  +100.0 %
  less: server/cores; more: client/cores
)"));
}

TEST(SensitivityReport, LongNamesStayWithinTheLine) {
  Sensitivity all = sample();
  all.coordinates = {{"/programs/worker/loop/0/post/window", "32"}};
  all.effects = {effect("nic/" + std::string(60, 'x'), times(0.5, std::string(90, 'y')), times(2))};
  for (const std::size_t columns : {50U, 80U}) expect_narrow(sensitivity_text(all, terminal(columns)), columns);
}

/// What becomes of two designs.
Outcome compared(double one, double other) { return {times(one).run, times(other).run}; }

/// The other design is a fifth faster, but for one doubt as fast, and for one a tenth slower.
Sensitivity two_designs() {
  Sensitivity all = sample();
  all.with = {"programs.worker.threads=8"};
  all.baseline = compared(1, 1.2);
  all.effects = {effect("nic/both", compared(0.5, 0.6), compared(2, 2.4)),
                 effect("cpu/turns", compared(1, 1.2), compared(1, 0.9)),
                 effect("cpu/levels", compared(1.2, 1.2), std::nullopt)};
  return all;
}

TEST(SensitivityReport, OfTwoDesignsTheirRatioCounts) {
  const std::string text = sensitivity_text(two_designs());
  EXPECT_THAT(text,
              HasSubstr("With         programs.worker.threads=8\n             75.00 M/s +/- 250.0 k/s, limited by"));
  EXPECT_THAT(text, HasSubstr("1.20 times: better"));
  EXPECT_THAT(text, Not(HasSubstr("nic/both"))) << "what moves both designs alike decides nothing";
  EXPECT_THAT(text, HasSubstr("cpu/turns    8 ns    +0.0 %   -25.0 %  more: worse"));
  EXPECT_THAT(text, HasSubstr("cpu/levels   8 ns   -16.7 %         -  less: no better"));
  EXPECT_THAT(text, HasSubstr("If one of them is off: 0.90 times to 1.20 times (-25.0 to +0.0 %)."));
  EXPECT_THAT(text, HasSubstr("The other design is better in 3 of 5 runs, no better in 1, worse in 1."));
  expect_narrow(text);
}

TEST(SensitivityReport, OfTwoDesignsTheShorterLatencyIsBetter) {
  Sensitivity all = two_designs();
  all.metric = Metric::p99;
  const std::string text = sensitivity_text(all);
  EXPECT_THAT(text, HasSubstr("p99 latency  5.000 us, limited by"));
  EXPECT_THAT(text, HasSubstr("0.83 times: better"));
  EXPECT_THAT(text, HasSubstr("better in 3 of 5 runs, no better in 1, worse in 1."));
}

TEST(SensitivityReport, TwoDesignsWithinTheirIntervalsAreEqual) {
  Sensitivity all = two_designs();
  all.baseline = compared(1, 1.05);
  EXPECT_THAT(sensitivity_text(all), HasSubstr("1.05 times: better"));
  all.baseline.other->throughput_ci95.per_second *= 15;
  EXPECT_THAT(sensitivity_text(all), HasSubstr("1.05 times: no better"));
}

TEST(SensitivityReport, BothDesignsAreInTheDocument) {
  const auto document = nlohmann::json::parse(sensitivity_json(two_designs()));
  EXPECT_EQ(document.at("with"), nlohmann::json::array({"programs.worker.threads=8"}));
  EXPECT_EQ(document.at("baseline").at("throughput_mops"), 62.5);
  EXPECT_EQ(document.at("baseline").at("other").at("throughput_mops"), 75.0);
  EXPECT_DOUBLE_EQ(document.at("lowest").get<double>(), 0.9);
  EXPECT_EQ(document.at("parameters").at(1).at("high").at("other").at("throughput_mops"), 56.25);
}

}  // namespace
}  // namespace doorbell::cli
