#include "calibrate/fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <nlopt.hpp>
#include <set>

#include "calibrate/parameter.hpp"
#include "figures/evaluate.hpp"
#include "figures/parallel.hpp"
#include "scenario/profile.hpp"

namespace doorbell::calibrate {
namespace {

using figures::DefinitionError;
using Vector = Eigen::VectorXd;

/// An observation with the scenario that should give it.
struct Experiment {
  const Observation* observation;
  const figures::Metric* metric;
  model::Scenario scenario;
  double scale;  // the point's uncertainty
};

/// Several series may share a name, each with some of the points.
Experiment experiment_of(const Observation& observation, const figures::Engine& engine) {
  const double smallest = 0.005 * std::abs(observation.point.value);
  const double scale = std::max({observation.point.uncertainty, smallest, 1e-12});
  for (const figures::Series& series : observation.figure->series) {
    if (series.name != observation.series) continue;
    if (const auto scenario = figures::scenario_at(series, observation.point.x, engine)) {
      return {&observation, &std::get<figures::Simulation>(series.source).metric, *scenario, scale};
    }
  }
  throw DefinitionError{fmt::format("figure {} simulates no point of '{}' at {}", observation.figure->id,
                                    observation.series, figures::to_string(observation.point.x))};
}

/// One stage. Rates fall with the inverse of times: with logarithms of both the problem is nearly linear.
class Problem {
 public:
  Problem(const Stage& stage, Machine& machine, const std::string& title, const figures::Engine& engine, int jobs,
          int& evaluations)
      : stage_{stage}, machine_{machine}, title_{title}, engine_{engine}, jobs_{jobs}, evaluations_{evaluations} {
    for (const Observation& observation : stage.observations) {
      experiments_.push_back(experiment_of(observation, engine));
    }
  }

  [[nodiscard]] const Stage& stage() const { return stage_; }
  [[nodiscard]] const std::vector<Experiment>& experiments() const { return experiments_; }

  /// Predictions for unknowns in base units; without any, for the machine as it is.
  [[nodiscard]] Vector predict(const std::vector<double>& values) const {
    Machine trial = machine_;
    for (std::size_t i = 0; i < values.size(); ++i) set(trial, stage_.unknowns[i].pointer, values[i]);
    std::vector<std::pair<Experiment, double>> runs;
    for (const Experiment& experiment : experiments_) {
      runs.emplace_back(experiment, 0.0);
      replace(runs.back().first.scenario, title_, trial);
    }
    simulate_apart(runs);
    figures::for_each_in_parallel(runs, jobs_, [this](std::pair<Experiment, double>& run) {
      const Experiment& experiment = run.first;
      if (stage_.method == Method::closed_form) {
        const std::optional<Rate> bound = engine_.bound(experiment.scenario);
        run.second = bound ? bound->millions() : 0;
      } else if (!experiment.scenario.is_fluid()) {
        run.second = figures::value_of(engine_.run(experiment.scenario), *experiment.metric);
      }
    });
    evaluations_ += static_cast<int>(runs.size());
    Vector predictions(static_cast<Eigen::Index>(runs.size()));
    for (std::size_t i = 0; i < runs.size(); ++i) predictions[static_cast<Eigen::Index>(i)] = runs[i].second;
    return predictions;
  }

  [[nodiscard]] Vector residuals(const std::vector<double>& values) const {
    Vector residuals = predict(values);
    for (std::size_t i = 0; i < experiments_.size(); ++i) {
      double& entry = residuals[static_cast<Eigen::Index>(i)];
      entry = residual(entry, experiments_[i].observation->point.value, experiments_[i].scale);
    }
    return residuals;
  }

  [[nodiscard]] double cost(const std::vector<double>& values) const { return residuals(values).squaredNorm(); }

  /// Of the residuals by the logarithms of the unknowns. The steps must be larger than the noise of a simulation.
  [[nodiscard]] Eigen::MatrixXd jacobian(const std::vector<double>& values) const {
    Eigen::MatrixXd jacobian(static_cast<Eigen::Index>(experiments_.size()), static_cast<Eigen::Index>(values.size()));
    const double step = stage_.method == Method::closed_form ? 0.001 : 0.03;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> up = values;
      std::vector<double> down = values;
      up[i] *= std::exp(step);
      down[i] *= std::exp(-step);
      jacobian.col(static_cast<Eigen::Index>(i)) = (residuals(up) - residuals(down)) / (2 * step);
    }
    return jacobian;
  }

 private:
  /// Scenarios that need processes of their own, before any thread is started.
  void simulate_apart(std::vector<std::pair<Experiment, double>>& runs) const {
    if (stage_.method == Method::closed_form) return;
    std::vector<const model::Scenario*> scenarios;
    std::vector<std::pair<Experiment, double>*> places;
    for (auto& run : runs) {
      if (!run.first.scenario.is_fluid()) continue;
      scenarios.push_back(&run.first.scenario);
      places.push_back(&run);
    }
    if (scenarios.empty()) return;
    engine_.run_fluid(scenarios, jobs_, [&](std::size_t i, const model::RunResult& result) {
      places[i]->second = figures::value_of(result, *places[i]->first.metric);
    });
  }

