#include "models/programs/utilisation_report.hpp"

#include <algorithm>
#include <iterator>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

/// Mean over machines, and over parts of a machine, of how busy they are.
class Average {
 public:
  void add(double busy) {
    sum_ += busy;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

void report_drives(MachineSet& set, Time now, std::vector<Utilisation>& report) {
  Average controllers, units, channels, down, up;
  for (auto& machine : set.instances) {
    for (auto& drive : machine->drives()) {
      controllers.add(drive->controller().utilisation(now));
      units.add(drive->flash().units_busy(now));
      channels.add(drive->flash().channels_busy(now));
      down.add(drive->link().downstream().utilisation(now));
      up.add(drive->link().upstream().utilisation(now));
    }
  }
  const std::string at = set.name + "/drives: ";
  report.push_back({at + "controllers", controllers.value(), Limit::drive});
  report.push_back({at + "flash", units.value(), Limit::drive});
  report.push_back({at + "flash channels", channels.value(), Limit::drive});
  report.push_back({at + "PCIe downstream", down.value(), Limit::dma_bandwidth});
  report.push_back({at + "PCIe upstream", up.value(), Limit::dma_bandwidth});
}

void report_request_queues(ProgramPlan& plan, Time now, std::vector<Utilisation>& report) {
  Average completions, receives;
  for (RequestQueue& queue : plan.request_queues) {
    completions.add(queue.completions().server().utilisation(now));
    receives.add(queue.receives().server().utilisation(now));
  }
  const std::string& machine = plan.program->machine;
  report.push_back({machine + "/completion queues of " + plan.name, completions.value(), Limit::shared_line});
  report.push_back({machine + "/receive queues of " + plan.name, receives.value(), Limit::shared_line});
}

std::string cores_of(const ProgramPlan& plan) { return model::cores_of(plan.program->machine, plan.name); }

bool starts_work_of_its_own(const ProgramPlan& plan) { return !plan.collects && fresh_pass(*plan.program).total > 0; }

/// Mean number of cores that its threads do not leave to others: those that poll take theirs for ever.
double cores_taken(const ProgramPlan& plan, Time now, Time measured) {
  double taken = 0;
  for (const Thread* thread : plan.threads) {
    taken += std::clamp(1 - to_seconds(thread->slept(now)) / to_seconds(measured), 0.0, 1.0);
  }
  return taken;
}

/// Whether what holds up `plan` can hold up what `observed` does: not where both start work of their own.
bool serves(const ProgramPlan& plan, const ProgramPlan& observed) {
  return &plan == &observed || !starts_work_of_its_own(plan) || !starts_work_of_its_own(observed);
}

}  // namespace

void report_machines(MachineSet& set, Time now, Time measured, std::vector<Utilisation>& report) {
  Average down, credits, up, units, transmit, receive, locks, hottest, fetches, restored, port_out, port_in, engines,
      executing, gathering;
  double mmio_share = 0;
  std::uint64_t read = 0;
  std::uint64_t expected = 0;
  Time displaced{0};
  for (auto& machine : set.instances) {
    RdmaNic& nic = machine->nic();
    const double busy_down = nic.dma().downstream().utilisation(now);
    down.add(busy_down);
    credits.add(std::min(1.0, nic.dma().mmio_credits_taken(measured)));
    mmio_share += to_seconds(nic.dma().mmio_time()) / to_seconds(measured);
    read += nic.dma().lines_read();
    expected += nic.dma().lines_expected();
    up.add(nic.dma().upstream().utilisation(now));
    displaced += nic.displaced_time();
    transmit.add(nic.transmit_pipeline().utilisation(now));
    receive.add(nic.receive_pipeline().utilisation(now));
    locks.add(nic.atomics().lock_utilisation(now));
    engines.add(nic.atomics().engines_waiting(now));
    executing.add(nic.atomics().executing(now));
    hottest.add(nic.atomics().hottest_lock_utilisation(now));
    fetches.add(nic.state_fetches().utilisation(now));
    gathering.add(nic.transmit_queue_full(now));
    restored.add(nic.read_states().fetches().utilisation(now));
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units.add(std::min(1.0, to_seconds(unit.busy()) / to_seconds(measured)));
    }
    // Traffic does not change its port: what waits for a full one is not helped by another that is idle.
    double fullest_out = 0;
    double fullest_in = 0;
    for (auto& port : nic.ports()) {
      fullest_out = std::max(fullest_out, port->transmitter().utilisation(now));
      fullest_in = std::max(fullest_in, port->receiver().utilisation(now));
    }
    port_out.add(fullest_out);
    port_in.add(fullest_in);
    for (auto& [name, line] : machine->lines()) {
      report.push_back({set.name + "/shared line " + name, line.server().utilisation(now), Limit::shared_line});
    }
  }
  mmio_share /= static_cast<double>(set.instances.size());
  const bool by_mmio = mmio_share > down.value() / 2;
  const Limit by_dma = read - expected > read / 2 ? Limit::nic_memory : Limit::dma_bandwidth;
  const std::string at = set.name + "/";
  report.push_back(
      {resource_name(set.name, part::pcie_downstream), down.value(), by_mmio ? Limit::mmio_bandwidth : by_dma});
  report.push_back({resource_name(set.name, part::mmio_credits), credits.value(), Limit::mmio_bandwidth});
  report.push_back({at + "PCIe upstream", up.value(), Limit::dma_bandwidth});
  report.push_back({at + "NIC processing units", units.value(), Limit::nic_unit});
  const double share = to_seconds(displaced) / (to_seconds(measured) * static_cast<double>(set.instances.size()));
  const Limit by_pipeline = share > transmit.value() / 4 ? Limit::nic_memory : Limit::nic;
  report.push_back({at + "NIC transmit pipeline", transmit.value(), by_pipeline});
  if (gathering.value() > 0) report.push_back({at + "NIC transmit queue", gathering.value(), Limit::in_flight});
  const Limit by_receiver = executing.value() > receive.value() / 2 ? Limit::pcie_round_trip : Limit::nic;
  report.push_back({at + "NIC receive pipeline", receive.value(), by_receiver});
  if (set.instances.front()->nic().contexts() || set.instances.front()->nic().translations()) {
    report.push_back({at + "NIC state fetches", fetches.value(), Limit::nic_memory});
  }
  if (restored.value() > 0) report.push_back({at + "NIC READ states", restored.value(), Limit::nic_memory});
  report.push_back({at + "atomic locks", locks.value(), Limit::pcie_round_trip});
  // An engine whose head waits holds up requests whose locks are free.
  if (engines.value() > 1.5 * hottest.value()) {
    report.push_back({at + "atomic engines", engines.value(), Limit::pcie_round_trip});
  }
  // Skewed addresses: on average the locks are idle, and yet one of them is what everybody waits for.
  if (hottest.value() > 0.5 && hottest.value() > 2 * locks.value()) {
    report.push_back({at + "hottest atomic lock", hottest.value(), Limit::pcie_round_trip});
  }
  report.push_back({at + "ports transmit", port_out.value(), Limit::network_bandwidth});
  report.push_back({at + "ports receive", port_in.value(), Limit::network_bandwidth});
  if (set.group->drives) report_drives(set, now, report);
  if (!set.devices.empty()) report_devices({set.name, set.devices}, now, measured, report);
}

