#include "models/programs/counter_report.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

/// Mean number of cores that its threads do not leave to others: those that poll take theirs for ever.
double cores_taken(const ProgramPlan& plan, Time now, Time measured) {
  double taken = 0;
  for (const Thread* thread : plan.threads) {
    taken += std::clamp(1 - to_seconds(thread->slept(now)) / to_seconds(measured), 0.0, 1.0);
  }
  return taken;
}

}  // namespace

std::vector<CounterReading> report_counters(Simulation& simulation, Time measured) {
  std::vector<CounterReading> report;
  report_machine_counters(simulation.machines(), measured, report);
  report_program_counters(simulation, measured, report);
  return report;
}

void report_program_counters(Simulation& simulation, Time measured, std::vector<CounterReading>& report) {
  for (const auto& plan : simulation.programs()) {
    const auto add = [&](const char* what, std::uint64_t count) {
      report.push_back(
          {plan->program->machine + what + plan->name, count, Rate{static_cast<double>(count) / to_seconds(measured)}});
    };
    if (plan->program->completion.mode != WaitMode::busy) add("/interrupts of ", plan->statistics.interrupts);
    if (plan->statistics.refused > 0) add("/RNR NAKs of ", plan->statistics.refused);
    if (plan->memories.empty()) continue;
    std::uint64_t faults = 0;
    for (const auto& memory : plan->memories) faults += memory->faults();
    add("/page faults of ", faults);
  }
}

void report_machine_counters(std::vector<MachineSet>& machines, Time measured, std::vector<CounterReading>& report) {
  for (MachineSet& set : machines) {
    if (!set.devices.empty()) report_device_counters({set.name, set.devices}, measured, report);
    std::uint64_t read = 0;
    std::uint64_t expected = 0;
    std::uint64_t written = 0;
    std::optional<std::uint64_t> contexts;
    std::optional<std::uint64_t> translations;
    for (auto& machine : set.instances) {
      const RdmaNic& nic = machine->nic();
      if (nic.contexts()) contexts = contexts.value_or(0) + nic.contexts()->misses();
      if (nic.translations()) translations = translations.value_or(0) + nic.translations()->misses();
      read += machine->nic().dma().lines_read();
      expected += machine->nic().dma().lines_expected();
      written += machine->nic().dma().lines_written();
    }
    const auto reading = [&](const char* name, std::uint64_t count) {
      report.push_back({set.name + "/" + name, count, Rate{static_cast<double>(count) / to_seconds(measured)}});
    };
    reading("PCIeRdCur", read);
    reading("PCIeItoM", written);
    if (contexts) reading("QP contexts read", *contexts);
    if (translations) reading("translations read", *translations);
    if (set.group->drives) {
      std::uint64_t from_drives = 0;
      std::uint64_t to_drives = 0;
      for (auto& machine : set.instances) {
        for (auto& drive : machine->drives()) {
          from_drives += drive->reads();
          to_drives += drive->writes();
        }
      }
      reading("reads of drives", from_drives);
      reading("writes to drives", to_drives);
    }
    // How Kalia et al. 2016, section 5.3.2, see WQE cache misses: observed less expected reads.
    reading("PCIeRdCur beyond expected", read - expected);
  }
}

std::vector<Level> report_levels(Simulation& simulation, Time measured) {
  std::vector<Level> levels;
  const auto add = [&](const std::string& name, const core::LatencyHistogram& latency) {
    levels.push_back({name + " (us)", to_nanoseconds(latency.mean()) / 1e3});
    levels.push_back({name + ", p99 (us)", to_nanoseconds(latency.percentile(0.99)) / 1e3});
  };
  for (const auto& plan : simulation.programs()) {
    if (plan->relays > 0) add(plan->program->machine + "/relayed by " + plan->name, plan->statistics.relayed);
    if (!plan->steps.empty() && find(simulation.scenario().machines, plan->program->machine)->software)
      levels.push_back({plan->program->machine + "/cores taken by " + plan->name,
                        cores_taken(*plan, simulation.calendar().now(), measured)});
  }
  for (MachineSet& set : simulation.machines()) {
    if (!set.devices.empty())
      std::ranges::move(device_levels({set.name, set.devices}, simulation.calendar().now()),
                        std::back_inserter(levels));
    if (!set.group->drives) continue;
    core::LatencyHistogram latency;
    for (auto& machine : set.instances) {
      for (auto& drive : machine->drives()) latency.merge(drive->latency());
    }
    add(set.name + "/command of a drive", latency);
  }
  return levels;
}

}  // namespace doorbell::model
