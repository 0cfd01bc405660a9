// How busy parts of one kind are on average, and in the busiest machine of a group.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/common/result.hpp"

namespace doorbell::model {

/// Mean over parts of a machine of how busy they are; 0 where there are none.
class Average {
 public:
  void add(double busy) {
    sum_ += busy;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

/// Mean over the machines of a group of how busy a part is, or is held; and that of the machine where it is most.
class GroupAverage {
 public:
  void add(double busy_in_machine) {
    mean_.add(busy_in_machine);
    most_ = std::max(most_, busy_in_machine);
  }
  void add(const Average& parts_in_use) { add(parts_in_use.value()); }
  [[nodiscard]] double value() const { return mean_.value(); }
  [[nodiscard]] double most() const { return most_; }
  /// Appends the mean, and where that hides a machine that is far busier also a row for it: see busiest_machine_of.
  void report(const std::string& resource, Limit limit, std::vector<Utilisation>& rows) const;

 private:
  Average mean_;
  double most_ = 0;
};

}  // namespace doorbell::model