  /// In uncertainties; of the logarithm where there is one.
  static double residual(double predicted, double measured, double scale) {
    if (measured > 3 * scale && predicted > 0) return std::log(predicted / measured) * measured / scale;
    return (predicted - measured) / scale;
  }

  const Stage& stage_;
  const Machine& machine_;
  const std::string& title_;
  const figures::Engine& engine_;
  int jobs_;
  int& evaluations_;
  std::vector<Experiment> experiments_;
};

std::vector<double> starts_of(const Stage& stage) {
  std::vector<double> starts;
  for (const Unknown& unknown : stage.unknowns) {
    starts.push_back(unknown.values.empty() ? unknown.start : unknown.values.front());
  }
  return starts;
}

/// Levenberg-Marquardt, from `values` on. The problem is smooth but for the places where the bottleneck changes.
std::vector<double> descend(const Stage& stage, const Problem& problem, std::vector<double> values) {
  double cost = problem.cost(values);
  double damping = 1e-2;
  Vector residuals;
  Eigen::MatrixXd jacobian;
  bool moved = true;
  for (int iteration = 0; iteration < 100 && damping < 1e6; ++iteration) {
    if (moved) {
      residuals = problem.residuals(values);
      jacobian = problem.jacobian(values);
    }
    Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
    normal.diagonal() += damping * (normal.diagonal().array() + 1e-9).matrix();
    const Vector step = normal.ldlt().solve(-jacobian.transpose() * residuals);
    std::vector<double> next = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Unknown& unknown = stage.unknowns[i];
      next[i] = std::clamp(values[i] * std::exp(step[static_cast<Eigen::Index>(i)]), unknown.min, unknown.max);
    }
    const double trial = problem.cost(next);
    moved = trial < cost;
    if (moved) {
      const bool converged = cost - trial < 1e-9 * (1 + cost);
      values = next;
      cost = trial;
      damping = std::max(damping / 5, 1e-9);
      if (converged) break;
    } else {
      damping *= 5;
    }
  }
  return values;
}

std::vector<double> solve_grid(const Stage& stage, const Problem& problem) {
  std::vector<std::size_t> index(stage.unknowns.size(), 0);
  std::vector<double> best = starts_of(stage);
  double lowest = std::numeric_limits<double>::infinity();
  for (;;) {
    std::vector<double> values;
    for (std::size_t i = 0; i < index.size(); ++i) values.push_back(stage.unknowns[i].values[index[i]]);
    if (const double cost = problem.cost(values); cost < lowest) {
      lowest = cost;
      best = values;
    }
    std::size_t digit = 0;
    while (digit < index.size() && ++index[digit] == stage.unknowns[digit].values.size()) index[digit++] = 0;
    if (digit == index.size()) return best;
  }
}

/// From 0..1 to the range, and back.
double unscaled(const Unknown& unknown, double share) {
  return unknown.min * std::pow(unknown.max / unknown.min, share);
}
double scaled(const Unknown& unknown, double value) {
  return std::log(value / unknown.min) / std::log(unknown.max / unknown.min);
}

/// One unknown needs no search: the best of evenly spread values, and down from there.
std::vector<double> solve_single(const Stage& stage, const Problem& problem) {
  const Unknown& unknown = stage.unknowns.front();
  std::vector<double> best = starts_of(stage);
  double lowest = problem.cost(best);
  constexpr int values = 24;
  for (int i = 0; i <= values; ++i) {
    const std::vector<double> trial{unscaled(unknown, static_cast<double>(i) / values)};
    if (const double cost = problem.cost(trial); cost < lowest) {
      lowest = cost;
      best = trial;
    }
  }
  return descend(stage, problem, best);
}

/// Subplex finds the valley without derivatives; along its floor Levenberg-Marquardt is better.
std::vector<double> solve_simulation(const Stage& stage, const Problem& problem) {
  const std::size_t unknowns = stage.unknowns.size();
  if (unknowns == 1) return solve_single(stage, problem);
  const auto values_of = [&](const std::vector<double>& shares) {
    std::vector<double> values;
    for (std::size_t i = 0; i < unknowns; ++i) values.push_back(unscaled(stage.unknowns[i], shares[i]));
    return values;
  };
  struct Objective {
    const std::function<double(const std::vector<double>&)> cost;
    static double call(const std::vector<double>& shares, std::vector<double>&, void* self) {
      return static_cast<Objective*>(self)->cost(shares);
    }
  } objective{[&](const std::vector<double>& shares) { return problem.cost(values_of(shares)); }};

  std::vector<double> best;
  double lowest = std::numeric_limits<double>::infinity();
  // A simplex may end in a corner where another resource is the bottleneck: three starts, the best end counts.
  for (const double factor : {1.0, 0.5, 2.0}) {
    std::vector<double> shares;
    for (const Unknown& unknown : stage.unknowns) {
      shares.push_back(scaled(unknown, std::clamp(unknown.start * factor, unknown.min, unknown.max)));
    }
    nlopt::opt search{nlopt::LN_SBPLX, static_cast<unsigned>(unknowns)};
    search.set_lower_bounds(0);
    search.set_upper_bounds(1);
    search.set_min_objective(&Objective::call, &objective);
    search.set_initial_step(0.2);
    search.set_xtol_abs(1e-3);
    search.set_maxeval(static_cast<int>(100 * unknowns));
    double ended = 0;
    search.optimize(shares, ended);
    const std::vector<double> values = descend(stage, problem, values_of(shares));
    if (const double cost = problem.cost(values); cost < lowest) {
      lowest = cost;
      best = values;
    }
  }
  return best;
}

