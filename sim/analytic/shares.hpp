// What several programs that start work get of what they share: in proportion to what each keeps under way, and at the
// most.
#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analytic/bounds.hpp"

namespace doorbell::analytic {

/// A program that starts work, as if the others hardly did.
struct Claim {
  double proportion = 0;      ///< Operations per operation of all, where each gets as many as it keeps under way.
  double gain = 0;            ///< Measured requests per operation.
  std::vector<Bound> limits;  ///< Operations per second that each resource allows this one alone.
};

/// Servers of resources for all programs together, where they are more than for one alone: ports, of which each may
/// use others.
using SharedServers = std::map<std::string, double>;

class Shares {
 public:
  /// Each claim has at least one limit.
  Shares(const std::vector<Claim>& claims, const SharedServers& together);

  /// Operations per second of each program, which grow in proportion until something is full that it needs (max-min
  /// fairness): then the others go on.
  [[nodiscard]] Eigen::VectorXd in_proportion() const;
  /// Measured requests per second at such rates.
  [[nodiscard]] double gain(const Eigen::VectorXd& rates) const { return gains_.dot(rates); }
  /// Adds what the resources allow where the programs share them so that most is measured, whoever gets what: no
  /// shares allow more. Of mixes that are as good, the one in proportion.
  void add_most(Bounds& bounds) const;

 private:
  struct Constraint {
    std::size_t row = 0;
    Eigen::VectorXd uses;  ///< Part of the resource that an operation per second takes, by program.
  };
  struct Row {
    std::string resource;
    double servers = 1;
    std::optional<model::Limit> kind;
    Eigen::VectorXd demands;  ///< Seconds per operation, by program.
  };

  void constrain(std::size_t row, const Eigen::VectorXd& uses);
  /// Operations per second of each program alone.
  [[nodiscard]] Eigen::VectorXd alone() const;
  /// Part of a row that is taken.
  [[nodiscard]] double fullness(std::size_t row, const Eigen::VectorXd& rates) const;

  std::vector<Row> rows_;
  std::vector<Constraint> constraints_;
  Eigen::VectorXd proportions_;
  Eigen::VectorXd gains_;
};

}  // namespace doorbell::analytic
