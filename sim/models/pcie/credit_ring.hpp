// Credits, or buffers, of which it is known, when they are taken, when they come back.
#pragma once

#include <cstddef>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::model {

/// Credits that come back in the order in which they were taken, without an event each.
class CreditRing {
 public:
  /// `credits` are there at first; at least one.
  explicit CreditRing(int credits) : returns_(static_cast<std::size_t>(credits), Time{0}) {}

  [[nodiscard]] std::size_t size() const { return returns_.size(); }
  /// When a credit is there, or has been.
  [[nodiscard]] Time next() const { return returns_[first_]; }
  /// Takes that credit; it comes back at `returns`.
  void take(Time returns) {
    returns_[first_] = returns;
    if (++first_ == returns_.size()) first_ = 0;
  }

 private:
  std::vector<Time> returns_;
  std::size_t first_ = 0;
};

}  // namespace doorbell::model
