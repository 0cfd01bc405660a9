// Operations of a thread, from their posting until it has taken what came back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/quantity.hpp"
#include "core/ring_queue.hpp"

namespace doorbell::model {

struct Program;

/// What came back: an answer, or the completion of an operation that nobody answers.
struct Answer {
  Time visible{0};  ///< When the core can see it; Time::max(): it is still to come.
  Time posted{0};
  bool polled = false;  ///< Costs the poll of a CQE.
  Time take_data{0};
  const Program* by = nullptr;   ///< Who has answered; none of those that complete by themselves.
  std::uint32_t unfinished = 0;  ///< As of Message.
};

/// An operation may have several parts, one after the other, each of which is awaited. Answers are taken in the order
/// in which they come, or, where a program waits for its oldest operation, in that of posting.
class Outstanding {
 public:
  explicit Outstanding(bool in_order) : in_order_{in_order} {}

  void begin(Time posted) {
    ++size_;
    posted_ += posted;
  }
  /// A part of one is under way. Returns its number.
  std::uint32_t begin_part(Time posted) {
    if (in_order_) answers_.push({.visible = Time::max(), .posted = posted});
    return next_part_++;
  }
  /// Somebody has answered.
  void answer(const Answer& answer) { answers_.push(answer); }
  /// The part of this number has completed.
  void complete(std::uint32_t part, const Answer& answer) {
    if (!in_order_) return answers_.push(answer);
    // The oldest that has not been taken is the front.
    const std::uint32_t oldest = next_part_ - static_cast<std::uint32_t>(answers_.size());
    answers_[part - oldest] = answer;
  }

  /// Whether so many can be taken, now or at a time that is known.
  [[nodiscard]] bool has(std::size_t count) const {
    return answers_.size() >= count && (!in_order_ || when(count) < Time::max());
  }
  /// When the core can see the first `count`; 0 < count, and as many must be there.
  [[nodiscard]] Time when(std::size_t count) const {
    if (!in_order_) return answers_[count - 1].visible;
    Time last{0};
    for (std::size_t i = 0; i < count; ++i) last = std::max(last, answers_[i].visible);
    return last;
  }
  /// Of so many, who gave the one that came last.
  [[nodiscard]] const Program* last_of(std::size_t count) const {
    const Program* last = nullptr;
    Time latest{0};
    for (std::size_t i = 0; i < count; ++i) {
      if (answers_[i].visible < latest) continue;
      latest = answers_[i].visible;
      last = answers_[i].by;
    }
    return last;
  }
  [[nodiscard]] bool none_came() const { return answers_.empty(); }
  [[nodiscard]] const Answer& operator[](std::size_t place) const { return answers_[place]; }
  [[nodiscard]] Answer take() { return answers_.pop(); }

  /// So many operations are over, which were posted at these times, added up.
  void end(std::size_t count, Time posted) {
    size_ -= count;
    posted_ -= posted;
    ended_ += count;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Ends the warm-up.
  void measure(Time now) {
    before_ = size_;
    ended_ = 0;
    age_before_ = age(now);
  }
  /// How many there were then.
  [[nodiscard]] std::size_t before() const { return before_; }
  /// How many of these there are still, if none has ended since.
  [[nodiscard]] std::size_t stuck() const { return ended_ == 0 ? before_ : 0; }
  /// How much older what is outstanding has become since then, all operations together.
  [[nodiscard]] Time aged(Time now) const { return age(now) - age_before_; }

 private:
  [[nodiscard]] Time age(Time now) const { return now * static_cast<std::int64_t>(size_) - posted_; }

  bool in_order_;
  core::RingQueue<Answer> answers_;  // where taken in order, one for each part under way
  std::uint32_t next_part_ = 0;
  std::size_t size_ = 0;
  Time posted_{0};  // sum over what is outstanding
  std::size_t before_ = 0;
  std::size_t ended_ = 0;  // since then
  Time age_before_{0};
};

}  // namespace doorbell::model
