// Measured points that follow from a formula, and fits to them.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "calibrate/fit.hpp"
#include "calibrate/parameter.hpp"
#include "figures/scratch.hpp"
#include "scenario/profile.hpp"

namespace doorbell::calibrate {

struct SyntheticPoint {
  int x = 1;
  double value = 0;  ///< Millions per second, or microseconds.
  double uncertainty = 0;
};

/// Rates and medians at places x, as functions of the machine; a profile with two numbers to find is that of
/// Connect-IB.
struct Synthetic {
  using Formula = std::function<double(const Machine&, int x)>;
  Formula rate = [](const Machine&, int) { return 1e6; };      ///< Operations per second.
  Formula latency = [](const Machine&, int) { return 1e-6; };  ///< Seconds.
  std::vector<SyntheticPoint> rates;
  std::vector<SyntheticPoint> latencies;

  /// The points of a stage with these unknowns, as a calibration file has them.
  [[nodiscard]] Fit fit(const std::string& unknowns, const std::string& method = "simulation") const {
    const std::string profile = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/cib.json";
    const figures::Scratch scratch;
    std::string csv =
        "# source: a test\n# figure: 1\n# how obtained: invented\n# error estimate: none\n"
        "series,x,metric,unit,value,uncertainty,set,note\n";
    std::string observations;
    const auto add = [&](const std::vector<SyntheticPoint>& points, const char* series, const char* metric) {
      std::string places;
      for (const SyntheticPoint& point : points) {
        csv += fmt::format("{},{},{},{},{},fit,\n", series, point.x, metric, point.value, point.uncertainty);
        places += fmt::format("{}{}", places.empty() ? "" : ", ", point.x);
      }
      if (points.empty()) return;
      observations += fmt::format(R"({}{{"figure": "figure.json", "series": "{}", "x": [{}]}})",
                                  observations.empty() ? "" : ", ", series, places);
    };
    add(rates, "rates", "throughput,M/s");
    add(latencies, "latencies", "latency_p50,us");
    scratch.write("reference.csv", csv);
    scratch.write("figure.json", R"({"id": "paper/fig1", "title": "A figure", "reference": "reference.csv", "series": [
      {"name": "rates", "label": "rates", "scenario": "scenario.json", "x": {"sweep": "/threads"}},
      {"name": "latencies", "label": "latencies", "scenario": "scenario.json", "metric": "latency_p50",
       "x": {"sweep": "/threads"}}], "panels": [], "claims": []})");
    const auto plan = scratch.write("plan.json", fmt::format(R"({{"profile": "{}", "stages": [
      {{"name": "one", "method": "{}", "unknowns": [{}], "observations": [{}]}}]}})",
                                                             profile, method, unknowns, observations));
    return calibrate::fit(read_plan(plan), engine(scenario::load_profile(profile)), 1, [](const std::string&) {});
  }

 private:
  [[nodiscard]] figures::Engine engine(const scenario::Profile& profile) const {
    figures::Engine engine;
    engine.load = [=, this](const std::filesystem::path&, const figures::Overrides&, const std::filesystem::path&) {
      std::vector<figures::SweepPoint> points;
      for (const auto& of_kind : {rates, latencies}) {
        for (const SyntheticPoint& measured : of_kind) {
          figures::SweepPoint point;
          point.coordinates = {{"/threads", std::to_string(measured.x)}};
          point.scenario.programs.emplace_back("worker", model::Program{});
          point.scenario.programs.front().second.threads = measured.x;
          point.scenario.machines.emplace_back("server", model::MachineGroup{});
          point.scenario.machines.front().second.hardware_name = profile.title;
          point.scenario.machines.front().second.hardware = profile.hardware;
          points.push_back(std::move(point));
        }
      }
      return points;
    };
    const auto of = [](const Formula& formula, const model::Scenario& scenario) {
      return formula(Machine{scenario.machines.front().second.hardware}, scenario.programs.front().second.threads);
    };
    engine.run = [=, this](const model::Scenario& scenario) {
      model::RunResult run;
      run.throughput = {of(rate, scenario)};
      run.latency.samples = 1;
      run.latency.p50 = from_seconds(of(latency, scenario));
      return run;
    };
    engine.bound = [=, this](const model::Scenario& scenario) { return Rate{of(rate, scenario)}; };
    engine.bottleneck = [](const model::Scenario&) { return std::string{"something else"}; };
    return engine;
  }
};

}  // namespace doorbell::calibrate
