#include "figures/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/fake_engine.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

Series simulated(const std::string& name, const std::string& scenario, Abscissa x, Metric metric = {},
                 Overrides overrides = {}) {
  return {name, name, Simulation{scenario, std::move(overrides), {}, std::move(metric), std::move(x)}, {}};
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
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Evaluator, TakesXFromTheSweep) {
  const FigureResult result = evaluate(figure({simulated("a", "3", FromSweep{"/threads"})}));
  ASSERT_EQ(result.points.size(), 3U);
  EXPECT_EQ(result.points[2].x, Position{4.0});
  EXPECT_DOUBLE_EQ(result.points[2].simulated, 12);
  EXPECT_DOUBLE_EQ(*result.points[2].simulated_ci95, 0.25);
  EXPECT_DOUBLE_EQ(*result.points[2].analytic, 40);
  EXPECT_EQ(result.points[2].unit, "M/s");
}

TEST(Evaluator, KnowsBandwidthsAsWellAsRates) {
  const Metric bandwidth{Metric::Kind::bandwidth, {}};
  const FigureResult result = evaluate(figure({simulated("a", "3", FromSweep{"/threads"}, bandwidth)}));
  EXPECT_DOUBLE_EQ(result.points[2].simulated, 12);
  EXPECT_DOUBLE_EQ(*result.points[2].simulated_ci95, 0.25) << "12 of 12 M/s are known to 0.25";
  EXPECT_EQ(result.points[2].unit, "MiB/s");
}

