#include "calibrate/stage_summary.hpp"

#include <algorithm>
#include <cmath>

#include "figures/statistics.hpp"

namespace doorbell::calibrate {
namespace {

StageSummary summary_of(const std::string& stage, const std::vector<const Residual*>& points, std::size_t found,
                        bool is_listed) {
  StageSummary summary;
  summary.stage = stage;
  summary.points = points.size();
  std::vector<double> errors;
  double squares = 0;
  std::size_t deciding = 0;
  for (const Residual* point : points) {
    if (const auto error = error_of(*point)) errors.push_back(*error);
    if (point->say == Say::independent) continue;
    squares += point->deviation * point->deviation;
    ++(point->say == Say::outvoted ? summary.outvoted : deciding);
  }
  summary.median_error = figures::summarise(errors).median;
  summary.worst = **std::max_element(points.begin(), points.end(), [](const Residual* a, const Residual* b) {
    return std::abs(error_of(*a).value_or(0)) < std::abs(error_of(*b).value_or(0));
  });
  summary.scatter_is_known = deciding > found && !is_listed;
  const std::size_t depending = deciding + summary.outvoted;
  const std::size_t to_spare = depending > found ? depending - found : 1;
  summary.chi = std::sqrt(squares / static_cast<double>(to_spare));
  summary.fits = summary.chi <= largest_chi;
  return summary;
}

}  // namespace

std::vector<StageSummary> summarise(const Fit& fit) {
  std::vector<StageSummary> summaries;
  for (auto next = fit.residuals.begin(); next != fit.residuals.end();) {
    const std::string& stage = next->stage;
    std::vector<const Residual*> points;
    for (; next != fit.residuals.end() && next->stage == stage; ++next) points.push_back(&*next);
    const auto found = std::count_if(fit.parameters.begin(), fit.parameters.end(), [&](const Found& parameter) {
      return parameter.stage == stage && parameter.basis == Basis::points;
    });
    const bool is_listed = std::ranges::any_of(
        fit.parameters, [&](const Found& parameter) { return parameter.stage == stage && parameter.is_listed; });
    summaries.push_back(summary_of(stage, points, static_cast<std::size_t>(found), is_listed));
  }
  return summaries;
}

}  // namespace doorbell::calibrate
