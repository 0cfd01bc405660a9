// Requests that come by themselves, whether or not earlier ones have been answered.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/ring_queue.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

enum class ArrivalProcess { poisson, constant };
template <> struct EnumNames<ArrivalProcess> {
  static constexpr std::array<std::string_view, 2> values{"poisson", "constant"};
};

/// Makes a post step post what has arrived, instead of keeping a window full or posting a batch per pass. Latencies
/// count from the arrival.
struct Arrivals {
  Rate rate;  ///< At each thread.
  ArrivalProcess process = ArrivalProcess::poisson;
};
template <class V> void describe(V& v, Arrivals& s) {
  v.field("rate", s.rate, {.doc = "Operations that arrive at each thread.", .min = 1, .max = 1e9});
  v.optional(
      "process", s.process,
      {.doc = "\"poisson\": independent of one another; \"constant\": at equal distances, from a random moment."});
}

/// Of a time that is measured.
struct ArrivalCount {
  std::uint64_t arrived = 0;
  std::uint64_t unanswered = 0;  ///< At its end.
};

/// What arrives at one thread. The n-th arrival is the same whenever the thread looks.
class ArrivalStream {
 public:
  ArrivalStream(const Arrivals& arrivals, core::RandomStream random, Time begin)
      : process_{arrivals.process}, gap_{from_seconds(1 / arrivals.rate.per_second)}, random_{random} {
    next_ = begin + (process_ == ArrivalProcess::poisson ? random_.exponential(gap_) : random_.uniform(Time{0}, gap_));
  }

  /// When the first arrival comes that has not been let in.
  [[nodiscard]] Time next() const { return next_; }
  /// Lets in what has arrived.
  void advance(Time now) {
    while (next_ <= now) {
      waiting_.push(next_);
      ++arrived_;
      next_ += process_ == ArrivalProcess::poisson ? random_.exponential(gap_) : gap_;
    }
  }

  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  /// When the first of those that wait arrived; there must be one.
  Time take() { return waiting_.pop(); }

  /// Ends the warm-up, for what is counted.
  void measure() { arrived_ = waiting_.size(); }
  /// Since then, with those that were waiting then.
  [[nodiscard]] std::uint64_t arrived() const { return arrived_; }

 private:
  ArrivalProcess process_;
  Time gap_;
  core::RandomStream random_;
  Time next_{0};
  core::RingQueue<Time> waiting_;
  std::uint64_t arrived_ = 0;
};

}  // namespace doorbell::model
