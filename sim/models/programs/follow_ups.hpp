// Operations that need what the one before them has brought: which comes next, where it goes, and which can be posted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/ring_queue.hpp"
#include "models/programs/post_step.hpp"

namespace doorbell::model {

class Thread;
struct QueuePair;

/// What may follow in a step, in the order of follow_ups_of.
class FollowUpList {
 public:
  FollowUpList() = default;
  explicit FollowUpList(const PostStep& step);

  [[nodiscard]] bool empty() const { return operations_.empty(); }
  [[nodiscard]] const std::vector<const FollowUp*>& operations() const { return operations_; }
  /// Number of the operation that follows first on one of this kind (0: the step's own, 1: the first mixed in ...), if
  /// one does this time.
  [[nodiscard]] std::optional<std::size_t> first(std::size_t kind, core::RandomStream& random) const {
    return empty() ? std::nullopt : among(begins_[kind], begins_[kind + 1], random);
  }
  /// And of the one that follows behind number `place`.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t place, core::RandomStream& random) const {
    return among(place + 1, *std::ranges::upper_bound(begins_, place), random);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> among(std::size_t begin, std::size_t end, core::RandomStream& random) const;

  std::vector<const FollowUp*> operations_;
  std::vector<std::size_t> begins_;  // by kind, and the end of the last
};

/// An operation of a thread of which parts are still to be posted.
struct Unfinished {
  std::size_t step = 0;  ///< Number of the post step in the loop.
  std::size_t next = 0;  ///< Number of what follows in its list.
  QueuePair* queue_pair = nullptr;
  Thread* target = nullptr;
  Time posted{0};  ///< When its first part was.
};

/// Those of a thread, by numbers from 1 on that are used again.
class FollowUps {
 public:
  [[nodiscard]] std::uint32_t keep(const Unfinished& operation);
  [[nodiscard]] Unfinished& operator[](std::uint32_t number) { return kept_[number - 1]; }
  /// The part that was under way is done: what follows can be posted.
  void ready(std::uint32_t number);
  /// Moves those that `step` can go on with now into `taken`, in the order in which they became ready: the first, and
  /// those behind it that go the same way, up to `most`.
  void take(std::size_t step, std::size_t most, std::vector<std::uint32_t>& taken);
  [[nodiscard]] bool can_go_on(std::size_t step) const { return step < waiting_.size() && !waiting_[step].empty(); }
  void forget(std::uint32_t number) { free_.push_back(number); }
  /// That wait, of all steps.
  [[nodiscard]] std::size_t all_waiting() const { return all_waiting_; }

 private:
  std::vector<Unfinished> kept_;
  std::vector<std::uint32_t> free_;
  std::vector<core::RingQueue<std::uint32_t>> waiting_;  // by step
  std::size_t all_waiting_ = 0;
};

}  // namespace doorbell::model
