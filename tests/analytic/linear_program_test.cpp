#include "analytic/linear_program.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace doorbell::analytic {
namespace {

Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns, std::initializer_list<double> values) {
  Eigen::MatrixXd result{rows, columns};
  auto value = values.begin();
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) result(i, j) = *value++;
  }
  return result;
}

TEST(LinearProgram, OneActivityTakesAllOfTheTightestRow) {
  const Optimum optimum = maximise(Eigen::VectorXd::Constant(1, 3), matrix(3, 1, {0.1, 0.5, 0.25}));
  EXPECT_DOUBLE_EQ(optimum.amounts(0), 2);
  EXPECT_DOUBLE_EQ(optimum.worths(1), 6);
  EXPECT_DOUBLE_EQ(optimum.worths(0) + optimum.worths(2), 0);
}

TEST(LinearProgram, AWorkedExample) {
  // Most of 3x + 5y where x <= 4, 2y <= 12, 3x + 2y <= 18 (Dantzig): x = 2, y = 6, and prices 0, 3/2 and 1.
  const Optimum optimum = maximise(Eigen::Vector2d{3, 5}, matrix(3, 2, {1.0 / 4, 0, 0, 2.0 / 12, 3.0 / 18, 2.0 / 18}));
  EXPECT_NEAR(optimum.amounts(0), 2, 1e-12);
  EXPECT_NEAR(optimum.amounts(1), 6, 1e-12);
  EXPECT_NEAR(optimum.worths(0), 0, 1e-12);
  EXPECT_NEAR(optimum.worths(1), 18, 1e-12);
  EXPECT_NEAR(optimum.worths(2), 18, 1e-12);
}

TEST(LinearProgram, OfEqualRowsTheFirstCounts) {
  const Optimum optimum = maximise(Eigen::VectorXd::Constant(1, 1), matrix(2, 1, {0.3, 0.3}));
  EXPECT_GT(optimum.worths(0), 3);
  EXPECT_EQ(optimum.worths(1), 0);
}

TEST(LinearProgram, WithoutALimitItIsRefused) {
  EXPECT_THROW(static_cast<void>(maximise(Eigen::Vector2d{1, 1}, matrix(1, 2, {1, 0}))), std::invalid_argument);
}

TEST(LinearProgram, AmountsAreAllowedAndWorthsProveThatNoOthersGainMore) {
  // Weak duality: whatever is allowed gains no more than worths that cover every activity.
  std::mt19937 random{7};
  const auto small = [&random] { return static_cast<double>(random() % 4); };
  for (int i = 0; i < 500; ++i) {
    const auto columns = static_cast<Eigen::Index>(random() % 6 + 1);
    const auto rows = static_cast<Eigen::Index>(random() % 8);
    Eigen::VectorXd gains{columns};
    for (double& gain : gains) gain = small() + 1;
    // Few different numbers make many ties.
    Eigen::MatrixXd uses = Eigen::MatrixXd::Identity(rows + columns, columns);
    for (Eigen::Index r = 0; r < rows; ++r) {
      for (Eigen::Index c = 0; c < columns; ++c) uses(columns + r, c) = small();
    }
    const Optimum optimum = maximise(gains, uses);
    EXPECT_GE(optimum.amounts.minCoeff(), 0);
    EXPECT_LE((uses * optimum.amounts).maxCoeff(), 1 + 1e-9);
    EXPECT_GE(optimum.worths.minCoeff(), -1e-9);
    EXPECT_GE((uses.transpose() * optimum.worths - gains).minCoeff(), -1e-9);
    EXPECT_NEAR(optimum.worths.sum(), gains.dot(optimum.amounts), 1e-9);
  }
}

}  // namespace
}  // namespace doorbell::analytic
