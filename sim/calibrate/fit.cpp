#include "calibrate/fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <nlopt.hpp>

#include "calibrate/derivatives.hpp"
#include "calibrate/descend.hpp"
#include "calibrate/influence.hpp"
#include "calibrate/interval.hpp"
#include "calibrate/judge.hpp"
#include "calibrate/parameter.hpp"
#include "calibrate/problem.hpp"
#include "calibrate/single.hpp"
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

struct GridSolution {
  std::vector<double> best;
  std::vector<bool> told;      ///< Whether another value of this unknown alone is worse.
  std::vector<double> as_far;  ///< How far from the best others of this unknown alone lie that are as good.
};

/// Of combinations that are as good, which counts: nearest to the starts, then the smallest, unknown by unknown.
bool comes_before(const std::vector<double>& values, const std::vector<double>& others,
                  const std::vector<double>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double far = std::abs(others[i] - starts[i]);
    const double nearer = std::abs(values[i] - starts[i]) - far;
    // Distances that differ by rounding only are equal.
    if (std::abs(nearer) > 1e-9 * far) return nearer < 0;
    if (values[i] != others[i]) return values[i] < others[i];
  }
  return false;
}

GridSolution solve_grid(const Stage& stage, const Problem& problem) {
  const std::size_t unknowns = stage.unknowns.size();
  std::map<std::vector<std::size_t>, double> costs;
  std::vector<std::size_t> index(unknowns, 0);
  std::vector<std::size_t> best = index;
  const std::vector<double> starts = starts_of(stage);
  double lowest = std::numeric_limits<double>::infinity();
  const auto values_at = [&](const std::vector<std::size_t>& place) {
    std::vector<double> values;
    for (std::size_t i = 0; i < unknowns; ++i) values.push_back(stage.unknowns[i].values[place[i]]);
    return values;
  };
  for (std::size_t digit = 0; digit < unknowns;) {
    const double cost = costs[index] = problem.cost(values_at(index));
    if (cost < lowest || (cost == lowest && comes_before(values_at(index), values_at(best), starts))) {
      lowest = cost;
      best = index;
    }
    digit = 0;
    while (digit < unknowns && ++index[digit] == stage.unknowns[digit].values.size()) index[digit++] = 0;
  }
  GridSolution solution{values_at(best), std::vector<bool>(unknowns, false), std::vector<double>(unknowns, 0)};
  for (std::size_t i = 0; i < unknowns; ++i) {
    std::vector<std::size_t> other = best;
    for (std::size_t k = 0; k < stage.unknowns[i].values.size(); ++k) {
      other[i] = k;
      if (costs.at(other) > lowest) {
        solution.told[i] = true;
      } else {
        solution.as_far[i] = std::max(solution.as_far[i], std::abs(stage.unknowns[i].values[k] - solution.best[i]));
      }
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

/// Whether two descents ended in one valley. Equal costs alone may be those of a plateau, where something else limits.
bool are_one_end(const std::vector<double>& values, const std::vector<double>& others) {
  return std::equal(values.begin(), values.end(), others.begin(),
                    [](double value, double other) { return std::abs(std::log(value / other)) <= 0.05; });
}

/// Subplex finds the valley without derivatives; along its floor Levenberg-Marquardt is better.
std::vector<double> solve_simulation(const Stage& stage, const Problem& problem) {
  const std::size_t unknowns = stage.unknowns.size();
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
  // A simplex may end in a corner where another resource is the bottleneck: up to three starts, the best end counts.
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
    search.set_xtol_abs(1e-2);
    search.set_maxeval(static_cast<int>(40 * unknowns));
    double ended = 0;
    search.optimize(shares, ended);
    const std::vector<double> values = descend(problem, values_of(shares));
    const bool is_confirmed = std::isfinite(lowest) && are_one_end(values, best);
    if (const double cost = problem.cost(values); cost < lowest) {
      lowest = cost;
      best = values;
    }
    if (is_confirmed) break;
  }
  return best;
}

/// The tried values on both sides of the one found bound it, unless others are as good.
double grid_width(const Unknown& unknown, double value) {
  double width = std::numeric_limits<double>::infinity();
  for (const double other : unknown.values) {
    if (other != value) width = std::min(width, std::abs(other - value));
  }
  return width;
}

/// What a stage found for its unknowns, in their order.
struct Solution {
  std::vector<double> values;
  std::vector<Interval> intervals;
  Selection depending;
  Selection deciding;
  std::vector<std::optional<double>> wanted;  // by the points, where there is one unknown
};

Solution solve_listed(const Stage& stage, const Problem& problem) {
  const GridSolution grid = solve_grid(stage, problem);
  Solution solution;
  solution.values = grid.best;
  for (std::size_t i = 0; i < grid.best.size(); ++i) {
    Interval interval{std::max(grid_width(stage.unknowns[i], grid.best[i]), grid.as_far[i]), Open::no, {}};
    if (!grid.told[i]) interval = {std::numeric_limits<double>::infinity(), Open::range, {}};
    solution.intervals.push_back(interval);
  }
  return solution;
}

Solution solve(const Stage& stage, const Problem& problem) {
  if (!stage.unknowns.front().values.empty()) return solve_listed(stage, problem);
  Solution solution;
  if (stage.unknowns.size() == 1) {
    SingleSolution single = solve_single(problem);
    solution = {{single.value}, {}, std::move(single.depending), std::move(single.deciding), std::move(single.wanted)};
  } else {
    solution.values =
        stage.method == Method::closed_form ? descend(problem, starts_of(stage)) : solve_simulation(stage, problem);
    solution.depending = depending_points(problem, jacobian(problem, solution.values));
    solution.deciding = solution.depending;
    if (!solution.deciding.empty()) solution.values = descend(problem, solution.values, solution.deciding);
  }
  solution.intervals = intervals(problem, solution.values, solution.deciding);
  return solution;
}

/// A point beside what it is predicted as, in the light of how its stage was solved.
Residual residual_of(const Problem& problem, const Solution& solution, std::size_t point, double predicted,
                     double deviation, const Machine& machine) {
  const Observation& observation = *problem.experiments()[point].observation;
  Residual residual{.stage = problem.stage().name,
                    .figure = observation.figure->id,
                    .series = observation.series,
                    .x = observation.point.x,
                    .measured = observation.point.value,
                    .predicted = predicted,
                    .deviation = deviation};
  if (!is_selected(solution.depending, point)) {
    residual.say = Say::independent;
    residual.limit = problem.limit_of(point);
  } else if (!is_selected(solution.deciding, point)) {
    residual.say = Say::outvoted;
  }
  if (point < solution.wanted.size() && solution.wanted[point]) {
    const std::string& pointer = problem.stage().unknowns.front().pointer;
    const double wanted = *solution.wanted[point];
    Machine trial = machine;
    set(trial, pointer, wanted);
    residual.wanted = text(trial, pointer);
    residual.pull = wanted / solution.values.front();
  }
  return residual;
}

/// What the search may come to must be possible; counts as they are rounded.
void require_within_limits(const Machine& machine, const Unknown& unknown) {
  const Limits sensible = limits(machine, unknown.pointer);
  const auto shown = [&](double number) { return scenario::format_quantity(number, unknown.dimension); };
  const std::vector<double> values =
      unknown.values.empty() ? std::vector{unknown.start, unknown.min, unknown.max} : unknown.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Machine trial = machine;
    set(trial, unknown.pointer, values[i]);
    const double rounded = *get(trial, unknown.pointer);
    const figures::Mention& place = unknown.places[i];
    if (!(sensible.min <= rounded && rounded <= sensible.max)) {
      throw scenario::ScenarioError{
          {scenario::ErrorCode::out_of_range, place.at, place.pointer,
           std::isinf(sensible.max)
               ? fmt::format("values of {} of at least {}", unknown.pointer, shown(sensible.min))
               : fmt::format("values of {} from {} to {}", unknown.pointer, shown(sensible.min), shown(sensible.max)),
           shown(values[i]), std::string{}}};
    }
    // Quantities with a unit may be finer than their resolution.
    if (unknown.dimension == scenario::Dimension::number && rounded != values[i]) {
      throw scenario::ScenarioError{{scenario::ErrorCode::not_whole, place.at, place.pointer,
                                     fmt::format("a whole number, as {} is", unknown.pointer), shown(values[i]),
                                     std::string{}}};
    }
  }
}

Machine machine_of(const scenario::Profile& profile) {
  if (profile.storage_server) return *profile.storage_server;
  if (profile.dma_machine) return *profile.dma_machine;
  return profile.hardware;
}

/// That the unknown is a number of the machine, of the dimension and within the limits that the profile gives it.
void require_in_profile(const Machine& machine, const Unknown& unknown, const Plan& plan) {
  if (!get(machine, unknown.pointer)) {
    throw scenario::ScenarioError{{scenario::ErrorCode::path_not_found, unknown.mention.at, unknown.mention.pointer,
                                   "the path of a number in " + plan.profile.string(),
                                   scenario::in_quotes(unknown.pointer),
                                   scenario::nearest(unknown.pointer, paths(machine))}};
  }
  const scenario::Dimension dimension = dimension_of(text(machine, unknown.pointer));
  if (unknown.dimension != dimension) {
    throw scenario::ScenarioError{{unknown.dimension == scenario::Dimension::number
                                       ? scenario::ErrorCode::missing_unit
                                       : scenario::ErrorCode::wrong_dimension,
                                   unknown.places.front().at, unknown.places.front().pointer,
                                   fmt::format("{}, as {} is", scenario::dimension_name(dimension), unknown.pointer),
                                   std::string{scenario::dimension_name(unknown.dimension)}, std::string{}}};
  }
  require_within_limits(machine, unknown);
}

/// All that is known before anything is simulated. What is wrong in the last stage should be known then, too.
class Setup {
 public:
  Setup(const Plan& plan, const figures::Engine& engine, int jobs)
      : Setup{plan, scenario::load_profile(plan.profile, plan.mention.at, plan.mention.pointer), engine, jobs} {}
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  [[nodiscard]] const Machine& shipped() const { return varied_.profile; }
  /// With the start values, until others are found.
  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] const std::deque<Problem>& problems() const { return problems_; }
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  Setup(const Plan& plan, const scenario::Profile& profile, const figures::Engine& engine, int jobs)
      : varied_{profile.title, machine_of(profile), {}}, machine_{varied_.profile} {
    for (const Stage& stage : plan.stages) {
      for (const Unknown& unknown : stage.unknowns) {
        require_in_profile(machine_, unknown, plan);
        varied_.pointers.push_back(unknown.pointer);
      }
      const std::vector<double> starts = starts_of(stage);
      for (std::size_t i = 0; i < starts.size(); ++i) set(machine_, stage.unknowns[i].pointer, starts[i]);
    }
    const std::string name = plan.profile.lexically_normal().string();
    for (const Stage& stage : plan.stages)
      problems_.emplace_back(stage, machine_, varied_, name, engine, jobs, evaluations_);
  }

  Varied varied_;
  Machine machine_;
  int evaluations_ = 0;
  std::deque<Problem> problems_;  // which stay where they are
};

}  // namespace

