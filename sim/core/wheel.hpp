// The events that are not due soon: a timing wheel that adapts its bucket width to the traffic.
#pragma once

#include "core/event.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace doorbell::core::detail {

/// Unsorted buckets of events, linked through `PendingEvent::next`.
///
/// Level 0 is a ring of 2^bits buckets of 2^shift ps. Later events lie in upper levels of 64 slots each, by the highest
/// base-64 digit in which their time differs from the frontier, and move down when the frontier reaches them: a timer
/// of a second costs a nanosecond timer no more than these few moves.
class Wheel {
 public:
  explicit Wheel(EventPool& pool) : pool_{pool} { configure(0, 10, 8); }

  [[nodiscard]] unsigned shift() const { return shift_; }
  [[nodiscard]] unsigned bits() const { return bits_; }

  /// Whether an event due at `time` goes to level 0, so that insert_near() may be used.
  [[nodiscard]] bool is_near(std::uint64_t time) const { return (time >> shift_) < frontier_; }

  /// `time` must not precede the bucket taken last; the same holds for insert().
  void insert_near(std::uint32_t slot, PendingEvent& event) {
    const std::uint64_t position = (event.time >> shift_) & mask_;
    const std::uint64_t word = position >> 6;
    const std::uint64_t bit = std::uint64_t{1} << (position & 63);
    const std::uint64_t others = words_[word];
    // The bit map says which heads are valid, so that emptying a bucket does not write to it. All bits of no_slot are
    // set: a branch would be mispredicted for every fourth event.
    event.next = heads_[position] | (static_cast<std::uint32_t>((others >> (position & 63)) & 1U) - 1U);
    heads_[position] = slot;
    words_[word] = others | bit;
    if (others == 0) summary_[word >> 6] |= std::uint64_t{1} << (word & 63);
  }

  void insert(std::uint32_t slot) {
    PendingEvent& event = pool_[slot];
    if (is_near(event.time)) {
      insert_near(slot, event);
    } else {
      insert_far(slot);
    }
  }

  /// Unlinks the earliest non-empty bucket of the present word of the bit map, some ten events, and returns the head of
  /// its list; no_slot if the word has none left: seek() finds the next.
  [[nodiscard]] std::uint32_t take() {
    const std::uint64_t word = (current_ & mask_) >> 6;
    const std::uint64_t rest = words_[word] >> (current_ & 63);
    if (rest == 0) [[unlikely]]
      return no_slot;
    current_ += static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t others = words_[word] & ~(std::uint64_t{1} << (current_ & 63));
    words_[word] = others;
    const std::uint32_t* const heads = &heads_[word << 6];
    if (others == 0) [[unlikely]] {
      summary_[word >> 6] &= ~(std::uint64_t{1} << (word & 63));
    } else {
      // The bucket after next, if there is one: its event arrives in the cache in time to tell its object a turn later.
      pool_.prefetch(heads[std::countr_zero(others & (others - 1)) & 63]);
      const std::uint32_t next = heads[std::countr_zero(others)];
      pool_.prefetch_object(next);
      if (beyond_cache_) pool_.prefetch_next(next);
    }
    return heads[current_ & 63];
  }

  /// After take() has returned no_slot: goes to the next bucket. Returns false if the wheel is empty.
  [[nodiscard]] bool seek();

  /// Every event left is due at or after this time (ps), the end of the bucket taken last.
  [[nodiscard]] std::uint64_t end() const { return (current_ + 1) << shift_; }

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

  void insert_far(std::uint32_t slot);
  [[nodiscard]] bool find_next();
  void advance_chunk(std::uint64_t chunk);
  void pull_chunks();
  [[nodiscard]] bool jump();

  EventPool& pool_;
  unsigned shift_ = 0;
  unsigned bits_ = 0;
  std::uint64_t mask_ = 0;
  bool beyond_cache_ = false;   ///< so many events that those behind others in a bucket are worth a prefetch
  std::uint64_t half_ = 0;      ///< buckets in half a ring, a chunk
  std::uint64_t current_ = 0;   ///< no bucket before this one holds anything
  std::uint64_t frontier_ = 0;  ///< first bucket that level 0 does not cover, a multiple of half_
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> words_;    ///< a bit per bucket
  std::vector<std::uint64_t> summary_;  ///< a bit per word
  std::array<Level, max_levels> levels_;
};

}  // namespace doorbell::core::detail
