// What fit() and require_possible() refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "calibrate/fit.hpp"
#include "calibrate/measurements.hpp"

namespace doorbell::calibrate {
namespace {

TEST(FitRefusals, RefusesAPointWhoseScenarioDoesNotUseTheProfile) {
  figures::Engine engine = two_parameter_engine();
  engine.load = [load = engine.load](const std::filesystem::path& file, const figures::Overrides& overrides,
                                     const std::filesystem::path& folder) {
    std::vector<figures::SweepPoint> points = load(file, overrides, folder);
    points.back().scenario.machines.front().second.hardware_name = "Another NIC";
    return points;
  };
  int simulated = 0;
  engine.run = [&](const model::Scenario&) {
    ++simulated;
    return model::RunResult{};
  };
  const auto pinned = [](const std::string& parameter, const std::string& x) {
    return Measurements::stage("simulation", R"({"path": "/nic/)" + parameter + R"(", "values": ["50 ns"]})", x);
  };
  const Measurements measurements{pinned("pu_wqe", "1, 2") + ", " + pinned("tx_message", "4")};
  try {
    static_cast<void>(measurements.fit(1, engine));
    FAIL() << "nothing was thrown";
  } catch (const scenario::ScenarioError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("plan.json:1:"));
    EXPECT_THAT(error.what(),
                testing::HasSubstr("DB513 /stages/1/observations/0/x/0: expected the profile \"" + connect_ib.title));
    EXPECT_THAT(error.what(), testing::HasSubstr("in the scenario of \"rate\" at 4 of paper/fig1, found"));
    EXPECT_THAT(error.what(), testing::HasSubstr("scenarios/hardware/cib.json"));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
  EXPECT_EQ(simulated, 0);
}

TEST(FitRefusals, RefusesPointsOfAnotherMetricOrUnitThanIsSimulated) {
  const auto complaint = [](const std::string& quantity) -> std::string {
    const Measurements measurements{
        Measurements::stage("simulation", R"({"path": "/nic/pu_wqe", "values": ["50 ns"]})"),
        Measurements::Quantity{quantity}};
    try {
      static_cast<void>(measurements.fit());
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint("throughput,M/s"), "no error");
  EXPECT_THAT(complaint("throughput,GB/s"),
              testing::HasSubstr(
                  "reference.csv:6:19: DB510: expected M/s, in which paper/fig1 simulates \"rate\", found \"GB/s\""));
  EXPECT_THAT(
      complaint("thruput,M/s"),
      testing::HasSubstr(
          "reference.csv:6:8: DB508: expected the metric that paper/fig1 simulates of \"rate\" at 1: \"throughput\", "
          "found \"thruput\""));
}

TEST(FitRefusals, RefusesPointsThatItsMethodDoesNotPredict) {
  const auto complaint = [](const std::string& method, const std::string& metric,
                            const std::string& unit) -> std::string {
    std::string quantity = metric;
    quantity += "," + unit;
    const Measurements measurements{Measurements::stage(method, R"({"path": "/nic/pu_wqe", "values": ["50 ns"]})"),
                                    Measurements::Quantity{quantity}};
    std::ofstream{measurements.folder() / "figure.json"}
        << R"({"id": "paper/fig1", "title": "A figure", "reference": "reference.csv", "panels": [], "series": [)"
        << R"({"name": "rate", "scenario": "scenario.json", "x": {"sweep": "/threads"}, "metric": ")" << metric
        << R"("}]})";
    try {
      static_cast<void>(measurements.fit());
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint("closed_form", "throughput", "M/s"), "no error");
  EXPECT_EQ(complaint("simulation", "bandwidth", "MiB/s"), "no error");
  EXPECT_THAT(complaint("closed_form", "bandwidth", "MiB/s"),
              testing::HasSubstr("DB512 /stages/0/observations/0/x/0: expected the throughput of all operations, which "
                                 "the method closed_form predicts, of \"rate\" at 1 of paper/fig1, found bandwidth"));
  EXPECT_THAT(
      complaint("simulation", "relative_throughput", "%"),
      testing::HasSubstr("expected what one run tells of \"rate\" at 1 of paper/fig1, found relative_throughput"));
}

TEST(FitRefusals, RefusesANumberOfAnotherDimensionThanTheParameters) {
  const auto code = [](const std::string& value) {
    const Measurements measurements{"simulation", R"({"path": "/nic/pu_wqe", "values": [)" + value + "]}"};
    try {
      static_cast<void>(measurements.fit());
    } catch (const scenario::ScenarioError& error) {
      return scenario::code_text(error.code());
    }
    return std::string{"no error"};
  };
  EXPECT_EQ(code(R"("50 B")"), "DB203");
  EXPECT_EQ(code("50"), "DB201");
  EXPECT_EQ(code(R"("50 ns")"), "no error");
}

