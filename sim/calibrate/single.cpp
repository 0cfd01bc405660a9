#include "calibrate/single.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibrate/derivatives.hpp"
#include "calibrate/descend.hpp"
#include "calibrate/influence.hpp"
#include "calibrate/stage_summary.hpp"

namespace doorbell::calibrate {
namespace {

/// A value with what the points say to it.
struct Candidate {
  double value = 0;
  Selection depending;
  Selection deciding;
  double score = std::numeric_limits<double>::infinity();  // what is left unexplained, in squares of uncertainties
};

/// From where on a residual is no matter of uncertainties: ten of them, and ten per cent.
double gross(const Experiment& experiment) {
  return std::max(10.0, 0.1 * std::abs(experiment.observation->point.value) / experiment.scale);
}

/// Whether what was measured is better than predicted, of rates and of times.
bool is_faster(const Experiment& experiment, double residual) {
  using Kind = figures::Metric::Kind;
  switch (experiment.metric->kind) {
    case Kind::throughput:
    case Kind::bandwidth:
    case Kind::relative_throughput: return residual < 0;
    case Kind::latency_mean:
    case Kind::latency_p50:
    case Kind::latency_p99:
    case Kind::time_per: return residual > 0;
    default: return false;
  }
}

std::size_t count(const Selection& points) {
  return static_cast<std::size_t>(std::count(points.begin(), points.end(), true));
}

class SingleSearch {
 public:
  explicit SingleSearch(const Problem& problem)
      : problem_{problem}, unknown_{problem.stage().unknowns.front()}, own_(problem.experiments().size()) {}

  SingleSolution run() {
    try_value(unknown_.start);
    look_over_range();
    const std::vector<double> suggested = suggestions();
    for (const double value : suggested) try_value(value);
    Candidate best = rated(descend(problem_, {best_}).front());
    if (!fits_all(best)) {
      for (const double value : suggested) {
        const Candidate alone = rated(value);
        for (const Candidate& other : {alone, rated(agreement_of(alone))}) {
          if (other.score < best.score) best = other;
        }
      }
    }
    settle(best);
    return {best.value, best.depending, best.deciding, wanted_near(best.value)};
  }

 private:
  Vector try_value(double value) {
    Vector residuals = problem_.residuals({value});
    if (const double cost = residuals.squaredNorm(); cost < lowest_ || best_ == 0) {
      lowest_ = cost;
      best_ = value;
    }
    return residuals;
  }

  /// Evenly spread values, and for each point alone the places where its residual changes its sign. A few values alone
  /// may all lie where another resource limits, and from there no slope leads down.
  void look_over_range() {
    constexpr int coarse = 24;
    const auto place = [&](int i) {
      return unknown_.min * std::pow(unknown_.max / unknown_.min, static_cast<double>(i) / coarse);
    };
    Vector before = try_value(place(0));
    for (int i = 1; i <= coarse; ++i) {
      const Vector here = try_value(place(i));
      for (std::size_t k = 0; k < own_.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        const bool are_finite = std::isfinite(before[row]) && std::isfinite(here[row]);
        if (are_finite && (before[row] < 0) != (here[row] < 0))
          own_[k].push_back(crossing(k, place(i - 1), place(i), before[row] < 0));
      }
      before = here;
    }
  }

  double crossing(std::size_t point, double low, double high, bool rises) const {
    constexpr int halvings = 8;
    Selection alone(own_.size(), false);
    alone[point] = true;
    for (int k = 0; k < halvings; ++k) {
      const double middle = std::sqrt(low * high);
      const double residual = problem_.residuals({middle}, alone)[static_cast<Eigen::Index>(point)];
      ((residual < 0) == rises ? low : high) = middle;
    }
    return std::sqrt(low * high);
  }

  /// What suits single points, as one where they hardly differ.
  [[nodiscard]] std::vector<double> suggestions() const {
    constexpr double same = 1.02;
    std::vector<double> all;
    for (const std::vector<double>& values : own_) all.insert(all.end(), values.begin(), values.end());
    std::sort(all.begin(), all.end());
    std::vector<double> some;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i;
      double sum = 0;
      for (; end < all.size() && all[end] <= same * all[i]; ++end) sum += std::log(all[end]);
      some.push_back(std::exp(sum / static_cast<double>(end - i)));
      i = end;
    }
    return some;
  }

