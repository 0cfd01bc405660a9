// What steps that access devices on remote memory ask of them.
#pragma once

#include <vector>

#include "analytic/demand.hpp"
#include "analytic/flow.hpp"
#include "analytic/remote_memory_software.hpp"

namespace doorbell::analytic {

/// The device that a step of a program accesses. Program, step and fabric must outlive it.
class DeviceAccess {
 public:
  DeviceAccess(const ProgramFlow& program, const model::AccessStep& step, const model::Fabric& fabric);
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

  /// Work requests for each request of the step.
  [[nodiscard]] const DeviceTraffic& traffic() const { return software_.traffic(); }
  /// For how long a request occupies its thread at the clock of a lone one, beside what the step says. With a window
  /// handlers post what has waited for it.
  [[nodiscard]] Seconds by_thread() const;
  /// What it asks of the machines beside. `programs`: hardware threads that programs keep on each.
  [[nodiscard]] std::vector<RowDemand> demands(int programs) const;
  /// From the block layer until a thread that polls can see that a request is done, alone on those machines.
  [[nodiscard]] Time unloaded(const model::HardwareProfile& peer) const;

 private:
  const ProgramFlow& program_;
  model::RemoteMemoryScenario load_;  ///< The requests as a load of blocks: what a pass takes is queued together.
  RemoteMemorySoftware software_;
};

}  // namespace doorbell::analytic
