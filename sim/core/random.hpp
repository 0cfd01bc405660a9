// Random numbers that are the same on every machine.
#pragma once

#include "core/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace doorbell::core {

/// One stream per component: its draws depend on the seed and on the component's name only, so that adding a component
/// or changing how often another one draws changes nothing else.
///
/// xoshiro256++ (Blackman and Vigna, 2019, doi:10.1145/3460772; period 2^256 - 1), seeded by splitmix64 from an FNV-1a
/// hash of the name. The standard library's distributions differ from one vendor to the next and are not used.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view component);

  /// 64 uniform bits.
  std::uint64_t bits() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Uniform integer in [0, bound), without modulo bias (Lemire, 2019, doi:10.1145/3230636). `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound) {
    Wide product = Wide{bits()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) [[unlikely]] {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = Wide{bits()} * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Uniform in [low, high], both included, to the picosecond.
  Time uniform(Time low, Time high) {
    return low + Time{static_cast<std::int64_t>(below(static_cast<std::uint64_t>((high - low).count()) + 1))};
  }

  /// True with this probability.
  bool chance(double probability) { return uniform() < probability; }

  /// Uniform with mean 1 and this coefficient of variation, of at most 1 / sqrt(3).
  double around_one(double variation) { return 1 + 2 * farthest_from_one(variation) * (uniform() - 0.5); }
  /// Mean of so many independent ones, at least one; of many, that of four that vary as much less.
  double around_one(double variation, int terms) {
    const int draws = std::min(terms, most_draws);
    double sum = 0;
    for (int i = 0; i < draws; ++i) sum += around_one(variation * std::sqrt(static_cast<double>(draws) / terms));
    return sum / draws;
  }
  /// How far from 1 these can be.
  [[nodiscard]] static double farthest_from_one(double variation, int terms = 1) {
    constexpr double root_of_3 = 1.7320508075688772;  // half a uniform distribution's width over its standard deviation
    return root_of_3 * variation * std::sqrt(static_cast<double>(std::min(terms, most_draws)) / terms);
  }

  /// Exponential with mean 1; at most 53 ln 2 = 36.7.
  double exponential();
  /// Exponential with this mean, to the nearest picosecond.
  Time exponential(Time mean) { return Time{std::llround(static_cast<double>(mean.count()) * exponential())}; }

 private:
  static constexpr int most_draws = 4;
  __extension__ using Wide = unsigned __int128;

  static constexpr std::uint64_t rotate(std::uint64_t value, int left) {
    return (value << left) | (value >> (64 - left));
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace doorbell::core