std::vector<Utilisation> report_utilisations(Simulation& simulation, Time measured) {
  std::vector<Utilisation> report;
  const Time now = simulation.calendar().now();
  for (MachineSet& set : simulation.machines()) report_machines(set, now, measured, report);
  report_cores(simulation, measured, report);
  sort_busiest_first(report);
  return report;
}

void report_cores(Simulation& simulation, Time measured, std::vector<Utilisation>& report) {
  const Time now = simulation.calendar().now();
  const auto link_is_full = [machines = report](const std::string& machine) {
    constexpr double full = 0.95;
    return std::ranges::any_of(machines, [&](const Utilisation& item) {
      const bool towards_nic = item.resource == resource_name(machine, part::pcie_downstream) ||
                               item.resource == resource_name(machine, part::mmio_credits);
      return towards_nic && item.busy > full;
    });
  };
  for (auto& plan : simulation.programs()) {
    if (plan->steps.empty()) continue;
    const double threads = static_cast<double>(plan->threads.size());
    const std::string& machine = plan->program->machine;
    // Who waits for a full link is not what limits.
    const Time occupied = plan->statistics.busy + (link_is_full(machine) ? Time{0} : plan->statistics.stalled);
    const double busy = to_seconds(occupied) / (to_seconds(measured) * threads);
    report.push_back({cores_of(*plan), std::min(1.0, busy), Limit::cpu});
    if (plan->program->completion.shared_queues > 0) report_request_queues(*plan, now, report);
  }
}

