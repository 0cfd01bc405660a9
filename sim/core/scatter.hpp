// Numbers that are alike, made unlike.
#pragma once

#include <cstdint>

namespace doorbell::core {

/// What SplitMix64 adds to its state for each number it draws (Steele, Lea and Flood, OOPSLA 2014,
/// doi:10.1145/2660193.2660195): 2^64 over the golden ratio, made odd.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// SplitMix64's finaliser: every bit of `value` changes about half of the bits of the result. 0 stays 0.
[[nodiscard]] constexpr std::uint64_t scatter(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace doorbell::core