  [[nodiscard]] std::optional<double> own_near(std::size_t point, double value) const {
    std::optional<double> nearest;
    const auto distance = [&](double own) { return std::abs(std::log(own / value)); };
    for (const double own : own_[point]) {
      if (!nearest || distance(own) < distance(*nearest)) nearest = own;
    }
    return nearest;
  }
  [[nodiscard]] std::vector<std::optional<double>> wanted_near(double value) const {
    std::vector<std::optional<double>> wanted;
    for (std::size_t i = 0; i < own_.size(); ++i) wanted.push_back(own_near(i, value));
    return wanted;
  }

  /// Between what the points want that decide, each with the weight that least squares give it.
  [[nodiscard]] double agreement_of(const Candidate& candidate) const {
    const double value = candidate.value;
    const Eigen::MatrixXd slopes = jacobian(problem_, {value}, candidate.deciding);
    const Vector residuals = problem_.residuals({value}, candidate.deciding);
    if (!slopes.allFinite() || !residuals.allFinite()) return value;
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double slope = slopes(row, 0);
      if (slope == 0) continue;
      const auto own = own_near(i, value);
      sum += slope * slope * (own ? std::log(*own / value) : -residuals[row] / slope);
      weights += slope * slope;
    }
    return weights > 0 ? std::clamp(value * std::exp(sum / weights), unknown_.min, unknown_.max) : value;
  }

  [[nodiscard]] Candidate rated(double value) const {
    Candidate candidate;
    candidate.value = value;
    candidate.depending = depending_points(problem_, jacobian(problem_, {value}));
    const Vector residuals = problem_.residuals({value});
    if (!residuals.allFinite()) return candidate;
    candidate.score = 0;
    Selection agreeing(own_.size(), false);
    double apart = 0;   // of all that depend on the unknown, taken as they are
    double agreed = 0;  // of the same, where what contradicts counts as gross
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const Experiment& experiment = problem_.experiments()[i];
      const double residual = residuals[static_cast<Eigen::Index>(i)];
      const double square = residual * residual;
      const double limit = std::pow(gross(experiment), 2);
      if (!is_selected(candidate.depending, i)) {
        // No fault of the value; but the more of these there are, the less it explains.
        candidate.score += std::min(square, limit);
        continue;
      }
      agreeing[i] = square <= limit;
      apart += square;
      agreed += agreeing[i] ? square : is_faster(experiment, residual) ? 3 * limit : limit;
    }
    const std::size_t depending = candidate.depending.empty() ? own_.size() : count(candidate.depending);
    const std::size_t in_agreement = count(agreeing);
    const bool is_majority = 2 * in_agreement > depending;
    candidate.score += is_majority ? agreed : apart;
    candidate.deciding = is_majority && in_agreement < own_.size() ? agreeing : candidate.depending;
    return candidate;
  }

  [[nodiscard]] bool fits_all(const Candidate& candidate) const {
    const double to_spare = std::max(1.0, static_cast<double>(own_.size()) - 1);
    return candidate.score <= largest_chi * largest_chi * to_spare;
  }

  /// The least sum of squares of what decides. It lies between what these points want, where that is looked for, too:
  /// medians go in steps, on which no slope leads down.
  [[nodiscard]] double least_of(const Candidate& candidate) const {
    double best = descend(problem_, {candidate.value}, candidate.deciding).front();
    double lowest = problem_.cost({best}, candidate.deciding);
    double low = best;
    double high = best;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const auto own = own_near(i, best);
      if (!own || !is_selected(candidate.deciding, i)) continue;
      low = std::min(low, *own);
      high = std::max(high, *own);
    }
    constexpr int parts = 8;
    constexpr int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
      const double step = std::pow(high / low, 1.0 / parts);
      if (!(step > 1.0001)) break;
      for (double trial = low; trial <= high; trial *= step) {
        const double cost = problem_.cost({trial}, candidate.deciding);
        if (cost >= lowest) continue;
        lowest = cost;
        best = trial;
      }
      low = std::max(unknown_.min, best / step);
      high = std::min(unknown_.max, best * step);
    }
    return best;
  }

  /// Which points decide depends on the value, and the value on them.
  void settle(Candidate& candidate) const {
    constexpr int rounds = 3;
    for (int i = 0; i < rounds; ++i) {
      Candidate next = rated(least_of(candidate));
      const bool is_settled = next.deciding == candidate.deciding;
      candidate = std::move(next);
      if (is_settled) return;
    }
  }

  const Problem& problem_;
  const Unknown& unknown_;
  std::vector<std::vector<double>> own_;  // by point: the values at which it fits
  double best_ = 0;
  double lowest_ = 0;
};

}  // namespace

SingleSolution solve_single(const Problem& problem) { return SingleSearch{problem}.run(); }

}  // namespace doorbell::calibrate
