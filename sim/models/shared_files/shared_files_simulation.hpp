// Executes a SharedFilesScenario: a storage server, the machines that mount its file system, and their load.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "models/common/load.hpp"
#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/fabric/fluid_network.hpp"
#include "models/shared_files/block_server.hpp"
#include "models/shared_files/file_client.hpp"
#include "models/shared_files/lock_manager.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::model {

class SharedFilesSimulation {
 public:
  /// Throws std::invalid_argument when the scenario has no load.
  SharedFilesSimulation(const SharedFilesScenario& scenario, std::uint64_t seed);

  /// Runs warm-up and measurement, or a load that ends until it has ended. Call once.
  [[nodiscard]] RunResult run(const Tracing* request = nullptr);

 private:
  void build_nodes(std::uint64_t seed);
  void build_load(std::uint64_t seed);
  void preload();
  void measure();
  void trace(core::TraceWriter& writer);
  void run_for_a_time(RunResult& result, const Tracing* request);
  void run_to_the_end(RunResult& result, const Tracing* request);
  [[nodiscard]] std::vector<Utilisation> held_stages(const RunResult& result,
                                                     const std::vector<FluidNetwork::Load>& loads) const;
  /// By requests in the scheduler, in buffers, with workers and in flight, and by processes.
  using HeldInOrder = std::array<HeldTime, 5>;
  [[nodiscard]] HeldInOrder held_in_order(BlockServer::Queueing queueing) const;
  [[nodiscard]] std::vector<Utilisation> holders(const RunResult& result,
                                                 const std::vector<FluidNetwork::Load>& loads) const;
  void report(RunResult& result);

  SharedFilesScenario scenario_;
  core::Calendar calendar_;
  FluidNetwork network_;
  std::unique_ptr<BlockServer> server_;
  std::deque<FileClient> clients_;
  LockManager locks_;
  std::unique_ptr<Load> load_;
  bool ends_ = false;
};

}  // namespace doorbell::model
