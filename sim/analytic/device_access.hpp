// What steps ask of the device on remote memory of their machine: those that access it, and those that touch memory
// which does not hold all pages.
#pragma once

#include <vector>

#include "analytic/demand.hpp"
#include "analytic/flow.hpp"
#include "analytic/remote_memory_software.hpp"

namespace doorbell::analytic {

/// Times and numbers are of one operation: a request that is taken to the device, or an operation on the memory, on
/// average over those that find all pages there.
class DeviceAccess {
 public:
  /// All of these must outlive it.
  DeviceAccess(const ProgramFlow& program, const model::AccessStep& step, const model::Fabric& fabric);
  DeviceAccess(const ProgramFlow& program, const model::TouchStep& step, const model::Fabric& fabric);
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

  /// Work requests and faults.
  [[nodiscard]] const DeviceTraffic& traffic() const { return software_.traffic(); }
  /// For how long it keeps its thread's core at work at the clock of a lone one, beside what the step says. With a
  /// window handlers post what has waited for it.
  [[nodiscard]] Seconds by_thread() const;
  /// For how long its thread waits for pages of such machines at the least.
  [[nodiscard]] Seconds waiting(const model::HardwareProfile& peer) const;
  /// What it asks of the machines beside, where such machines lend memory. `programs`: hardware threads that programs
  /// keep on each.
  [[nodiscard]] std::vector<RowDemand> demands(int programs, const model::HardwareProfile& peer) const;
  /// Until it is done, alone on these machines and those that lend memory.
  [[nodiscard]] Time unloaded(const model::HardwareProfile& peer) const;

 private:
  DeviceAccess(const ProgramFlow& program, model::RemoteMemoryScenario load);

  const ProgramFlow& program_;
  model::RemoteMemoryScenario load_;  ///< The operations as a load, of that program alone.
  RemoteMemorySoftware software_;
};

}  // namespace doorbell::analytic
