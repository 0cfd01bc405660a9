// Physical quantities with units. No bare double crosses an interface of Doorbell; these do.
#pragma once

#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <ratio>

namespace doorbell {

/// Simulated time and durations: integer picoseconds. Comparable, exact, never a floating-point clock.
using Time = std::chrono::duration<std::int64_t, std::pico>;

/// Rounds half away from zero, so that one real duration always becomes the same integer. What Time cannot hold (106
/// days and more) becomes Time::max() or Time::min().
[[nodiscard]] inline Time from_seconds(double seconds) {
  constexpr double end = 9223372036854775808.0;  // 2^63
  const double picoseconds = seconds * 1e12;
  if (picoseconds >= end) return Time::max();
  return picoseconds > -end ? Time{std::llround(picoseconds)} : Time::min();
}
[[nodiscard]] constexpr double to_seconds(Time time) { return static_cast<double>(time.count()) * 1e-12; }
[[nodiscard]] constexpr double to_nanoseconds(Time time) { return static_cast<double>(time.count()) * 1e-3; }
/// So many times as long, to the picosecond below.
[[nodiscard]] constexpr Time stretched(Time time, double factor) {
  return Time{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor)};
}

/// A size in bytes.
struct Bytes {
  std::int64_t count = 0;

  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t bytes) : count{bytes} {}

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count + b.count}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.count - b.count}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes{a.count * n}; }
  friend constexpr Bytes operator*(std::int64_t n, Bytes a) { return a * n; }
};

/// How many units of `unit` are needed to hold `bytes` (unit > 0).
[[nodiscard]] constexpr std::int64_t ceil_div(Bytes bytes, Bytes unit) {
  return (bytes.count + unit.count - 1) / unit.count;
}

/// Bytes per second.
struct Bandwidth {
  double bytes_per_second = 0;

  constexpr auto operator<=>(const Bandwidth&) const = default;
  friend constexpr Bandwidth operator*(Bandwidth b, double factor) { return {b.bytes_per_second * factor}; }
  friend constexpr Bandwidth operator*(double factor, Bandwidth b) { return b * factor; }
};

/// Time that `bytes` occupy a resource of this bandwidth, to the nearest picosecond: without bandwidth Time::max(), but
/// nothing for 0 B.
[[nodiscard]] inline Time transfer_time(Bytes bytes, Bandwidth bandwidth) {
  if (bytes.count == 0) return Time{0};
  return from_seconds(static_cast<double>(bytes.count) / bandwidth.bytes_per_second);
}

/// Operations per second.
struct Rate {
  double per_second = 0;

  constexpr auto operator<=>(const Rate&) const = default;
  [[nodiscard]] constexpr double millions() const { return per_second * 1e-6; }
};

namespace literals {
// `using namespace std::chrono_literals` gives ns, us and ms; the core adds what chrono lacks.
constexpr Time operator""_ps(unsigned long long value) { return Time{static_cast<std::int64_t>(value)}; }
constexpr Time operator""_ns(unsigned long long value) { return Time{static_cast<std::int64_t>(value) * 1000}; }
constexpr Time operator""_us(unsigned long long value) { return Time{static_cast<std::int64_t>(value) * 1'000'000}; }
constexpr Time operator""_ms(unsigned long long value) {
  return Time{static_cast<std::int64_t>(value) * 1'000'000'000};
}
constexpr Bytes operator""_B(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value)}; }
constexpr Bytes operator""_KiB(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value) * 1024}; }
constexpr Bandwidth operator""_MBps(long double value) { return {static_cast<double>(value) * 1e6}; }
constexpr Bandwidth operator""_MBps(unsigned long long value) { return {static_cast<double>(value) * 1e6}; }
}  // namespace literals

}  // namespace doorbell
