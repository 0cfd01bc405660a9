#include "core/wheel.hpp"

namespace doorbell::core::detail {

namespace {

/// Index of the first set bit of `words` at or after `from`, or `size` of the map in bits.
std::uint64_t first_set(const std::vector<std::uint64_t>& words, std::uint64_t from) {
  std::uint64_t word = from >> 6;
  if (word >= words.size()) return words.size() << 6;
  std::uint64_t rest = words[word] & (~std::uint64_t{0} << (from & 63));
  while (rest == 0) {
    if (++word == words.size()) return words.size() << 6;
    rest = words[word];
  }
  return (word << 6) + static_cast<unsigned>(std::countr_zero(rest));
}

}  // namespace

void Wheel::configure(std::uint64_t start, unsigned shift, unsigned bits) {
  shift_ = shift;
  bits_ = bits;
  const std::uint64_t ring = std::uint64_t{1} << bits;
  mask_ = ring - 1;
  beyond_cache_ = bits >= 15;
  half_ = ring / 2;
  heads_.resize(ring);
  words_.assign((ring + 63) / 64, 0);
  summary_.assign((words_.size() + 63) / 64, 0);
  for (Level& level : levels_) level.occupied = 0;
  current_ = start >> shift;
  frontier_ = current_ / half_ * half_ + half_;
}

void Wheel::insert_far(std::uint32_t slot) {
  const unsigned chunk_shift = shift_ + bits_ - 1;
  const std::uint64_t chunk = pool_[slot].time >> chunk_shift;
  const std::uint64_t difference = chunk ^ (frontier_ >> (bits_ - 1));
  const unsigned level = difference == 0 ? 0U : static_cast<unsigned>(std::bit_width(difference) - 1) / digit_bits;
  const unsigned digit = static_cast<unsigned>(chunk >> (level * digit_bits)) & (digit_count - 1);
  Level& target = levels_[level];
  const std::uint64_t bit = std::uint64_t{1} << digit;
  pool_[slot].next = (target.occupied & bit) != 0 ? target.heads[digit] : no_slot;
  target.heads[digit] = slot;
  target.occupied |= bit;
}

void Wheel::advance_chunk(std::uint64_t chunk) {
  const std::uint64_t difference = chunk ^ (frontier_ >> (bits_ - 1));
  frontier_ = chunk << (bits_ - 1);
  if ((difference >> digit_bits) == 0) return;
  // Digits above the lowest one changed: what waited for them sorts itself into lower levels.
  for (unsigned level = max_levels; level-- > 1;) {
    if (level * digit_bits >= 64 || (difference >> (level * digit_bits)) == 0) continue;
    const unsigned digit = static_cast<unsigned>(chunk >> (level * digit_bits)) & (digit_count - 1);
    const std::uint64_t bit = std::uint64_t{1} << digit;
    if ((levels_[level].occupied & bit) == 0) continue;
    levels_[level].occupied &= ~bit;
    for (std::uint32_t slot = levels_[level].heads[digit]; slot != no_slot;) {
      const std::uint32_t next = pool_[slot].next;
      insert_far(slot);
      slot = next;
    }
  }
}

void Wheel::pull_chunks() {
  while (frontier_ - current_ <= half_) {
    const std::uint64_t chunk = frontier_ >> (bits_ - 1);
    const unsigned digit = static_cast<unsigned>(chunk) & (digit_count - 1);
    const std::uint64_t bit = std::uint64_t{1} << digit;
    if ((levels_[0].occupied & bit) != 0) {
      levels_[0].occupied &= ~bit;
      for (std::uint32_t slot = levels_[0].heads[digit]; slot != no_slot;) {
        PendingEvent& event = pool_[slot];
        const std::uint32_t next = event.next;
        insert_near(slot, event);
        slot = next;
      }
    }
    advance_chunk(chunk + 1);
  }
}

bool Wheel::jump() {
  while (levels_[0].occupied == 0) {
    unsigned level = 1;
    while (level < max_levels && levels_[level].occupied == 0) ++level;
    if (level == max_levels) return false;
    const unsigned digit = static_cast<unsigned>(std::countr_zero(levels_[level].occupied));
    const std::uint64_t above = (frontier_ >> (bits_ - 1)) >> (level * digit_bits) >> digit_bits;
    advance_chunk(((above << digit_bits) | digit) << (level * digit_bits));
  }
  const std::uint64_t chunk = frontier_ >> (bits_ - 1);
  const unsigned digit = static_cast<unsigned>(std::countr_zero(levels_[0].occupied));
  advance_chunk(((chunk >> digit_bits) << digit_bits) | digit);
  current_ = frontier_;
  pull_chunks();
  return true;
}

bool Wheel::find_next() {
  const std::uint64_t start = current_ & mask_;
  // The word that holds `start` comes last, for the part of it that lies a lap ahead.
  std::uint64_t word = first_set(summary_, (start >> 6) + 1);
  if (word >= words_.size()) word = first_set(summary_, 0);
  if (word >= words_.size()) return false;
  const std::uint64_t position = (word << 6) + static_cast<unsigned>(std::countr_zero(words_[word]));
  current_ += (position - start) & mask_;
  return true;
}

bool Wheel::seek() {
  if (frontier_ - current_ <= half_) pull_chunks();
  if (find_next()) return true;
  if (!jump()) return false;
  // The chunk that was pulled is not empty, and begins with a word of its own.
  const std::uint64_t word = words_[(current_ & mask_) >> 6];
  if (word == 0) return find_next();
  current_ += static_cast<unsigned>(std::countr_zero(word));
  return true;
}

std::uint32_t Wheel::take_all() {
  std::uint32_t all = no_slot;
  const auto collect = [&](std::uint32_t slot) {
    while (slot != no_slot) {
      const std::uint32_t next = pool_[slot].next;
      pool_[slot].next = all;
      all = slot;
      slot = next;
    }
  };
  for (std::size_t word = 0; word < words_.size(); ++word) {
    for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
      collect(heads_[(word << 6) + static_cast<unsigned>(std::countr_zero(rest))]);
    }
    words_[word] = 0;
  }
  for (std::uint64_t& word : summary_) word = 0;
  for (Level& level : levels_) {
    for (; level.occupied != 0; level.occupied &= level.occupied - 1) {
      collect(level.heads[static_cast<unsigned>(std::countr_zero(level.occupied))]);
    }
  }
  return all;
}

}  // namespace doorbell::core::detail
