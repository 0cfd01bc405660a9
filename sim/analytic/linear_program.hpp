// Linear programs of a few rows: what is the most that several activities gain of what they share?
#pragma once

#include <Eigen/Core>

namespace doorbell::analytic {

/// An optimum of a linear program.
struct Optimum {
  Eigen::VectorXd amounts;  ///< Of each activity.
  Eigen::VectorXd worths;   ///< What of the gain is due to each row: they sum up to it, and are 0 for rows with rest.
};

/// The amounts, none of them negative, that gain most: `gains` * amounts, where `uses` * amounts takes no more than 1
/// of any row. Of rows that limit in the same way, the first is the one that counts.
///
/// Throws std::invalid_argument when nothing limits an activity that gains.
[[nodiscard]] Optimum maximise(const Eigen::VectorXd& gains, const Eigen::MatrixXd& uses);

}  // namespace doorbell::analytic
