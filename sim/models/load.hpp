// What drives a device or a file system: the common face of the loads.
#pragma once

#include <cstdint>

#include "core/latency_histogram.hpp"
#include "core/quantity.hpp"

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
  /// Ends the warm-up.
  void measure() {
    operations_ = 0;
    bytes_ = Bytes{0};
    faults_ = 0;
    latency_.reset();
  }

 protected:
  void count(Time latency, Bytes bytes) {
    ++operations_;
    bytes_ = bytes_ + bytes;
    latency_.add(latency);
  }
  void count_fault() { ++faults_; }

 private:
  std::uint64_t operations_ = 0;
  Bytes bytes_{0};
  std::uint64_t faults_ = 0;
  core::LatencyHistogram latency_;
};

}  // namespace doorbell::model
