// A RemoteMemoryScenario brought to life: a host, the machines that lend memory, a device and its load, and the
// programs that run beside it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/calendar.hpp"
#include "models/common/load.hpp"
#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/programs/simulation.hpp"
#include "models/remote_loads/machines_beside.hpp"
#include "models/remote_memory/host_cpu.hpp"
#include "models/remote_memory/remote_daemon.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

class RemoteMemorySimulation {
 public:
  /// `scenario` must outlive the simulation and have exactly one load that is measured; throws std::invalid_argument
  /// otherwise. `beside`: machines and programs that the load shares the network with; its seed is that of all.
  RemoteMemorySimulation(const RemoteMemoryScenario& scenario, const ProgramScenario& beside);

  /// Runs warm-up and measurement, drawn as `request` asks. Call once.
  [[nodiscard]] RunResult run(const Tracing* request = nullptr);

 private:
  struct LoadBeside {
    std::string name;
    std::unique_ptr<DeviceUse> use;
    std::unique_ptr<Load> load;
  };

  void build_daemons(std::uint64_t seed);
  void build_loads(std::uint64_t seed);
  void measure();
  void trace(core::TraceWriter& writer);
  void report(RunResult& result, Time measured);
  void explain(RunResult& result, Time measured);
  void report_daemons(RunResult& result, Time measured);
  void report_loads_beside(RunResult& result);
  void warn_if_unsettled(std::string_view whose, const Load& load, RunResult& result);
  void report_programs(RunResult& result);
  [[nodiscard]] Machine& host() { return *simulation_.machine_set(std::string{host_machine}).instances.front(); }
  [[nodiscard]] MachineSet& peers() { return simulation_.machine_set(std::string{peer_machine}); }
  /// The host and its peers; those that only programs use come behind.
  [[nodiscard]] std::span<MachineSet> machines_of_load() { return std::span{simulation_.machines()}.first(2); }
  [[nodiscard]] HostedDevice& hosted() { return *simulation_.machine_set(std::string{host_machine}).devices.front(); }
  [[nodiscard]] RemoteDevice& device() { return hosted().device(); }
  [[nodiscard]] HostCpu& cpu() { return hosted().cpu(); }
  [[nodiscard]] core::Calendar& calendar() { return simulation_.calendar(); }

  const RemoteMemoryScenario& scenario_;
  ProgramScenario all_;
  std::vector<std::unique_ptr<RemoteDaemon>> daemons_;
  DeviceUse use_;  // by the load that is measured
  std::unique_ptr<Load> load_;
  std::vector<LoadBeside> beside_;
  Simulation simulation_;  // last, so that suspended processes are destroyed before what they refer to
};

}  // namespace doorbell::model
