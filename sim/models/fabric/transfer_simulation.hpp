// Executes a TransferScenario: closed loops of requests on a fluid network.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "core/process.hpp"
#include "core/random.hpp"
#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/fabric/fluid_network.hpp"
#include "models/fabric/transfers.hpp"

namespace doorbell::model {

class TransferSimulation {
 public:
  /// Throws std::invalid_argument when a route names no resource of the scenario, or nothing at all.
  TransferSimulation(const TransferScenario& scenario, std::uint64_t seed);

  /// Runs warm-up and measurement. Call once.
  [[nodiscard]] RunResult run(const Tracing* trace = nullptr);

 private:
  struct Step {
    FluidNetwork::Route route = 0;
    Time latency{0};
  };
  struct Loop {
    std::size_t kind = 0;  // which of the scenario's streams
    std::vector<Step> steps;
    Bytes size;
    int outstanding = 1;
    Time alone{0};                                // that a request takes if there are no others
    std::vector<FluidNetwork::Resource> crossed;  // by each request
    std::vector<double> waited;                   // seconds for which each of these was the narrowest
    std::vector<double> saved;                    // of these, what twice as much of it would save
    std::uint64_t requests = 0;                   // ended while measured
  };
  void start_requests();
  core::Process request_loop(Loop& loop);
  static void add_waited(Loop& loop, FluidNetwork::Narrowest narrowest, Time time);
  /// Requests of each kind, with the parts of those in their last stage, where so many bytes have passed the routes.
  [[nodiscard]] std::vector<double> moved(const std::vector<double>& passed) const;
  void add_streams(std::size_t kind);
  [[nodiscard]] FluidNetwork::Resource instance(const std::string& name, int stream) const;
  [[nodiscard]] bool is_measured(std::size_t kind) const;
  /// `passed`: bytes over each route while measured.
  void report(const std::vector<double>& passed, RunResult& result);

  TransferScenario scenario_;
  core::Calendar calendar_;
  FluidNetwork network_;
  std::vector<FluidNetwork::Resource> first_;  // instance of each named resource
  std::vector<Loop> loops_;

  core::RandomStream random_;
  core::RandomStream starts_;
  core::LatencyHistogram latency_;
  std::uint64_t requests_ = 0;
};

}  // namespace doorbell::model
