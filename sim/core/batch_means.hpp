// How sure one may be of a mean measured in one run.
#pragma once

#include "core/confidence.hpp"
#include "core/quantity.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::core {

/// Method of batch means (Law, Simulation Modeling and Analysis, section 9.5.3): successive observations of one run are
/// correlated, means of long batches hardly are. The batches grow with the run: when there are 64, they are joined in
/// pairs, so that memory is constant. Intervals use between 16 and 31 batches, each of one or more of the stored ones;
/// where neighbours are still correlated, they are widened as for an autoregressive series of first order.
class BatchMeans {
 public:
  /// Ignores the first `warmup` observations.
  explicit BatchMeans(std::uint64_t warmup = 0) : skip_{warmup} {}

  /// Adds an observation, in any unit that the caller keeps to.
  void add(double observation) {
    if (skip_ > 0) {
      --skip_;
      return;
    }
    sum_ += observation;
    ++count_;
    if (++in_batch_ == batch_size_) close_batch();
  }
  /// Adds a duration, in nanoseconds.
  void add(Time observation) { add(to_nanoseconds(observation)); }

  /// Forgets all observations, as at the end of a warm-up that is known by time.
  void reset() { *this = BatchMeans{}; }

  /// Observations counted.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Mean of all observations counted; 0 if there are none.
  [[nodiscard]] double mean() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }
  /// 95 % by Student's t, over complete batches.
  [[nodiscard]] ConfidenceInterval interval() const;
  /// Correlation of neighbouring batch means; 1 is never reached.
  [[nodiscard]] double batch_correlation() const;
  /// Whether at least 16 batches exist and the half width is at most `relative` of the mean.
  [[nodiscard]] bool narrow_enough(double relative) const;

 private:
  static constexpr std::size_t capacity = 64;
  static constexpr std::size_t enough = 16;

  struct Grouped {
    std::array<double, capacity> means{};
    std::size_t count = 0;
  };

  void close_batch();
  [[nodiscard]] Grouped grouped() const;

  std::uint64_t skip_;
  std::uint64_t count_ = 0;
  std::uint64_t batch_size_ = 1;
  std::uint64_t in_batch_ = 0;
  double sum_ = 0;
  double closed_sum_ = 0;  ///< value of sum_ when the last batch was closed
  std::size_t batches_ = 0;
  std::array<double, capacity> means_{};
};

}  // namespace doorbell::core
