// The events that are not due soon: a timing wheel that adapts its bucket width to the traffic.
#pragma once

#include "core/event.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace doorbell::core::detail {

/// Unsorted buckets of events, linked through `Event::next`.
///
/// Level 0 is a ring of 2^bits buckets of 2^shift ps. Later events lie in upper levels of 64 slots each, by the highest
/// base-64 digit in which their time differs from the frontier, and move down when the frontier reaches them: a timer
/// of a second costs a nanosecond timer no more than these few moves.
class Wheel {
 public:
  explicit Wheel(EventPool& pool) : pool_{pool} { configure(0, 10, 8); }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] unsigned shift() const { return shift_; }
  [[nodiscard]] unsigned bits() const { return bits_; }

  /// `time` must not precede the bucket taken last.
  void insert(std::uint32_t slot, std::uint64_t time) {
    ++count_;
    const std::uint64_t bucket = time >> shift_;
    if (bucket < frontier_) {
      link_near(slot, bucket);
    } else {
      link_far(slot, time);
    }
  }

  struct Bucket {
    std::uint32_t first;  ///< head of the list
    std::uint64_t end;    ///< every event left in the wheel is due at or after this time (ps)
  };

  /// Unlinks the earliest non-empty bucket. The wheel must not be empty; the caller reports what it takes by `taken`.
  [[nodiscard]] Bucket take();
  void taken(std::size_t events) {
    count_ -= events;
    near_count_ -= events;
  }

  /// Unlinks everything, as one list.
  [[nodiscard]] std::uint32_t take_all();

  /// Makes the wheel empty, starting at `start` (ps), with 2^bits buckets of 2^shift ps.
  void configure(std::uint64_t start, unsigned shift, unsigned bits);

 private:
  static constexpr unsigned digit_bits = 6;
  static constexpr unsigned digit_count = 1U << digit_bits;
  static constexpr unsigned max_levels = 11;

  struct Level {
    std::uint64_t occupied = 0;
    std::array<std::uint32_t, digit_count> heads{};
  };

  void link_near(std::uint32_t slot, std::uint64_t bucket) {
    const std::uint64_t position = bucket & mask_;
    const std::uint64_t word = position >> 6;
    const std::uint64_t bit = std::uint64_t{1} << (position & 63);
    // The bit map says which heads are valid, so that emptying a bucket does not write to it.
    pool_[slot].next = (words_[word] & bit) != 0 ? heads_[position] : no_slot;
    heads_[position] = slot;
    words_[word] |= bit;
    summary_[word >> 6] |= std::uint64_t{1} << (word & 63);
    ++near_count_;
  }

  void link_far(std::uint32_t slot, std::uint64_t time);
  [[nodiscard]] std::uint64_t next_bucket() const;
  void advance_chunk(std::uint64_t chunk);
  void pull_chunk();
  void jump();

  EventPool& pool_;
  unsigned shift_ = 0;
  unsigned bits_ = 0;
  std::uint64_t mask_ = 0;
  std::uint64_t current_ = 0;   ///< no bucket before this one holds anything
  std::uint64_t frontier_ = 0;  ///< first bucket that level 0 does not cover, a multiple of half the ring
  std::size_t count_ = 0;
  std::size_t near_count_ = 0;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> words_;    ///< a bit per bucket
  std::vector<std::uint64_t> summary_;  ///< a bit per word
  std::array<Level, max_levels> levels_;
};

}  // namespace doorbell::core::detail