/// Of 95 % intervals, from the uncertainties of the measured points; infinite where they do not determine a parameter.
std::vector<double> half_widths(const Problem& problem, const std::vector<double>& values) {
  const Eigen::MatrixXd jacobian = problem.jacobian(values);
  const Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
  const Eigen::MatrixXd covariance = normal.completeOrthogonalDecomposition().pseudoInverse();
  std::vector<double> widths;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const bool determined = jacobian.col(k).norm() > 0;
    widths.push_back(determined ? 1.96 * std::sqrt(std::max(0.0, covariance(k, k))) * values[i]
                                : std::numeric_limits<double>::infinity());
  }
  return widths;
}

/// The tried values on both sides of the one found bound it.
double grid_width(const Unknown& unknown, double value) {
  double width = std::numeric_limits<double>::infinity();
  for (const double other : unknown.values) {
    if (other != value) width = std::min(width, std::abs(other - value));
  }
  return width;
}

Machine machine_of(const scenario::Profile& profile) {
  if (profile.storage_server) return *profile.storage_server;
  if (profile.dma_machine) return *profile.dma_machine;
  return profile.hardware;
}

std::string sources_of(const Stage& stage) {
  std::set<std::string> figures;
  for (const Observation& observation : stage.observations) figures.insert(observation.figure->id);
  return fmt::format("{}", fmt::join(figures, ", "));
}

}  // namespace

Fit fit(const Plan& plan, const figures::Engine& engine, int jobs,
        const std::function<void(const std::string&)>& announce) {
  const scenario::Profile shipped = scenario::load_profile(plan.profile);
  const Machine before = machine_of(shipped);
  Machine machine = before;
  for (const Stage& stage : plan.stages) {
    for (const Unknown& unknown : stage.unknowns) {
      if (!get(machine, unknown.pointer)) {
        throw scenario::ScenarioError{{scenario::ErrorCode::path_not_found, unknown.mention.at, unknown.mention.pointer,
                                       "the path of a number in " + plan.profile.string(),
                                       scenario::in_quotes(unknown.pointer), std::string{}}};
      }
    }
    const std::vector<double> starts = starts_of(stage);
    for (std::size_t i = 0; i < starts.size(); ++i) set(machine, stage.unknowns[i].pointer, starts[i]);
  }

  Fit result;
  std::deque<Problem> problems;  // which stay where they are
  for (const Stage& stage : plan.stages) {
    announce(stage.name);
    const Problem& problem = problems.emplace_back(stage, machine, shipped.title, engine, jobs, result.evaluations);
    const bool grid = !stage.unknowns.front().values.empty();
    std::vector<double> values;
    if (grid) {
      values = solve_grid(stage, problem);
    } else {
      values = stage.method == Method::closed_form ? descend(stage, problem, starts_of(stage))
                                                   : solve_simulation(stage, problem);
    }
    const std::vector<double> widths = grid ? std::vector<double>(values.size(), 0) : half_widths(problem, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Unknown& unknown = stage.unknowns[i];
      set(machine, unknown.pointer, values[i]);
      Found found{.stage = stage.name,
                  .pointer = unknown.pointer,
                  .value = text(machine, unknown.pointer),
                  .shipped = text(before, unknown.pointer),
                  .sources = sources_of(stage),
                  .found = *get(machine, unknown.pointer),
                  .half_width = grid ? grid_width(unknown, values[i]) : widths[i],
                  .expected = *get(before, unknown.pointer)};
      found.at_end = !grid && (values[i] <= 1.001 * unknown.min || values[i] >= 0.999 * unknown.max);
      const double distance = std::abs(found.found - found.expected);
      found.agrees = distance <= std::max(found.half_width, 0.05 * std::abs(found.found));
      result.parameters.push_back(std::move(found));
    }
  }
  // What a stage left over depends on what later ones found.
  for (const Problem& problem : problems) {
    const Vector predictions = problem.predict({});
    for (std::size_t i = 0; i < problem.experiments().size(); ++i) {
      const Observation& observation = *problem.experiments()[i].observation;
      result.residuals.push_back({problem.stage().name, observation.figure->id, observation.series, observation.point.x,
                                  observation.point.value, predictions[static_cast<Eigen::Index>(i)]});
    }
  }
  return result;
}

}  // namespace doorbell::calibrate
