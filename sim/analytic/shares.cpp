#include "analytic/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analytic/linear_program.hpp"

namespace doorbell::analytic {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double rounding = 1e-9;

}  // namespace

Shares::Shares(const std::vector<Claim>& claims, const SharedServers& together)
    : proportions_{std::ssize(claims)}, gains_{std::ssize(claims)} {
  const VectorXd none = VectorXd::Zero(std::ssize(claims));
  std::map<std::string, std::size_t> known;
  std::vector<VectorXd> separate;  // by row: the part of what each has alone
  for (std::size_t c = 0; c < claims.size(); ++c) {
    const auto claim = static_cast<Index>(c);
    proportions_(claim) = claims[c].proportion;
    gains_(claim) = claims[c].gain;
    for (const Bound& bound : claims[c].limits) {
      const auto [place, is_new] = known.try_emplace(bound.resource, rows_.size());
      if (is_new) {
        rows_.push_back({bound.resource, 0, bound.kind, none});
        separate.push_back(none);
      }
      Row& row = rows_[place->second];
      row.servers = std::max(row.servers, bound.servers);
      row.demands(claim) = bound.servers / bound.limit.per_second;
      separate[place->second](claim) = 1 / bound.limit.per_second;
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    if (const auto more = together.find(row.resource); more != together.end())
      row.servers = std::max(row.servers, more->second);
    const VectorXd uses = row.demands / row.servers;
    constrain(r, uses);
    for (Index c = 0; c < none.size(); ++c) {
      if (separate[r](c) > uses(c) * (1 + rounding)) constrain(r, VectorXd::Unit(none.size(), c) * separate[r](c));
    }
  }
}

void Shares::constrain(std::size_t row, const VectorXd& uses) { constraints_.push_back({row, uses}); }

VectorXd Shares::alone() const {
  VectorXd most = VectorXd::Zero(gains_.size());
  for (const Constraint& constraint : constraints_) most = most.cwiseMax(constraint.uses);
  return most.cwiseInverse();
}

double Shares::fullness(std::size_t row, const VectorXd& rates) const {
  double most = 0;
  for (const Constraint& constraint : constraints_) {
    if (constraint.row == row) most = std::max(most, constraint.uses.dot(rates));
  }
  return most;
}

VectorXd Shares::in_proportion() const {
  VectorXd rates = VectorXd::Zero(gains_.size());
  VectorXd growing = proportions_;
  while (growing.maxCoeff() > 0) {
    double step = std::numeric_limits<double>::infinity();
    for (const Constraint& constraint : constraints_) {
      const double grows = constraint.uses.dot(growing);
      if (grows > 0) step = std::min(step, std::max(0.0, 1 - constraint.uses.dot(rates)) / grows);
    }
    rates += step * growing;
    for (const Constraint& constraint : constraints_) {
      if (constraint.uses.dot(rates) < 1 - rounding) continue;
      growing = (constraint.uses.array() > 0).select(0, growing);
    }
  }
  return rates;
}

void Shares::add_most(Bounds& bounds) const {
  // In parts of what each could do alone all numbers are of one size.
  const VectorXd scale = alone();
  Eigen::MatrixXd uses{std::ssize(constraints_), gains_.size()};
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    uses.row(static_cast<Index>(c)) = constraints_[c].uses.cwiseProduct(scale);
  const VectorXd worth = gains_.cwiseProduct(scale);
  const Optimum optimum = maximise(worth / worth.sum(), uses);
  VectorXd rates = optimum.amounts.cwiseProduct(scale);
  const double most = gain(rates);
  if (const VectorXd usual = in_proportion(); gain(usual) >= most * (1 - rounding)) rates = usual;

  // Of what is full, first that to which most of the rate is due.
  VectorXd due = VectorXd::Zero(std::ssize(rows_));
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    due(static_cast<Index>(constraints_[c].row)) += optimum.worths(static_cast<Index>(c));
  std::vector<std::size_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t r) { return due(static_cast<Index>(r)); });
  for (const std::size_t r : order) {
    const Row& row = rows_[r];
    const Seconds demand{row.demands.dot(rates) / most};
    if (demand <= Seconds{0}) continue;
    bounds.add(row.resource, demand, row.servers, row.kind);
    const double full = fullness(r, rates);
    bounds.bounds.back().limit = {full > 1 - rounding ? most : most / full};
  }
}

}  // namespace doorbell::analytic
