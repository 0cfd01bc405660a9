#include "calibrate/fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <nlopt.hpp>
#include <set>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "calibrate/parameter.hpp"
#include "calibrate/problem.hpp"
#include "figures/statistics.hpp"
#include "scenario/profile.hpp"

namespace doorbell::calibrate {
namespace {

std::vector<double> starts_of(const Stage& stage) {
  std::vector<double> starts;
  for (const Unknown& unknown : stage.unknowns) {
    starts.push_back(unknown.values.empty() ? unknown.start : unknown.values.front());
  }
  return starts;
}

std::vector<double> within(const Stage& stage, const Vector& logarithms) {
  std::vector<double> values;
  for (const Unknown& unknown : stage.unknowns) {
    const double value = std::exp(logarithms[static_cast<Eigen::Index>(values.size())]);
    values.push_back(std::clamp(value, unknown.min, unknown.max));
  }
  return values;
}

/// The residuals as Eigen wants them: by the logarithms of the unknowns, and at least as many as those.
struct Residuals : Eigen::DenseFunctor<double> {
  Residuals(const Stage& of_stage, const Problem& of_problem)
      : DenseFunctor(static_cast<int>(of_stage.unknowns.size()),
                     static_cast<int>(std::max(of_stage.unknowns.size(), of_problem.experiments().size()))),
        stage{of_stage},
        problem{of_problem} {}

  int operator()(const InputType& logarithms, ValueType& residuals) const {
    const Vector told = problem.residuals(within(stage, logarithms));
    residuals = ValueType::Zero(values());
    residuals.head(told.size()) = told;
    return told.allFinite() ? 0 : -1;
  }
  int df(const InputType& logarithms, JacobianType& jacobian) const {
    const Eigen::MatrixXd told = problem.jacobian(within(stage, logarithms));
    jacobian = JacobianType::Zero(values(), inputs());
    jacobian.topRows(told.rows()) = told;
    return told.allFinite() ? 0 : -1;
  }

