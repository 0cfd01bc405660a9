// A demand matrix in the making: rows come to be as classes ask for them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "analytic/demand.hpp"

namespace doorbell::analytic {

class DemandRows {
 public:
  /// The number of the row of this name, which is new if there is none yet; then it has no servers.
  std::size_t row(const std::string& name, model::Limit limit, bool is_station = true);
  [[nodiscard]] ResourceRow& operator[](std::size_t row) { return matrix_.resources[row]; }

  void begin_class(OperationClass item) { matrix_.classes.push_back(std::move(item)); }
  [[nodiscard]] OperationClass& newest_class() { return matrix_.classes.back(); }
  /// Adds demand of the newest class on a row that has at least so many servers.
  void add(std::size_t row, double servers, double seconds);
  /// Drops the newest class if it asks for nothing.
  void end_class();

  /// Of all classes, per measured request.
  [[nodiscard]] double total(std::size_t row) const;
  /// The number of the row of this name; that of no row if there is none.
  [[nodiscard]] std::size_t find(const std::string& name) const;
  [[nodiscard]] std::size_t size() const { return matrix_.resources.size(); }

  /// All that is known, once.
  [[nodiscard]] DemandMatrix take();

 private:
  DemandMatrix matrix_;                                            // but for the seconds
  std::map<std::pair<std::size_t, std::size_t>, double> seconds_;  // by row and class
};

}  // namespace doorbell::analytic
