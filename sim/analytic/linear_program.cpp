#include "analytic/linear_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace doorbell::analytic {
namespace {

using Eigen::Index;

constexpr double nothing = 1e-12;  // of programs whose numbers are about 1

/// Dantzig's tableau, in which a basic and another variable change places. Activities are numbered first, then the
/// rests of rows. All amounts 0 is a solution to begin with.
class Tableau {
 public:
  Tableau(const Eigen::VectorXd& gains, const Eigen::MatrixXd& uses)
      : cells_(uses.rows() + 1, uses.cols() + 1),
        basic_(static_cast<std::size_t>(uses.rows())),
        other_(static_cast<std::size_t>(uses.cols())) {
    cells_.topLeftCorner(uses.rows(), uses.cols()) = uses;
    cells_.col(uses.cols()).setOnes();
    cells_.row(uses.rows()).head(uses.cols()) = -gains.transpose();
    cells_(uses.rows(), uses.cols()) = 0;
    std::iota(other_.begin(), other_.end(), Index{0});
    std::iota(basic_.begin(), basic_.end(), uses.cols());
  }

  void solve() {
    while (const std::optional<Index> column = entering()) exchange(leaving(*column), *column);
  }

  [[nodiscard]] Optimum optimum() const {
    Optimum found{Eigen::VectorXd::Zero(columns()), Eigen::VectorXd::Zero(rows())};
    for (Index i = 0; i < rows(); ++i) {
      const Index variable = basic_[static_cast<std::size_t>(i)];
      if (variable < columns()) found.amounts(variable) = std::max(0.0, cells_(i, columns()));  // but for rounding
    }
    for (Index j = 0; j < columns(); ++j) {
      const Index variable = other_[static_cast<std::size_t>(j)];
      if (variable >= columns()) found.worths(variable - columns()) = cells_(rows(), j);
    }
    return found;
  }

 private:
  [[nodiscard]] Index rows() const { return cells_.rows() - 1; }
  [[nodiscard]] Index columns() const { return cells_.cols() - 1; }

  /// Bland's rule, here and below: the first of those that do, so that no exchange is ever undone.
  [[nodiscard]] std::optional<Index> entering() const {
    std::optional<Index> first;
    for (Index j = 0; j < columns(); ++j) {
      if (cells_(rows(), j) >= -nothing) continue;
      if (!first || other_[static_cast<std::size_t>(j)] < other_[static_cast<std::size_t>(*first)]) first = j;
    }
    return first;
  }

  [[nodiscard]] Index leaving(Index column) const {
    std::optional<Index> tightest;
    double least = 0;
    for (Index i = 0; i < rows(); ++i) {
      if (cells_(i, column) <= nothing) continue;
      const double allowed = cells_(i, columns()) / cells_(i, column);
      const bool same = tightest && std::abs(allowed - least) <= nothing * least;
      const bool earlier =
          tightest && basic_[static_cast<std::size_t>(i)] < basic_[static_cast<std::size_t>(*tightest)];
      if (tightest && !(same ? earlier : allowed < least)) continue;
      tightest = i;
      least = allowed;
    }
    if (!tightest) throw std::invalid_argument("nothing limits an activity that gains");
    return *tightest;
  }

  void exchange(Index row, Index column) {
    const double pivot = cells_(row, column);
    const Eigen::VectorXd factors = cells_.col(column);
    cells_.col(column).setZero();
    cells_(row, column) = 1;
    cells_.row(row) /= pivot;
    for (Index i = 0; i < cells_.rows(); ++i) {
      if (i != row) cells_.row(i) -= factors(i) * cells_.row(row);
    }
    std::swap(basic_[static_cast<std::size_t>(row)], other_[static_cast<std::size_t>(column)]);
  }

  Eigen::MatrixXd cells_;  // last column: amounts; last row: what one more of a variable would cost
  std::vector<Index> basic_;
  std::vector<Index> other_;
};

}  // namespace

Optimum maximise(const Eigen::VectorXd& gains, const Eigen::MatrixXd& uses) {
  Tableau tableau{gains, uses};
  tableau.solve();
  return tableau.optimum();
}

}  // namespace doorbell::analytic
