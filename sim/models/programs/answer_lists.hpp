// Requests that a step answers, in lists each of which goes out over one queue pair.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/message.hpp"

namespace doorbell::model {

/// List after list, and each in the order of its requests.
class AnswerLists {
 public:
  /// Begins with `lists` empty ones; earlier ones must have been answered.
  void begin(std::size_t lists) {
    if (lists_.size() < lists) lists_.resize(lists);
    for (auto& list : lists_) list.clear();
    list_ = 0;
    next_ = 0;
  }
  /// Before the first of all is taken.
  void add(std::size_t list, Message& request) { lists_[list].push_back(&request); }

  /// How many requests are still to be answered of the first list that has some; 0: all are answered.
  [[nodiscard]] std::size_t left() {
    while (list_ < lists_.size() && next_ == lists_[list_].size()) {
      ++list_;
      next_ = 0;
    }
    return list_ == lists_.size() ? 0 : lists_[list_].size() - next_;
  }
  /// Of these the one at `place`.
  [[nodiscard]] const Message& operator[](std::size_t place) const { return *lists_[list_][next_ + place]; }
  /// The first of them, which is answered now.
  [[nodiscard]] Message& take() { return *lists_[list_][next_++]; }

 private:
  std::vector<std::vector<Message*>> lists_;
  std::size_t list_ = 0;
  std::size_t next_ = 0;  // in that list
};

}  // namespace doorbell::model