std::optional<double> error_of(const Residual& residual) {
  return figures::relative_error(residual.predicted, residual.measured);
}

void require_possible(const Plan& plan, const figures::Engine& engine) { static_cast<void>(Setup{plan, engine, 1}); }

Fit fit(const Plan& plan, const figures::Engine& engine, int jobs,
        const std::function<void(const std::string&)>& announce) {
  Setup setup{plan, engine, jobs};
  Fit result;
  std::vector<Solution> solutions;
  for (const Problem& problem : setup.problems()) {
    const Stage& stage = problem.stage();
    announce(stage.name);
    const Solution& solution = solutions.emplace_back(solve(stage, problem));
    for (std::size_t i = 0; i < stage.unknowns.size(); ++i) {
      const Unknown& unknown = stage.unknowns[i];
      set(setup.machine(), unknown.pointer, solution.values[i]);
      result.parameters.push_back(judged(stage, unknown, solution.intervals[i], setup.machine(), setup.shipped()));
    }
  }
  // What a stage left over depends on what later ones found.
  const std::deque<Problem>& problems = setup.problems();
  for (std::size_t s = 0; s < problems.size(); ++s) {
    const Vector predictions = problems[s].predict({});
    const Vector deviations = problems[s].deviations(predictions);
    for (std::size_t i = 0; i < problems[s].experiments().size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      result.residuals.push_back(
          residual_of(problems[s], solutions[s], i, predictions[k], deviations[k], setup.machine()));
    }
  }
  result.evaluations = setup.evaluations();
  return result;
}

}  // namespace doorbell::calibrate
