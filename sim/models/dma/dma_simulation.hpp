// Executes a DmaScenario: closed loops of DMA requests.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "core/random.hpp"
#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/dma/dma_engine.hpp"
#include "models/dma/dma_scenario.hpp"
#include "models/memory/host_memory.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model {

class DmaSimulation {
 public:
  DmaSimulation(const DmaScenario& scenario, std::uint64_t seed);
  DmaSimulation(const DmaSimulation&) = delete;
  DmaSimulation& operator=(const DmaSimulation&) = delete;

  /// Runs warm-up and measurement. Call once.
  [[nodiscard]] RunResult run(const Tracing* trace = nullptr);

 private:
  /// One request in flight.
  struct Loop {
    Time began{0};
    std::int64_t address = 0;
    bool writes = false;
  };
  void begin(std::uint64_t number);
  void submit(std::uint64_t number);
  void end(std::uint64_t number);
  [[nodiscard]] std::int64_t next_address();
  void report(RunResult& result);
  void report_memory(RunResult& result);

  DmaScenario scenario_;
  core::Calendar calendar_;
  HostMemory memory_;
  HostDma link_;
  DmaEngine engine_;
  std::optional<CoreStreams> cores_;
  core::RandomStream random_;
  std::int64_t next_unit_ = 0;
  std::vector<Loop> loops_;

  core::LatencyHistogram latency_;
  std::uint64_t reads_ = 0;
  std::uint64_t writes_ = 0;
};

}  // namespace doorbell::model
