#include "models/programs/utilisation_report.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/average.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/related_programs.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

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

/// How busy the parts of the machines of a group were, on average.
class PartLoads {
 public:
  void add(Machine& machine, Time now, Time measured) {
    RdmaNic& nic = machine.nic();
    add_host_side(nic, now, measured);
    add_nic(nic, now, measured);
    add_ports(nic, now);
    for (auto& [name, line] : machine.lines()) lines_[name].add(line.server().utilisation(now));
  }

  void report(const MachineSet& set, Time measured, std::vector<Utilisation>& report) const {
    const auto machines = static_cast<double>(set.instances.size());
    for (const auto& [name, line] : lines_) {
      report.push_back({set.name + "/shared line " + name, line.value(), Limit::shared_line});
    }
    report_host_side(set.name, machines, report);
    report_nic(set, to_seconds(displaced_) / (to_seconds(measured) * machines), report);
    report_atomics(set.name + "/", report);
    report_ports(set.name + "/ports transmit", out_, report);
    report_ports(set.name + "/ports receive", in_, report);
  }

 private:
  struct Ports {
    Average fullest;
    Average least;

    void add(const std::vector<double>& busy) {
      fullest.add(std::ranges::max(busy));
      least.add(std::ranges::min(busy));
    }
  };

  void add_host_side(RdmaNic& nic, Time now, Time measured) {
    HostDma& dma = nic.dma();
    down_.add(dma.downstream().utilisation(now));
    up_.add(dma.upstream().utilisation(now));
    credits_.add(std::min(1.0, dma.mmio_credits_taken(measured)));
    mmio_share_ += to_seconds(dma.mmio_time()) / to_seconds(measured);
    read_ += dma.lines_read();
    expected_ += dma.lines_expected();
  }
  void add_nic(RdmaNic& nic, Time now, Time measured) {
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units_.add(std::min(1.0, to_seconds(unit.busy()) / to_seconds(measured)));
    }
    transmit_.add(nic.transmit_pipeline().utilisation(now));
    receive_.add(nic.receive_pipeline().utilisation(now));
    displaced_ += nic.displaced_time();
    fetches_.add(nic.state_fetches().utilisation(now));
    restored_.add(nic.read_states().fetches().utilisation(now));
    locks_.add(nic.atomics().lock_utilisation(now));
    hottest_.add(nic.atomics().hottest_lock_utilisation(now));
    engines_.add(nic.atomics().engines_waiting(now));
    executing_.add(nic.atomics().executing(now));
  }
  /// Traffic does not change its port: what waits for a full one is not helped by another that is idle.
  void add_ports(RdmaNic& nic, Time now) {
    std::vector<double> out;
    std::vector<double> in;
    for (auto& port : nic.ports()) {
      out.push_back(port->transmitter().utilisation(now));
      in.push_back(port->receiver().utilisation(now));
    }
    out_.add(out);
    in_.add(in);
  }

  void report_host_side(const std::string& machine, double machines, std::vector<Utilisation>& report) const {
    const bool by_mmio = mmio_share_ / machines > down_.value() / 2;
    const Limit by_dma = read_ - expected_ > read_ / 2 ? Limit::nic_memory : Limit::dma_bandwidth;
    report.push_back(
        {resource_name(machine, part::pcie_downstream), down_.value(), by_mmio ? Limit::mmio_bandwidth : by_dma});
    report.push_back({resource_name(machine, part::mmio_credits), credits_.value(), Limit::mmio_bandwidth});
    report.push_back({machine + "/PCIe upstream", up_.value(), Limit::dma_bandwidth});
  }
  /// `displaced`: share of the time that the transmit pipeline spends on WQEs that have been displaced.
  void report_nic(const MachineSet& set, double displaced, std::vector<Utilisation>& report) const {
    const std::string at = set.name + "/";
    report.push_back({at + "NIC processing units", units_.value(), Limit::nic_unit});
    const Limit by_pipeline = displaced > transmit_.value() / 4 ? Limit::nic_memory : Limit::nic;
    report.push_back({at + "NIC transmit pipeline", transmit_.value(), by_pipeline});
    const Limit by_receiver = executing_.value() > receive_.value() / 2 ? Limit::pcie_round_trip : Limit::nic;
    report.push_back({at + "NIC receive pipeline", receive_.value(), by_receiver});
    const RdmaNic& any = set.instances.front()->nic();
    if (any.contexts() || any.translations()) {
      report.push_back({at + "NIC state fetches", fetches_.value(), Limit::nic_memory});
    }
    if (restored_.value() > 0) report.push_back({at + "NIC READ states", restored_.value(), Limit::read_states});
  }
  void report_atomics(const std::string& at, std::vector<Utilisation>& report) const {
    report.push_back({at + "atomic locks", locks_.value(), Limit::pcie_round_trip});
    // An engine whose head waits holds up requests whose locks are free.
    if (engines_.value() > 1.5 * hottest_.value()) {
      report.push_back({at + "atomic engines", engines_.value(), Limit::pcie_round_trip});
    }
    // Skewed addresses: on average the locks are idle, and yet one of them is what everybody waits for.
    const bool alone = hottest_.value() >= saturated && locks_.value() < saturated;
    if (alone || (hottest_.value() > 0.5 && hottest_.value() > 2 * locks_.value())) {
      report.push_back({at + "hottest atomic lock", hottest_.value(), Limit::pcie_round_trip});
    }
  }
  static void report_ports(const std::string& name, const Ports& ports, std::vector<Utilisation>& report) {
    const double fullest = ports.fullest.value();
    const bool uneven = ports.least.value() < fullest / 2;
    report.push_back({name, fullest, uneven ? Limit::one_port : Limit::network_bandwidth});
  }

  Average down_;
  Average up_;
  Average credits_;
  double mmio_share_ = 0;  // of the time, of all machines together
  std::uint64_t read_ = 0;
  std::uint64_t expected_ = 0;
  Average units_;
  Average transmit_;
  Average receive_;
  Time displaced_{0};  // of all machines together
  Average fetches_;
  Average restored_;
  Average locks_;
  Average hottest_;
  Average engines_;
  Average executing_;
  Ports out_;
  Ports in_;
  std::map<std::string, Average> lines_;
};

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

