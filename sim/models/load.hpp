// What drives a device or a file system: the common face of the loads.
#pragma once

#include <cstdint>

#include "core/latency_histogram.hpp"
#include "core/quantity.hpp"
#include "core/utilisation.hpp"

namespace doorbell::model {

class Load {
 public:
  virtual ~Load() = default;
  /// Starts the threads.
  virtual void start() = 0;
  /// Whether a load that does a given amount of work has done it.
  [[nodiscard]] virtual bool ended() const { return false; }

  /// Operations of the application.
  [[nodiscard]] std::uint64_t operations() const { return operations_; }
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] const core::LatencyHistogram& latency() const { return latency_; }
  /// Faults of a load that pages; 0 for others.
  [[nodiscard]] std::uint64_t faults() const { return faults_; }
  /// Requests that filling a store writes for each insert; 0 for other loads.
  [[nodiscard]] virtual double writes_per_insert() const { return 0; }
  /// Threads that wait for I/O, on average.
  [[nodiscard]] double waiting(Time now) const { return waiting_.mean(now); }
  /// Ends the warm-up.
  void measure(Time now) {
    operations_ = 0;
    bytes_ = Bytes{0};
    faults_ = 0;
    waiting_.reset(now);
    latency_.reset();
  }

 protected:
  void count(Time latency, Bytes bytes) {
    ++operations_;
    bytes_ = bytes_ + bytes;
    latency_.add(latency);
  }
  void count_fault() { ++faults_; }
  /// A thread begins (1) or ends (-1) to wait for I/O.
  void wait(Time now, int change) { waiting_.add(now, change); }

 private:
  std::uint64_t operations_ = 0;
  Bytes bytes_{0};
  std::uint64_t faults_ = 0;
  core::TimeWeighted waiting_;
  core::LatencyHistogram latency_;
};

}  // namespace doorbell::model
