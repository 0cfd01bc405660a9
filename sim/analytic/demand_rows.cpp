#include "analytic/demand_rows.hpp"

#include <algorithm>

namespace doorbell::analytic {

std::size_t DemandRows::find(const std::string& name) const {
  const auto found = std::ranges::find(matrix_.resources, name, &ResourceRow::name);
  return static_cast<std::size_t>(found - matrix_.resources.begin());
}

std::size_t DemandRows::row(const std::string& name, model::Limit limit, bool is_station) {
  const std::size_t known = find(name);
  if (known == size()) matrix_.resources.push_back({name, 0, limit, is_station});
  return known;
}

void DemandRows::add(std::size_t row, double servers, double seconds) {
  double& known = matrix_.resources[row].servers;
  known = std::max(known, servers);
  seconds_[{row, matrix_.classes.size() - 1}] += seconds;
}

void DemandRows::end_class() {
  const std::size_t newest = matrix_.classes.size() - 1;
  const bool asks = std::ranges::any_of(seconds_, [&](const auto& entry) { return entry.first.second == newest; });
  if (!asks) matrix_.classes.pop_back();
}

double DemandRows::total(std::size_t row) const {
  double total = 0;
  for (std::size_t c = 0; c < matrix_.classes.size(); ++c) {
    const auto entry = seconds_.find({row, c});
    if (entry != seconds_.end()) total += entry->second * matrix_.classes[c].visits;
  }
  return total;
}

DemandMatrix DemandRows::take() {
  matrix_.seconds = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(matrix_.resources.size()),
                                          static_cast<Eigen::Index>(matrix_.classes.size()));
  for (const auto& [place, seconds] : seconds_)
    matrix_.seconds(static_cast<Eigen::Index>(place.first), static_cast<Eigen::Index>(place.second)) = seconds;
  return std::move(matrix_);
}

}  // namespace doorbell::analytic
