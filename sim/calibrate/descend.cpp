#include "calibrate/descend.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "calibrate/derivatives.hpp"

namespace doorbell::calibrate {
namespace {

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
  Residuals(const Problem& of_problem, const Selection& of_points)
      : DenseFunctor(static_cast<int>(of_problem.stage().unknowns.size()),
                     static_cast<int>(std::max(of_problem.stage().unknowns.size(), of_problem.experiments().size()))),
        problem{of_problem},
        points{of_points} {}

  int operator()(const InputType& logarithms, ValueType& residuals) const {
    const Vector told = problem.residuals(within(problem.stage(), logarithms), points);
    residuals = ValueType::Zero(values());
    residuals.head(told.size()) = told;
    return told.allFinite() ? 0 : -1;
  }
  int df(const InputType& logarithms, JacobianType& slopes) const {
    const Eigen::MatrixXd told = jacobian(problem, within(problem.stage(), logarithms), points);
    slopes = JacobianType::Zero(values(), inputs());
    slopes.topRows(told.rows()) = told;
    return told.allFinite() ? 0 : -1;
  }

  const Problem& problem;
  const Selection& points;
};

}  // namespace

std::vector<double> descend(const Problem& problem, const std::vector<double>& values, const Selection& points) {
  Residuals residuals{problem, points};
  Vector logarithms(residuals.inputs());
  for (std::size_t i = 0; i < values.size(); ++i) logarithms[static_cast<Eigen::Index>(i)] = std::log(values[i]);
  Eigen::LevenbergMarquardt<Residuals> search{residuals};
  search.setMaxfev(100);
  search.setFtol(1e-6);
  search.setXtol(1e-5);
  search.minimize(logarithms);
  const std::vector<double> found = within(problem.stage(), logarithms);
  return problem.cost(found, points) < problem.cost(values, points) ? found : values;
}

}  // namespace doorbell::calibrate
