#include "analytic/linear_program.hpp"

#include <coin/Clp_C_Interface.h>

#include <Eigen/SparseCore>
#include <limits>
#include <memory>
#include <stdexcept>

namespace doorbell::analytic {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct DeleteSimplex {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};

/// Of COIN-OR, which keeps its basis from one `solve` to the next.
class Simplex {
 public:
  Simplex(const VectorXd& gains, const Eigen::MatrixXd& uses, const VectorXd& room) : model_{Clp_newModel()} {
    Clp_setLogLevel(model_.get(), 0);
    constexpr int off = 102;
    Clp_setPerturbation(model_.get(), off);
    constexpr double maximise = -1;
    Clp_setOptimizationDirection(model_.get(), maximise);
    Clp_setPrimalTolerance(model_.get(), tolerance);
    Clp_setDualTolerance(model_.get(), tolerance);
    const Eigen::SparseMatrix<double> columns = uses.sparseView();
    const VectorXd none = VectorXd::Zero(columns.cols());
    const VectorXd unlimited = VectorXd::Constant(columns.cols(), std::numeric_limits<double>::infinity());
    const VectorXd no_least = VectorXd::Constant(columns.rows(), -std::numeric_limits<double>::infinity());
    Clp_loadProblem(model_.get(), static_cast<int>(columns.cols()), static_cast<int>(columns.rows()),
                    columns.outerIndexPtr(), columns.innerIndexPtr(), columns.valuePtr(), none.data(), unlimited.data(),
                    gains.data(), no_least.data(), room.data());
  }

  void solve() {
    Clp_primal(model_.get(), 0);
    constexpr int unbounded = 2;
    const int status = Clp_status(model_.get());
    if (status == unbounded) throw std::invalid_argument("nothing limits an activity that gains");
    if (status != 0) throw std::runtime_error("a linear program of a few rows has not been solved");
  }

  void set_room(const VectorXd& room) { Clp_chgRowUpper(model_.get(), room.data()); }

  [[nodiscard]] VectorXd amounts() const {
    return VectorXd::Map(Clp_primalColumnSolution(model_.get()), Clp_numberColumns(model_.get()));
  }
  [[nodiscard]] VectorXd prices() const {
    return VectorXd::Map(Clp_dualRowSolution(model_.get()), Clp_numberRows(model_.get()));
  }

 private:
  static constexpr double tolerance = 1e-10;

  std::unique_ptr<Clp_Simplex, DeleteSimplex> model_;
};

}  // namespace

Optimum maximise(const VectorXd& gains, const Eigen::MatrixXd& uses) {
  // With a little more room in each later row none is equal to an earlier one. The basis that is best then remains so
  // without that room, since a basis has the same prices whatever room there is; they are those of the earlier rows.
  constexpr double little = 1e-7;
  const VectorXd room = VectorXd::Ones(uses.rows());
  Simplex simplex{gains, uses, room + little * VectorXd::LinSpaced(uses.rows(), 0, static_cast<double>(uses.rows()))};
  simplex.solve();
  simplex.set_room(room);
  simplex.solve();
  return {simplex.amounts().cwiseMax(0.0), simplex.prices().cwiseMax(0.0)};  // but for rounding
}

}  // namespace doorbell::analytic
