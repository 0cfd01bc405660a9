// Which points of a stage depend on its unknowns: only those may decide what they are.
#pragma once

#include <Eigen/Dense>

#include "calibrate/problem.hpp"

namespace doorbell::calibrate {

/// The points that follow an unknown by at least a fifth of what the most sensitive point follows it by, after the
/// jacobian at a solution. What the others differ by is due to something else, and would only draw the unknowns away.
/// Empty, which is all points, when all do so or none depends on anything.
[[nodiscard]] Selection depending_points(const Problem& problem, const Eigen::MatrixXd& jacobian);

}  // namespace doorbell::calibrate
