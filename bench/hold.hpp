// The HOLD model, the same for every engine: N pending events, each of which schedules itself again when it runs.
#pragma once

#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Increments in ticks (1 ps where the engine counts in integers). Drawn in advance, so that engines are measured and
/// not logarithms; the table is read in order by all events together.
class Increments {
 public:
  static constexpr std::int64_t mean = 1'000'000;

  explicit Increments(std::string_view kind) : table_(size, mean) {
    if (kind == "constant") return;
    for (std::int64_t& value : table_) {
      const double uniform = (static_cast<double>(random() >> 11) + 1.0) * 0x1p-53;
      double x = -std::log(uniform);
      // "mixed" spreads them over six orders of magnitude, from nanoseconds to milliseconds.
      if (kind == "mixed") x *= std::pow(10.0, static_cast<double>(random() % 7) - 3.0);
      value = std::llround(static_cast<double>(mean) * x);
    }
  }

  std::int64_t next() { return table_[position_++ % size]; }
  /// When the first event of each process is due: spread over one mean, so that constant increments do not all tie.
  std::int64_t first() { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(mean)); }

 private:
  static constexpr std::size_t size = std::size_t{1} << 16;

  std::uint64_t random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }

  std::uint64_t state_ = 88172645463325252;
  std::size_t position_ = 0;
  std::vector<std::int64_t> table_;
};

/// User CPU time of this process so far, in seconds: other programs on the machine count little.
inline double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// Command line of every HOLD program: variant, increments, pending events, events to measure.
struct Options {
  std::string variant;
  std::string increments;
  std::size_t pending;
  std::uint64_t events;

  Options(int count, char** arguments) {
    if (count != 5) {
      std::fprintf(stderr, "usage: %s variant exponential|constant|mixed pending events\n", arguments[0]);
      std::exit(2);
    }
    variant = arguments[1];
    increments = arguments[2];
    pending = std::strtoull(arguments[3], nullptr, 10);
    events = std::strtoull(arguments[4], nullptr, 10);
  }

  /// Events before the measurement: each process has run about twice, and tuning has settled.
  [[nodiscard]] std::uint64_t warmup() const { return events / 10 + 2 * pending; }
};

/// Prints millions of events per second of user CPU time.
inline void report(std::uint64_t events, double seconds) {
  std::printf("%.3f\n", static_cast<double>(events) / seconds * 1e-6);
}

}  // namespace bench
