#include "analytic/storage_demand.hpp"

#include "analytic/device_access.hpp"
#include "analytic/drive_access.hpp"
#include "models/programs/active_threads.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

StorageDemand of_drives(const ProgramFlow& program, const AccessStep& step) {
  return {.rows = drive_demands(program, step), .busy = Seconds{program.hardware.cpu.poll_cqe}};
}

StorageDemand of_device(const ProgramFlow& program, const DeviceAccess& device, const Scenario& scenario) {
  const HardwareProfile& lender = find(scenario.machines, program.machine->remote_device.value().peers)->hardware;
  return {.rows = device.demands(program_threads(scenario.programs, program.program->machine), lender),
          .busy = device.by_thread() * program.stretch,
          .waiting = device.waiting(lender)};
}

}  // namespace

std::optional<StorageDemand> storage_demand(const ProgramFlow& program, const Step& step, const Scenario& scenario) {
  if (const auto* access = std::get_if<AccessStep>(&step)) {
    StorageDemand demand = access->device == AccessedDevice::drives
                               ? of_drives(program, *access)
                               : of_device(program, DeviceAccess{program, *access, scenario.fabric}, scenario);
    demand.busy += Seconds{access->per_command + access->per_completion} * program.stretch;
    demand.requests = program.items;
    return demand;
  }
  if (const auto* touch = std::get_if<TouchStep>(&step)) {
    StorageDemand demand = of_device(program, DeviceAccess{program, *touch, scenario.fabric}, scenario);
    demand.requests = operations_of(*touch, program.items);
    return demand;
  }
  return std::nullopt;
}

}  // namespace doorbell::analytic
