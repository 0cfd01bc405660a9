// The events that are due soonest.
#pragma once

#include "core/event.hpp"

#include <cstddef>
#include <vector>

namespace doorbell::core::detail {

/// A 4-ary heap of entries: two levels fewer than a binary one, and the four children share two cache lines.
class NearHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  [[nodiscard]] std::vector<Entry>& entries() { return entries_; }

  void push(const Entry& entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    Entry* const data = entries_.data();
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!before(entry, data[parent])) break;
      data[hole] = data[parent];
      hole = parent;
    }
    data[hole] = entry;
  }

  void pop() {
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sift_down(0, last);
  }

  /// Restores the order after `entries()` was changed from outside.
  void rebuild() {
    for (std::size_t i = entries_.size(); i-- > 0;) {
      const Entry entry = entries_[i];
      sift_down(i, entry);
    }
  }

 private:
  static constexpr std::size_t arity = 4;

  void sift_down(std::size_t hole, const Entry& entry) {
    Entry* const data = entries_.data();
    const std::size_t count = entries_.size();
    for (;;) {
      const std::size_t first = hole * arity + 1;
      if (first >= count) break;
      const std::size_t end = first + arity < count ? first + arity : count;
      std::size_t best = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (before(data[child], data[best])) best = child;
      }
      if (!before(data[best], entry)) break;
      data[hole] = data[best];
      hole = best;
    }
    data[hole] = entry;
  }

  std::vector<Entry> entries_;
};

}  // namespace doorbell::core::detail