/// Whether requests pass a resource on their way to the queue of `observed`, and answers do not.
bool is_before_queue(const std::string& resource, Simulation& simulation, const ProgramPlan& observed) {
  const std::string& machine = observed.program->machine;
  if (resource == machine + "/NIC receive pipeline" || resource == machine + "/ports receive") return true;
  return std::ranges::any_of(simulation.programs(), [&](const auto& plan) {
    const std::string& asking = plan->program->machine;
    return asking != machine && starts_work_of_its_own(*plan) && resource.starts_with(asking + "/");
  });
}

}  // namespace

void report_machines(MachineSet& set, Time now, Time measured, std::vector<Utilisation>& report) {
  PartLoads loads;
  for (auto& machine : set.instances) loads.add(*machine, now, measured);
  loads.report(set, measured, report);
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

bool serves(const ProgramPlan& plan, const ProgramPlan& observed) {
  if (&plan == &observed || !starts_work_of_its_own(plan)) return true;
  return !starts_work_of_its_own(observed) && !falls_behind(observed);
}

std::vector<Utilisation> without_others(std::vector<Utilisation> utilisations, Simulation& simulation,
                                        const ProgramPlan& observed) {
  if (falls_behind(observed)) {
    std::erase_if(utilisations,
                  [&](const Utilisation& item) { return is_before_queue(item.resource, simulation, observed); });
  }
  const std::vector<const ProgramPlan*> related = related_to(observed, simulation);
  for (const auto& plan : simulation.programs()) {
    if (serves(*plan, observed) && std::ranges::find(related, plan.get()) != related.end()) continue;
    std::erase_if(utilisations, [&](const Utilisation& item) { return item.resource == cores_of(*plan); });
  }
  for (const MachineSet& set : simulation.machines()) {
    if (any_uses(related, set, simulation)) continue;
    std::erase_if(utilisations, [&](const Utilisation& item) { return item.resource.starts_with(set.name + "/"); });
  }
  return utilisations;
}

}  // namespace doorbell::model