TEST(FitRefusals, WhatItRefusesIsKnownWithoutSimulations) {
  int simulated = 0;
  figures::Engine engine = two_parameter_engine();
  engine.run = [&](const model::Scenario&) {
    ++simulated;
    return model::RunResult{};
  };
  const auto refusal = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const char* unknown :
       {R"({"path": "/nic/pu_wqes", "values": ["50 ns"]})", R"({"path": "/nic/pu_wqe", "values": [50]})",
        R"({"path": "/nic/pu_wqe", "values": ["50 B"]})", R"({"path": "/pcie/lanes", "values": [0]})"}) {
    const Measurements measurements{"simulation", unknown};
    const std::string checked = refusal([&] { require_possible(measurements.plan(), engine); });
    EXPECT_THAT(checked, testing::HasSubstr("plan.json:1:")) << unknown;
    EXPECT_EQ(checked, refusal([&] { static_cast<void>(measurements.fit(1, engine)); }));
  }
  EXPECT_EQ(refusal([&] { require_possible(Measurements{"simulation", both}.plan(), engine); }), "no error");
  EXPECT_EQ(simulated, 0);
}

TEST(FitRefusals, RefusesValuesThatNoProfileMayHave) {
  const auto code = [](const std::string& unknown) {
    const Measurements measurements{"simulation", unknown};
    try {
      static_cast<void>(measurements.fit());
    } catch (const scenario::ScenarioError& error) {
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
      return scenario::code_text(error.code());
    }
    return std::string{"no error"};
  };
  EXPECT_EQ(code(R"({"path": "/nic/pu_wqe", "values": ["50 ns", "-5 ns"]})"), "DB105");
  EXPECT_EQ(code(R"({"path": "/nic/processing_units", "values": [0, 8]})"), "DB105");
  EXPECT_EQ(code(R"({"path": "/nic/processing_units", "start": 1, "min": 0.1, "max": 8})"), "DB105");
  EXPECT_EQ(code(R"({"path": "/nic/processing_units", "values": [1, 8]})"), "no error");
}

/// What is said to values of this parameter.
std::string complaint_about(const std::string& path, const std::string& values) {
  const Measurements measurements{"simulation", R"({"path": ")" + path + R"(", )" + values + "}"};
  try {
    static_cast<void>(measurements.fit());
  } catch (const scenario::ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FitRefusals, RefusesPartsOfACount) {
  const std::string count = "/nic/processing_units";
  EXPECT_THAT(complaint_about(count, R"("values": [1, 2.5])"),
              testing::HasSubstr("DB106 /stages/0/unknowns/0/values/1: expected a whole number, as "
                                 "/nic/processing_units is, found 2.5"));
  EXPECT_THAT(complaint_about(count, R"("start": 2, "min": 1.5, "max": 4)"),
              testing::HasSubstr("DB106 /stages/0/unknowns/0/min: expected a whole number"));
}

TEST(FitRefusals, RefusesAValueAtItsPlace) {
  const std::string time = "/nic/latency";
  EXPECT_THAT(complaint_about(time, R"("values": ["1 ns", "1 s"])"),
              testing::HasSubstr("DB105 /stages/0/unknowns/0/values/1: expected values of /nic/latency from"));
  EXPECT_THAT(complaint_about(time, R"("start": "1 ns", "min": "1 ns", "max": "10 s")"),
              testing::HasSubstr("DB105 /stages/0/unknowns/0/max: expected values of /nic/latency from"));
}

TEST(FitRefusals, RefusesAPointWhoseScenarioSaysWhatIsSought) {
  const figures::Engine engine =
      engine_with([](model::HardwareProfile& hardware) { hardware.nic.pu_wqe = from_seconds(30e-9); });
  const Measurements measurements{"simulation", R"({"path": "/nic/pu_wqe", "values": ["50 ns"]})"};
  EXPECT_THROW(static_cast<void>(measurements.fit(1, engine)), scenario::ScenarioError);
}

TEST(FitRefusals, RefusesAPlaceWithoutANumber) {
  const Measurements measurements{"simulation",
                                  R"({"path": "/nic/tx_massage", "start": "20 ns", "min": "1 ns", "max": "1 us"})"};
  try {
    static_cast<void>(measurements.fit());
    ADD_FAILURE() << "was accepted";
  } catch (const scenario::ScenarioError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean \"/nic/tx_message\"?"));
  }
}

}  // namespace
}  // namespace doorbell::calibrate
