// Numbered places for what is under way: a number fits into an event, and places are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace doorbell::core {

/// No allocation once there have been as many at a time as there ever are. take() and add() invalidate references.
template <class T> class Slots {
 public:
  /// Returns the number of a place, the last one that was freed if there is one; it still holds what it held.
  std::uint32_t take() {
    if (free_.empty()) {
      values_.emplace_back();
      return static_cast<std::uint32_t>(values_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// The same; the place holds `value` from now on.
  std::uint32_t add(T value) {
    const std::uint32_t slot = take();
    values_[slot] = std::move(value);
    return slot;
  }
  void free(std::uint64_t slot) { free_.push_back(static_cast<std::uint32_t>(slot)); }

  [[nodiscard]] T& operator[](std::uint64_t slot) { return values_[slot]; }
  [[nodiscard]] const T& operator[](std::uint64_t slot) const { return values_[slot]; }
  /// Of all places, free ones included.
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<T> values_;
  std::vector<std::uint32_t> free_;
};

}  // namespace doorbell::core