  const Stage& stage;
  const Problem& problem;
};

/// Levenberg-Marquardt, from `values` on. The problem is smooth but for the places where the bottleneck changes.
std::vector<double> descend(const Stage& stage, const Problem& problem, const std::vector<double>& values) {
  Residuals residuals{stage, problem};
  Vector logarithms(residuals.inputs());
  for (std::size_t i = 0; i < values.size(); ++i) logarithms[static_cast<Eigen::Index>(i)] = std::log(values[i]);
  Eigen::LevenbergMarquardt<Residuals> search{residuals};
  search.setMaxfev(100);
  search.setFtol(1e-9);
  search.minimize(logarithms);
  const std::vector<double> found = within(stage, logarithms);
  return problem.cost(found) < problem.cost(values) ? found : values;
}

struct GridSolution {
  std::vector<double> best;
  std::vector<bool> told;  ///< Whether another value of this unknown alone is worse.
};

GridSolution solve_grid(const Stage& stage, const Problem& problem) {
  const std::size_t unknowns = stage.unknowns.size();
  std::map<std::vector<std::size_t>, double> costs;
  std::vector<std::size_t> index(unknowns, 0);
  std::vector<std::size_t> best = index;
  double lowest = std::numeric_limits<double>::infinity();
  const auto values_at = [&](const std::vector<std::size_t>& place) {
    std::vector<double> values;
    for (std::size_t i = 0; i < unknowns; ++i) values.push_back(stage.unknowns[i].values[place[i]]);
    return values;
  };
  for (std::size_t digit = 0; digit < unknowns;) {
    const double cost = costs[index] = problem.cost(values_at(index));
    if (cost < lowest) {
      lowest = cost;
      best = index;
    }
    digit = 0;
    while (digit < unknowns && ++index[digit] == stage.unknowns[digit].values.size()) index[digit++] = 0;
  }
  GridSolution solution{values_at(best), std::vector<bool>(unknowns, false)};
  for (std::size_t i = 0; i < unknowns; ++i) {
    std::vector<std::size_t> other = best;
    for (std::size_t k = 0; k < stage.unknowns[i].values.size(); ++k) {
      other[i] = k;
      if (costs.at(other) > lowest) solution.told[i] = true;
    }
  }
  return solution;
}

/// From 0..1 to the range, and back.
double unscaled(const Unknown& unknown, double share) {
  return unknown.min * std::pow(unknown.max / unknown.min, share);
}
double scaled(const Unknown& unknown, double value) {
  return std::log(value / unknown.min) / std::log(unknown.max / unknown.min);
}

/// One unknown needs no search: the best of evenly spread values, and of those by which the place is halved where the
/// sum of the residuals changes its sign, and down from there. The best of few may lie where another resource limits,
/// and from there no slope leads down.
std::vector<double> solve_single(const Stage& stage, const Problem& problem) {
  const Unknown& unknown = stage.unknowns.front();
  std::vector<double> best = starts_of(stage);
  double lowest = problem.cost(best);
  const auto try_at = [&](double share) {
    const std::vector<double> trial{unscaled(unknown, share)};
    const Vector residuals = problem.residuals(trial);
    if (const double cost = residuals.squaredNorm(); cost < lowest) {
      lowest = cost;
      best = trial;
    }
    return residuals.sum();
  };
  constexpr int coarse = 24;
  constexpr int halvings = 8;
  double before = try_at(0);
  for (int i = 1; i <= coarse; ++i) {
    const double here = try_at(static_cast<double>(i) / coarse);
    double low = static_cast<double>(i - 1) / coarse;
    double high = static_cast<double>(i) / coarse;
    for (int k = 0; k < halvings && (before < 0) != (here < 0); ++k) {
      const double middle = (low + high) / 2;
      ((try_at(middle) < 0) == (before < 0) ? low : high) = middle;
    }
    before = here;
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

  std::vector<double> best = starts_of(stage);  // which stay where no prediction is finite
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

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Of 95 % intervals, from the uncertainties of the measured points; infinite where they leave a parameter open: none
/// of them depends on it, or only on a combination of it with others, or so little that its whole range is in the
/// interval.
std::vector<double> half_widths(const Problem& problem, const std::vector<double>& values) {
  std::vector<double> widths(values.size(), unbounded);
  Eigen::MatrixXd jacobian = problem.jacobian(values);
  if (!jacobian.allFinite()) return widths;
  // Units of equal length, or a parameter that counts little would look like a combination of others.
  Vector lengths = jacobian.colwise().norm();
  for (Eigen::Index k = 0; k < jacobian.cols(); ++k) {
    if (lengths[k] > 0) jacobian.col(k) /= lengths[k];
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-6);
  decomposition.compute(jacobian);
  const Eigen::MatrixXd inverse = decomposition.pseudoInverse();
  const Eigen::MatrixXd resolved = inverse * jacobian;  // 1 on the diagonal where the points tell one from all others
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (!(resolved(k, k) > 1 - 1e-6)) continue;
    const double relative = 1.96 * inverse.row(k).norm() / lengths[k];
    const Unknown& unknown = problem.stage().unknowns[i];
    const double factor = std::exp(relative);
    if (values[i] / factor > unknown.min || values[i] * factor < unknown.max) widths[i] = relative * values[i];
  }
  return widths;
}

/// The tried values on both sides of the one found bound it.
double grid_width(const Unknown& unknown, double value) {
  double width = unbounded;
  for (const double other : unknown.values) {
    if (other != value) width = std::min(width, std::abs(other - value));
  }
  return width;
}

bool is_pinned(const Unknown& unknown) {
  return !unknown.values.empty() &&
         std::ranges::all_of(unknown.values, [&](double value) { return value == unknown.values.front(); });
}

/// What a stage found for its unknowns, in their order.
struct Solution {
  std::vector<double> values;
  std::vector<double> half_widths;
};

Solution solve(const Stage& stage, const Problem& problem) {
  if (stage.unknowns.front().values.empty()) {
    const std::vector<double> values = stage.method == Method::closed_form ? descend(stage, problem, starts_of(stage))
                                                                           : solve_simulation(stage, problem);
    return {values, half_widths(problem, values)};
  }
  const GridSolution grid = solve_grid(stage, problem);
  Solution solution{grid.best, {}};
  for (std::size_t i = 0; i < grid.best.size(); ++i) {
    solution.half_widths.push_back(grid.told[i] ? grid_width(stage.unknowns[i], grid.best[i]) : unbounded);
  }
  return solution;
}

std::string sources_of(const Stage& stage) {
  std::set<std::string> figures;
  for (const Observation& observation : stage.observations) figures.insert(observation.figure->id);
  return fmt::format("{}", fmt::join(figures, ", "));
}

/// `machine` has what was found, `shipped` what the profile says.
Found judged(const Stage& stage, const Unknown& unknown, double half_width, const Machine& machine,
             const Machine& shipped) {
  Found found{.stage = stage.name,
              .pointer = unknown.pointer,
              .value = text(machine, unknown.pointer),
              .shipped = text(shipped, unknown.pointer),
              .sources = sources_of(stage),
              .found = *get(machine, unknown.pointer),
              .half_width = half_width,
              .expected = *get(shipped, unknown.pointer)};
  if (is_pinned(unknown)) {
    found.basis = Basis::plan;
    found.half_width = 0;
  } else if (std::isinf(half_width)) {
    found.basis = Basis::nothing;
  }
  const double distance = std::abs(found.found - found.expected);
  found.agrees = found.basis != Basis::nothing && distance <= std::max(found.half_width, 0.05 * std::abs(found.found));
  return found;
}

Machine machine_of(const scenario::Profile& profile) {
  if (profile.storage_server) return *profile.storage_server;
  if (profile.dma_machine) return *profile.dma_machine;
  return profile.hardware;
}

}  // namespace

double error_of(const Residual& residual) {
  return figures::relative_error(residual.predicted, residual.measured).value_or(0);
}

Fit fit(const Plan& plan, const figures::Engine& engine, int jobs,
        const std::function<void(const std::string&)>& announce) {
  const scenario::Profile shipped = scenario::load_profile(plan.profile, plan.mention.at, plan.mention.pointer);
  const Machine before = machine_of(shipped);
  Machine machine = before;
  for (const Stage& stage : plan.stages) {
    for (const Unknown& unknown : stage.unknowns) {
      if (!get(machine, unknown.pointer)) {
        throw scenario::ScenarioError{{scenario::ErrorCode::path_not_found, unknown.mention.at, unknown.mention.pointer,
                                       "the path of a number in " + plan.profile.string(),
                                       scenario::in_quotes(unknown.pointer),
                                       scenario::nearest(unknown.pointer, paths(machine))}};
      }
      const scenario::Dimension dimension = dimension_of(text(machine, unknown.pointer));
      if (unknown.dimension != dimension) {
        throw scenario::ScenarioError{
            {scenario::ErrorCode::malformed_quantity, unknown.spelled.at, unknown.spelled.pointer,
             fmt::format("{}, as {} is", scenario::dimension_name(dimension), unknown.pointer),
             std::string{scenario::dimension_name(unknown.dimension)}, std::string{}}};
      }
    }
    const std::vector<double> starts = starts_of(stage);
    for (std::size_t i = 0; i < starts.size(); ++i) set(machine, stage.unknowns[i].pointer, starts[i]);
  }

  Fit result;
  const std::string profile = plan.profile.lexically_normal().string();
  // All of them before any is solved: what is wrong in the last one should be known before minutes of fitting.
  std::deque<Problem> problems;  // which stay where they are
  for (const Stage& stage : plan.stages) {
    problems.emplace_back(stage, machine, shipped.title, profile, engine, jobs, result.evaluations);
  }
  for (const Problem& problem : problems) {
    const Stage& stage = problem.stage();
    announce(stage.name);
    const Solution solution = solve(stage, problem);
    for (std::size_t i = 0; i < stage.unknowns.size(); ++i) {
      const Unknown& unknown = stage.unknowns[i];
      const double value = solution.values[i];
      set(machine, unknown.pointer, value);
      Found found = judged(stage, unknown, solution.half_widths[i], machine, before);
      found.at_end = unknown.values.empty() && (value <= 1.001 * unknown.min || value >= 0.999 * unknown.max);
      result.parameters.push_back(std::move(found));
    }
  }
  // What a stage left over depends on what later ones found.
  for (const Problem& problem : problems) {
    const Vector predictions = problem.predict({});
    const Vector deviations = problem.deviations(predictions);
    for (std::size_t i = 0; i < problem.experiments().size(); ++i) {
      const Observation& observation = *problem.experiments()[i].observation;
      const auto k = static_cast<Eigen::Index>(i);
      result.residuals.push_back({problem.stage().name, observation.figure->id, observation.series, observation.point.x,
                                  observation.point.value, predictions[k], deviations[k]});
    }
  }
  return result;
}

}  // namespace doorbell::calibrate