TEST(Evaluator, WhatIsRelativeToAFirstPointHasTheDoubtsOfBoth) {
  const Figure made =
      figure({simulated("a", "3", FromSweep{"/threads"}, Metric{Metric::Kind::relative_throughput, {}})});
  const FigureResult result = evaluate(made);
  EXPECT_DOUBLE_EQ(result.points[0].simulated, 100);
  EXPECT_DOUBLE_EQ(*result.points[0].simulated_ci95, 0) << "whatever it is, it is 100 %";
  EXPECT_DOUBLE_EQ(result.points[1].simulated, 200);
  EXPECT_DOUBLE_EQ(*result.points[1].simulated_ci95, 25) << "6 +- 0.25 of 3 +- 0.25: 4.2 and 8.3 %";

  Engine idle = fake_engine();
  idle.run = [](const model::Scenario&) { return model::RunResult{}; };
  try {
    static_cast<void>(Evaluator{idle, 1, std::nullopt}.evaluate(made));
    FAIL() << "nothing was refused";
  } catch (const DefinitionError& error) {
    EXPECT_STREQ(error.what(),
                 "figure paper/fig1, series 'a', at its first x: nothing is relative to a first point that completes "
                 "nothing");
  }
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
  EXPECT_THAT(complaint(figure({simulated("a", "3", Fixed{{1.0, 2.0}})})),
              HasSubstr("DB507: expected a position for each of the 3 points of 3, found 2 positions"));
  EXPECT_THAT(complaint(figure({simulated("a", "3", FromSweep{"/cores"})})),
              HasSubstr("DB507: expected an axis of the sweep of 3, found \"/cores\""));
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

TEST(Evaluator, ReadsOffOneKindOfOperations) {
  const auto value = [](Metric::Kind kind) {
    return evaluate(figure({simulated("a", "3", FromSweep{"/threads"}, {kind, "writes"})})).find("a", 4.0)->simulated;
  };
  EXPECT_DOUBLE_EQ(value(Metric::Kind::latency_p50), 7);
  EXPECT_DOUBLE_EQ(value(Metric::Kind::throughput), 4);
  EXPECT_THAT(complaint(figure({simulated("a", "3", FromSweep{"/threads"}, {Metric::Kind::latency_p50, "reads"})})),
              HasSubstr("no latency_p50 'reads'"));
}

TEST(Evaluator, ALatencyThatNobodyMeasuredIsNoLatencyOfZero) {
  Engine engine = fake_engine();
  engine.run = [](const model::Scenario&) {
    model::RunResult run;
    run.throughput = {1e6};
    run.kinds = {{"writes", Rate{1e6}, {}}};
    return run;
  };
  const auto complaint_of = [&](const Abscissa& x, const Metric& metric) -> std::string {
    try {
      static_cast<void>(Evaluator{engine, 1, std::nullopt}.evaluate(figure({simulated("a", "3", x, metric)})));
    } catch (const DefinitionError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const auto kind : {Metric::Kind::latency_mean, Metric::Kind::latency_p50, Metric::Kind::latency_p99}) {
    EXPECT_EQ(complaint_of(FromSweep{"/threads"}, {kind, {}}),
              "figure paper/fig1, series 'a', at 1: the run has no latencies; an `await` step would measure them");
    EXPECT_THAT(complaint_of(FromSweep{"/threads"}, {kind, "writes"}), HasSubstr("the run has no latencies"));
    EXPECT_THAT(complaint_of(FromRun{{kind, {}}}, {}), HasSubstr("series 'a', x: the run has no latencies"));
  }
  EXPECT_EQ(complaint_of(FromSweep{"/threads"}, {}), "no error");
}

TEST(Evaluator, NamesThePointAndTheNearestOfWhatIsNotInTheResults) {
  EXPECT_EQ(complaint(figure({simulated("a", "3", FromSweep{"/threads"}, {Metric::Kind::utilisation, "server/core"})})),
            "figure paper/fig1, series 'a', at 1: no utilisation 'server/core' in the results of the run; nearest: "
            "'server/cores'");
}

TEST(Evaluator, AddsALevelToWhatItReads) {
  const Metric metric{Metric::Kind::per_operation, "server/PCIeRdCur", "server/waiting"};
  const FigureResult result = evaluate(figure({simulated("a", "3", FromSweep{"/threads"}, metric)}));
  EXPECT_DOUBLE_EQ(result.find("a", 4.0)->simulated, 1.25);
  const Metric nowhere{Metric::Kind::per_operation, "server/PCIeRdCur", "server/nobody"};
  EXPECT_THAT(complaint(figure({simulated("a", "3", FromSweep{"/threads"}, nowhere)})), HasSubstr("server/nobody"));
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

TEST(Evaluator, PoolsTheRunsOfSeveralSeeds) {
  const auto runs = std::make_shared<std::atomic<int>>(0);
  Figure made = figure({simulated("one", "3", FromSweep{"/threads"}), simulated("three", "3", FromSweep{"/threads"})});
  std::get<Simulation>(made.series[1].source).seeds = 3;
  const FigureResult result = Evaluator{fake_engine(runs), 2, 5}.evaluate(made);
  EXPECT_EQ(*runs, 3 + 9) << "the two series do not share their runs";
  // A run of the fake does as many more per second as its seed says.
  EXPECT_DOUBLE_EQ(result.points[2].outcome->run.throughput.per_second, 12e6 + 5);
  EXPECT_DOUBLE_EQ(result.points[5].outcome->run.throughput.per_second, 12e6 + 6) << "of seeds 5, 6 and 7";
  // Student's t with 2 degrees of freedom times the error of the mean.
  EXPECT_NEAR(result.points[5].outcome->run.throughput_ci95.per_second, 4.303 * 1 / std::sqrt(3.0), 0.001);
}

TEST(Evaluator, RunsEveryPointWithAtLeastSoManySeeds) {
  const auto runs = std::make_shared<std::atomic<int>>(0);
  Figure made = figure({simulated("one", "3", FromSweep{"/threads"}), simulated("three", "4", FromSweep{"/threads"})});
  std::get<Simulation>(made.series[1].source).seeds = 3;
  static_cast<void>(Evaluator{fake_engine(runs), 1, std::nullopt, 2}.evaluate(made));
  EXPECT_EQ(*runs, 3 * 2 + 3 * 3);
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
  EXPECT_THAT(complaint(made),
              HasSubstr("DB508: expected an x at which paper/fig1 simulates \"a\", found 3; did you mean"));
  made.reference = {{"a", 1.0, "throughput", "GB/s", 9, 0.1, Use::fit, ""}};
  EXPECT_THAT(complaint(made), HasSubstr("DB510: expected M/s, in which paper/fig1 simulates \"a\", found \"GB/s\""));
  made.reference = {
      {"a", 1.0, "thruput", "M/s", 9, 0.1, Use::fit, "", {std::make_shared<const std::string>("rates.csv"), 7, 1}}};
  EXPECT_THAT(complaint(made),
              HasSubstr("rates.csv:7:1: DB508: expected the metric that paper/fig1 simulates of \"a\" at 1"));
}

TEST(Evaluator, EvaluatesClosedForms) {
  Series series{"reads", "reads", ClosedForm{"dma_read_bytes", "cib.json", {64.0, 256.0}, std::nullopt, 1}, {}};
  const FigureResult result = evaluate(figure({series}));
  EXPECT_DOUBLE_EQ(result.points[1].simulated, 300);
  EXPECT_DOUBLE_EQ(*result.points[1].analytic, 300);
}

TEST(Evaluator, ALinkTakesThePlaceOfTheProfiles) {
  const auto at_64_bytes = [](std::optional<Bandwidth> link) {
    return evaluate(
               figure({{"limit", "limit", ClosedForm{"infiniband_read_limit", "cib.json", {64.0}, {}, 1, link}, {}}}))
        .points[0]
        .simulated;
  };
  const model::PortParameters port = fake_engine().profile("").port;
  EXPECT_DOUBLE_EQ(at_64_bytes(std::nullopt), at_64_bytes(port.bandwidth));
  EXPECT_DOUBLE_EQ(at_64_bytes(Bandwidth{9.4e9}), 100.0 * port.ports);
}

TEST(Evaluator, TheTimePerEventIsTheInverseOfItsRate) {
  Series series = simulated("a", "3", FromSweep{"/threads"});
  std::get<Simulation>(series.source).metric = {Metric::Kind::time_per, "server/PCIeRdCur"};
  const FigureResult result = evaluate(figure({series}));
  EXPECT_DOUBLE_EQ(result.points[1].simulated, 1.0 / 6);
  EXPECT_EQ(result.points[1].unit, "us");
  EXPECT_EQ(result.points[1].metric, "time per PCIeRdCur");
}

TEST(Evaluator, ChecksTheClaims) {
  Figure made = figure({simulated("a", "3", FromSweep{"/threads"})});
  for (const char* holds_if : {"value == stated", "value > stated"}) {
    made.claims.push_back({holds_if, "A claim.", 6.0, Expression::parse("sim('a', 2)"), Expression::parse(holds_if)});
  }
  const FigureResult result = evaluate(made);
  ASSERT_EQ(result.claims.size(), 2U);
  EXPECT_EQ(result.claims[0].id, "value == stated");
  EXPECT_TRUE(result.claims[0].holds);
  EXPECT_FALSE(result.claims[1].holds);
}

}  // namespace
}  // namespace doorbell::figures
