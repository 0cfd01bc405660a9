// A RemoteMemoryScenario brought to life: a host, the machines that lend memory, a device and its load.
#pragma once

#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "models/load.hpp"
#include "models/programs/simulation.hpp"
#include "models/remote_memory/host_cpu.hpp"
#include "models/remote_memory/remote_daemon.hpp"
#include "models/remote_memory/remote_device.hpp"
#include "models/result.hpp"
#include "models/scenario.hpp"
#include "models/tracing.hpp"

namespace doorbell::model {

class RemoteMemorySimulation {
 public:
  /// `scenario` must outlive the simulation and have exactly one load; throws std::invalid_argument otherwise.
  RemoteMemorySimulation(const RemoteMemoryScenario& scenario, std::uint64_t seed);

  /// Runs warm-up and measurement, drawn as `request` asks. Call once.
  [[nodiscard]] RunResult run(const Tracing* request = nullptr);

 private:
  void build_machines();
  void build_daemons(std::uint64_t seed);
  void build_load(std::uint64_t seed);
  void measure();
  void trace(core::TraceWriter& writer);
  void report(RunResult& result, Time measured);

  const RemoteMemoryScenario& scenario_;
  MessagePool pool_;
  MachineGroup client_group_;
  MachineGroup server_group_;
  std::vector<MachineSet> machines_;
  std::vector<std::unique_ptr<RemoteDaemon>> daemons_;
  std::unique_ptr<RemoteDevice> device_;
  std::unique_ptr<Load> load_;
  std::unique_ptr<HostCpu> cpu_;
  core::Calendar calendar_;  // last, so that suspended processes are destroyed before what they refer to
};

}  // namespace doorbell::model
