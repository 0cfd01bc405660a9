#include "models/programs/unit_waits.hpp"

#include <algorithm>

#include "models/common/resource_name.hpp"
#include "models/programs/group_average.hpp"
#include "models/programs/related_programs.hpp"

namespace doorbell::model {
namespace {

/// Shares of the measured time, on average over the machines of a group.
struct UnitTime {
  GroupAverage occupied;
  GroupAverage waiting;  ///< Of that, without the work on WQEs.
  GroupAverage held_up;  ///< For which a port waits for room at a receiver.
};

UnitTime time_of_units(MachineSet& set, Time now, Time measured) {
  UnitTime time;
  for (auto& machine : set.instances) {
    RdmaNic& nic = machine->nic();
    Average occupied;
    Average waiting;
    for (ProcessingUnit& unit : nic.units()) {
      if (!unit.used()) continue;
      occupied.add(to_seconds(unit.occupied()) / to_seconds(measured));
      waiting.add(to_seconds(std::max(Time{0}, unit.occupied() - unit.busy())) / to_seconds(measured));
    }
    time.occupied.add(occupied);
    time.waiting.add(waiting);
    double held_up = 0;
    for (auto& port : nic.ports()) held_up = std::max(held_up, port->held_up(now));
    time.held_up.add(held_up);
  }
  return time;
}

}  // namespace

std::string receive_buffers_of(const MachineSet& set) { return resource_name(set.name, "receive buffers"); }

void explain_unit_waits(MachineSet& set, Simulation& simulation, Time measured, std::vector<Utilisation>& holders) {
  const Utilisation* fullest = nullptr;
  for (const MachineSet& receivers : simulation.machines()) {
    if (!any_sends(set, receivers, simulation)) continue;
    for (const Utilisation& holder : holders) {
      const bool fuller = fullest == nullptr || holder.busy > fullest->busy;
      if (fuller && is_resource(holder.resource, receive_buffers_of(receivers))) fullest = &holder;
    }
  }
  if (fullest == nullptr || fullest->busy <= 0) return;
  const UnitTime time = time_of_units(set, simulation.calendar().now(), measured);
  const double waiting = time.waiting.value();
  const double held_up = std::min(time.held_up.value(), waiting);
  constexpr double worth_telling = 0.1;
  if (waiting < worth_telling || held_up < waiting / 2) return;
  // Packets come back in bursts, and more units would only find the buffer full sooner.
  const double share = held_up / time.occupied.value();
  const HeldFor room{fullest->resource, Limit::receive_buffer, share, fullest->busy, 1};
  for (Utilisation& holder : holders) {
    const bool is_units = is_resource(holder.resource, processing_units_with_waits(set.name));
    if (is_units) holder.held_for = room;
  }
}

}  // namespace doorbell::model
