// What drives a device or a file system: the common face of the loads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/latency_histogram.hpp"
#include "core/quantity.hpp"
#include "core/utilisation.hpp"

namespace doorbell::model {

/// Names of the kinds of a load's operations, which last as long as the program; none where all operations are alike.
using OperationKinds = std::span<const std::string_view>;

inline constexpr std::array<std::string_view, 2> reads_and_writes{"reads", "writes"};

/// Of a load with such a share of reads.
[[nodiscard]] inline OperationKinds kinds_of_mix(double read_share) {
  return read_share > 0 && read_share < 1 ? OperationKinds{reads_and_writes} : OperationKinds{};
}

class Load {
 public:
  struct Kind {
    std::string_view name;
    core::LatencyHistogram latency;  ///< Of all its operations since the warm-up.
  };

  virtual ~Load() = default;
  /// Starts the threads.
  virtual void start() = 0;
  /// Whether a load that does a given amount of work has done it.
  [[nodiscard]] virtual bool ended() const { return false; }

  /// Operations of the application.
  [[nodiscard]] std::uint64_t operations() const { return operations_; }
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] const core::LatencyHistogram& latency() const { return latency_; }
  /// Empty where all operations are alike.
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  /// Faults of a load that pages; 0 for others.
  [[nodiscard]] virtual std::uint64_t faults() const { return 0; }
  /// Requests that filling a store writes for each insert; 0 for other loads.
  [[nodiscard]] virtual double writes_per_insert() const { return 0; }
  /// What one process that does one thing after the other takes its time for, in words; empty for other loads.
  [[nodiscard]] virtual std::string parts_of_time() const { return {}; }
  /// Threads that wait for I/O, on average.
  [[nodiscard]] virtual double waiting(Time now) const { return waiting_.mean(now); }
  /// Operations in flight, on average; 0 of loads whose threads do one after the other.
  [[nodiscard]] double in_flight(Time now) const { return in_flight_.mean(now); }
  /// Ends the warm-up.
  virtual void measure(Time now) {
    operations_ = 0;
    bytes_ = Bytes{0};
    waiting_.reset(now);
    in_flight_.reset(now);
    latency_.reset();
    for (Kind& kind : kinds_) kind.latency.reset();
  }

 protected:
  explicit Load(OperationKinds kinds = {}) {
    for (const std::string_view name : kinds) kinds_.push_back({name, {}});
  }
  /// `kind`: its place among the kinds, if there are any.
  void count(Time latency, Bytes bytes, std::size_t kind = 0) {
    ++operations_;
    bytes_ = bytes_ + bytes;
    latency_.add(latency);
    if (!kinds_.empty()) kinds_[kind].latency.add(latency);
  }
  /// A thread begins (1) or ends (-1) to wait for I/O.
  void wait(Time now, int change) { waiting_.add(now, change); }
  /// An operation begins (1) or ends (-1), of a load that keeps several in flight.
  void flight(Time now, int change) { in_flight_.add(now, change); }

 private:
  std::uint64_t operations_ = 0;
  Bytes bytes_{0};
  core::TimeWeighted waiting_;
  core::TimeWeighted in_flight_;
  core::LatencyHistogram latency_;
  std::vector<Kind> kinds_;
};

}  // namespace doorbell::model
