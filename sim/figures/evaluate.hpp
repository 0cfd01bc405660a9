// From a figure's definition to its points: run what must be run, put it beside the reference, check the claims.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "figures/definition.hpp"
#include "figures/engine.hpp"
#include "figures/statistics.hpp"

namespace doorbell::figures {

/// What one simulated scenario told, with its closed form.
struct Outcome {
  std::vector<std::pair<std::string, std::string>> coordinates;
  model::RunResult run;
  std::optional<Rate> bound;
};

struct PointResult {
  std::string series;
  Position x;
  std::string metric;
  std::string unit;
  std::optional<double> measured;  ///< In `unit`, as are the following.
  std::optional<double> measured_uncertainty;
  double simulated = 0;
  std::optional<double> simulated_ci95;  ///< Half width; none where a run tells only the mean.
  std::optional<double> analytic;
  Use use = Use::none;
  std::string note;
  std::shared_ptr<const Outcome> outcome;  ///< None for closed forms.

  [[nodiscard]] std::optional<double> error() const;
};

/// The scenario behind one point of a series; nothing when the series is not simulated, has no such point, or knows its
/// x only after the run. Throws ScenarioError as swept_positions() does.
[[nodiscard]] std::optional<model::Scenario> scenario_at(const Series& series, const Position& x, const Engine& engine);

/// Why a run cannot be asked for a latency.
inline constexpr const char* no_latencies = "the run has no latencies; an `await` step would measure them";

/// What `metric` reads off a run, in its unit; for throughput relative to a first point, the throughput itself.
[[nodiscard]] double value_of(const model::RunResult& run, const Metric& metric);

/// All levels of a run whose names begin with the metric's subject and that have a position. Throws DefinitionError
/// where there are none.
[[nodiscard]] std::vector<model::Level> levels_of(const model::RunResult& run, const Metric& metric);

struct ClaimResult {
  std::string id;
  std::string text;
  Value stated;
  Value simulated;
  bool holds = false;
  Use use = Use::validation;
};

struct FigureResult {
  std::string id;
  std::string title;
  std::string notes;
  double seconds = 0;  ///< Wall time: the one thing here that differs between two runs.
  std::vector<PointResult> points;
  std::vector<ClaimResult> claims;

  [[nodiscard]] const PointResult* find(const std::string& series, const Position& x) const;
};

/// Runs figures. A scenario that several series or figures share runs once.
class Evaluator {
 public:
  /// `jobs` threads; no result depends on their number. `seed` replaces that of every scenario. Every point is run with
  /// at least `seeds` seeds.
  Evaluator(Engine engine, int jobs, std::optional<std::uint64_t> seed, unsigned seeds = 1);

  /// Looks whether definition, scenarios and reference fit together, as far as that shows before anything runs. Throws
  /// ScenarioError.
  void prepare(const Figure& figure);

  /// Simulates one point of every series, and of every claim, that reads something off a run by its name, before all
  /// others: only a run tells which names there are. Throws DefinitionError where it has no such name.
  void try_names(const std::vector<Figure>& figures);

  /// Throws ScenarioError or DefinitionError when definition, scenarios and reference do not fit together.
  [[nodiscard]] FigureResult evaluate(const Figure& figure);

 private:
  struct Sweep {
    std::vector<SweepPoint> points;
    std::vector<std::shared_ptr<const Outcome>> outcomes;  ///< Null until the point is needed.
  };

  struct Task {
    const SweepPoint* point;
    std::shared_ptr<const Outcome>* place;
    unsigned seeds;
    std::size_t first_run = 0;  ///< Of its seeds, among all runs.
  };
  /// What is to be simulated, once each, in order.
  class Tasks {
   public:
    void add(Sweep& sweep, std::size_t point, unsigned seeds);
    [[nodiscard]] std::vector<Task>& all() { return tasks_; }

   private:
    std::vector<Task> tasks_;
  };

  /// A point at which a name is tried.
  struct Trial {
    std::size_t figure;
    const Series* series;
    const Simulation* simulation;
    Sweep* sweep;
    std::size_t point;
    std::optional<Position> x;  ///< Of a claim; none: the series' own metrics.

    [[nodiscard]] const std::shared_ptr<const Outcome>& outcome() const { return sweep->outcomes[point]; }
  };

  /// Adds those of a figure, which is the one of that number.
  void add_trials(const Figure& figure, std::size_t number, std::vector<Trial>& trials);
  [[nodiscard]] unsigned seeds_of(const Simulation& simulation) const;
  [[nodiscard]] Sweep& sweep_of(const Simulation& simulation);
  void run_missing(const Figure& figure);
  void run(std::vector<Task> tasks);
  [[nodiscard]] std::vector<std::shared_ptr<const Outcome>> outcomes_of(const Simulation& simulation);

  Engine engine_;
  int jobs_;
  std::optional<std::uint64_t> seed_;
  unsigned seeds_;
  std::map<std::string, Sweep> sweeps_;  ///< By scenario file, overrides and number of seeds.
};

}  // namespace doorbell::figures