ArrivalCount count_arrivals(const ProgramPlan& plan) {
  ArrivalCount count;
  for (const Thread* thread : plan.threads) {
    const ArrivalCount one = thread->arrivals();
    count.arrived += one.arrived;
    count.unanswered += one.unanswered;
  }
  return count;
}

std::vector<Utilisation> without_others(std::vector<Utilisation> utilisations, Simulation& simulation,
                                        const ProgramPlan& observed) {
  for (const auto& plan : simulation.programs()) {
    if (serves(*plan, observed)) continue;
    std::erase_if(utilisations, [&](const Utilisation& item) { return item.resource == cores_of(*plan); });
  }
  return utilisations;
}

void report_nic_holders(MachineSet& set, Time now, std::vector<Utilisation>& holders) {
  Average tagless;
  Average creditless;
  Average engines_full;
  Average receiving;
  for (auto& machine : set.instances) {
    RdmaNic& nic = machine->nic();
    tagless.add(nic.dma().tagless());
    creditless.add(nic.dma().creditless());
    engines_full.add(nic.atomics().full(now));
    receiving.add(nic.receive_pipeline().utilisation(now));
  }
  holders.push_back({set.name + "/PCIe read tags", tagless.value(), Limit::read_tags});
  holders.push_back({set.name + "/PCIe non-posted credits", creditless.value(), Limit::credits});
  // Locks wait for each other's engines, so that none need be busy: but together they stop the pipeline.
  if (engines_full.value() > 0) {
    const double occupied = std::min(1.0, engines_full.value() + receiving.value());
    holders.push_back({set.name + "/queues of atomic engines", occupied, Limit::pcie_round_trip});
  }
}

std::vector<Utilisation> report_holders(Simulation& simulation, const ProgramPlan& observed, Time measured) {
  std::vector<Utilisation> holders;
  const Time now = simulation.calendar().now();
  for (MachineSet& set : simulation.machines()) {
    report_nic_holders(set, now, holders);
    if (!set.devices.empty()) report_windows({set.name, set.devices}, set.group->remote_device->access, now, holders);
    if (!set.group->drives) continue;
    Average full;
    for (auto& machine : set.instances) {
      for (auto& drive : machine->drives()) full.add(drive->flash().full(now));
    }
    holders.push_back({set.name + "/drives: write buffers", full.value(), Limit::in_flight});
  }
  for (auto& plan : simulation.programs()) {
    if (!serves(*plan, observed)) continue;
    // The sets of a program need not be alike: one may READ and another WRITE.
    double most = 0;
    for (std::size_t set = 0; set < plan->program->queue_pairs.size(); ++set) {
      Average held_back;
      for (const Thread* thread : plan->threads) {
        for (const auto& pair : thread->queue_pairs()[set]) {
          if (pair->posted > 0) held_back.add(pair->held_back.mean(now));
        }
      }
      most = std::max(most, held_back.value());
    }
    holders.push_back({plan->program->machine + "/READs in flight of " + plan->name, most, Limit::in_flight});
  }
  for (auto& plan : simulation.programs()) {
    if (plan->memories.empty() || !serves(*plan, observed)) continue;
    // A thread that waits for a page serves nobody.
    const Time occupied = plan->statistics.busy + plan->statistics.without_page;
    const double share = to_seconds(occupied) / (to_seconds(measured) * static_cast<double>(plan->threads.size()));
    holders.push_back({threads_of(plan->program->machine, plan->name), std::min(1.0, share), Limit::in_flight});
  }
  for (auto& plan : simulation.programs()) {
    const LoopPass pass = fresh_pass(*plan->program);
    if (pass.total == 0 || !serves(*plan, observed)) continue;
    const double threads = to_seconds(measured) * static_cast<double>(plan->threads.size());
    const std::string& machine = plan->program->machine;
    const auto add = [&](std::string name, Time taken, int places) {
      // What was posted in the warm-up counts as a whole when it is done.
      const double share = std::min(1.0, to_seconds(taken) / (threads * places));
      holders.push_back({std::move(name), share, Limit::in_flight});
    };
    if (const auto [arrived, unanswered] = count_arrivals(*plan); arrived > 0) {
      const double served = 1 - static_cast<double>(unanswered) / static_cast<double>(arrived);
      holders.push_back({arrivals_of(machine, plan->name), served, Limit::arrivals});
    }
    add(send_queues_of(machine, plan->name), plan->statistics.without_room, 1);
    if (pass.bounded) add(window_of(machine, plan->name), plan->statistics.in_window, pass.most);
  }
  return holders;
}

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
