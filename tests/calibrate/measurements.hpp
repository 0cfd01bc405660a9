// Measured points that two parameters of a profile lead to, and an engine that knows how.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/fit.hpp"
#include "calibrate/parameter.hpp"
#include "figures/scratch.hpp"
#include "scenario/profile.hpp"

namespace doorbell::calibrate {

inline const std::filesystem::path source{DOORBELL_SOURCE_DIR};
inline const scenario::Profile connect_ib = scenario::load_profile(source / "scenarios/hardware/cib.json");

/// Rates of a pipeline of two stages that share one cost: 1 / (a + k b) for k threads.
inline double rate(double a, double b, int threads) { return 1 / (a + threads * b); }

/// An engine whose scenarios of 1, 2 and 4 threads depend on two parameters of the profile.
inline figures::Engine two_parameter_engine() {
  figures::Engine engine;
  engine.load = [](const std::filesystem::path&, const figures::Overrides&, const std::filesystem::path&) {
    std::vector<figures::SweepPoint> points;
    for (const int threads : {1, 2, 4}) {
      figures::SweepPoint point;
      point.coordinates = {{"/threads", std::to_string(threads)}};
      point.scenario.programs.emplace_back("worker", model::Program{});
      point.scenario.programs.front().second.threads = threads;
      point.scenario.machines.emplace_back("server", model::MachineGroup{});
      point.scenario.machines.front().second.hardware_name = connect_ib.title;
      point.scenario.machines.front().second.hardware = connect_ib.hardware;
      points.push_back(std::move(point));
    }
    return points;
  };
  const auto predicted = [](const model::Scenario& scenario) {
    const Machine hardware{scenario.machines.front().second.hardware};
    return rate(*get(hardware, "/nic/tx_message"), *get(hardware, "/nic/pu_wqe"),
                scenario.programs.front().second.threads);
  };
  engine.run = [predicted](const model::Scenario& scenario) {
    model::RunResult run;
    run.throughput = {predicted(scenario)};
    return run;
  };
  engine.bound = [predicted](const model::Scenario& scenario) { return Rate{predicted(scenario)}; };
  return engine;
}

inline constexpr double true_tx = 7e-9;
inline constexpr double true_pu = 50e-9;

/// Measured points of a NIC of 7 and 50 ns.
class Measurements {
 public:
  struct Quantity {
    std::string metric_and_unit;
  };
  Measurements(const std::string& method, const std::string& unknowns) : Measurements{stage(method, unknowns)} {}
  explicit Measurements(const std::string& stages, const Quantity& quantity = {"throughput,M/s"}) {
    std::string csv =
        "# source: a test\n# figure: 1\n# how obtained: invented\n# error estimate: none\n"
        "series,x,metric,unit,value,uncertainty,set,note\n";
    for (const int threads : {1, 2, 4}) {
      csv += "rate," + std::to_string(threads) + "," + quantity.metric_and_unit + "," +
             std::to_string(rate(true_tx, true_pu, threads) / 1e6) + ",0.05,fit,\n";
    }
    scratch_.write("reference.csv", csv);
    scratch_.write("figure.json", R"({"id": "paper/fig1", "title": "A figure", "reference": "reference.csv",
      "series": [{"name": "rate", "label": "rate", "scenario": "scenario.json", "x": {"sweep": "/threads"}}],
      "panels": [], "claims": []})");
    file_ = scratch_.write("plan.json", R"({"profile": ")" + (source / "scenarios/hardware/cib.json").string() +
                                            R"(", "stages": [)" + stages + "]}");
  }

  static std::string stage(const std::string& method, const std::string& unknowns, const std::string& x = "1, 2, 4") {
    return R"({"name": "points at )" + x + R"(", "method": ")" + method + R"(", "unknowns": [)" + unknowns +
           R"(], "observations": [{"figure": "figure.json", "series": "rate", "x": [)" + x + "]}]}";
  }

  [[nodiscard]] Plan plan() const { return read_plan(file_); }
  [[nodiscard]] Fit fit(int jobs = 1, const figures::Engine& engine = two_parameter_engine()) const {
    return calibrate::fit(plan(), engine, jobs, [](const std::string&) {});
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return scratch_.path(); }

 private:
  figures::Scratch scratch_;
  std::filesystem::path file_;
};

inline const std::string both = R"({"path": "/nic/tx_message", "start": "20 ns", "min": "1 ns", "max": "1 us"},
                            {"path": "/nic/pu_wqe", "start": "20 ns", "min": "1 ns", "max": "1 us"})";

/// The engine of the measurements, with scenarios whose hardware differs from the profile.
inline figures::Engine engine_with(const std::function<void(model::HardwareProfile&)>& change) {
  figures::Engine engine = two_parameter_engine();
  engine.load = [load = engine.load, change](const std::filesystem::path& file, const figures::Overrides& overrides,
                                             const std::filesystem::path& folder) {
    std::vector<figures::SweepPoint> points = load(file, overrides, folder);
    for (figures::SweepPoint& point : points) change(point.scenario.machines.front().second.hardware);
    return points;
  };
  return engine;
}

}  // namespace doorbell::calibrate
