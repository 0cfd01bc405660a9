#include "models/programs/utilisation_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/group_average.hpp"
#include "models/programs/growing_batches.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/related_programs.hpp"
#include "models/programs/silent_machines.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

void report_drives(MachineSet& set, Time now, std::vector<Utilisation>& report) {
  GroupAverage controllers, units, channels, down, up;
  for (auto& machine : set.instances) {
    Average controllers_here, units_here, channels_here, down_here, up_here;
    for (auto& drive : machine->drives()) {
      controllers_here.add(drive->controller().utilisation(now));
      units_here.add(drive->flash().units_busy(now));
      channels_here.add(drive->flash().channels_busy(now));
      down_here.add(drive->link().downstream().utilisation(now));
      up_here.add(drive->link().upstream().utilisation(now));
    }
    controllers.add(controllers_here);
    units.add(units_here);
    channels.add(channels_here);
    down.add(down_here);
    up.add(up_here);
  }
  const std::string at = set.name + "/drives: ";
  controllers.report(at + "controllers", Limit::drive, report);
  units.report(at + "flash", Limit::drive, report);
  channels.report(at + "flash channels", Limit::drive, report);
  down.report(at + "PCIe downstream", Limit::dma_bandwidth, report);
  up.report(at + "PCIe upstream", Limit::dma_bandwidth, report);
}

constexpr const char* atomic_locks = "atomic locks";
constexpr const char* atomic_engines = part::atomic_engines;
constexpr const char* hottest_atomic_lock = "hottest atomic lock";

/// How busy the parts of the machines of a group were, on average and in the busiest.
class PartLoads {
 public:
  void add(Machine& machine, Time now, Time measured) {
    RdmaNic& nic = machine.nic();
    add_host_side(nic, now, measured);
    add_nic(nic, now, measured);
    add_ports(nic, now);
    for (auto& [name, line] : machine.lines()) lines_[name].add(line.server().utilisation(now));
  }

  /// `machines`: how many have been added.
  void report(const MachineSet& set, double machines, Time measured, std::vector<Utilisation>& report) const {
    for (const auto& [name, line] : lines_) {
      line.report(shared_line_of(set.name, name), Limit::shared_line, report);
    }
    report_host_side(set.name, machines, report);
    report_nic(set, to_seconds(displaced_) / (to_seconds(measured) * machines), report);
    report_atomics(set.name + "/", report);
    report_ports(set.name + "/ports transmit", out_, report);
    report_ports(set.name + "/ports receive", in_, report);
  }

 private:
  struct Ports {
    GroupAverage fullest;
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
    Average units;
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units.add(std::min(1.0, to_seconds(unit.busy()) / to_seconds(measured)));
    }
    units_.add(units);
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
    down_.report(resource_name(machine, part::pcie_downstream), by_mmio ? Limit::mmio_bandwidth : by_dma, report);
    credits_.report(resource_name(machine, part::mmio_credits), Limit::mmio_bandwidth, report);
    up_.report(machine + "/PCIe upstream", Limit::dma_bandwidth, report);
  }
  /// `displaced`: share of the time that the transmit pipeline spends on WQEs that have been displaced.
  void report_nic(const MachineSet& set, double displaced, std::vector<Utilisation>& report) const {
    const std::string at = set.name + "/";
    units_.report(at + "NIC processing units", Limit::nic_unit, report);
    report_pipeline(transmit_, at + "NIC transmit pipeline",
                    displaced > transmit_.value() / 4 ? Limit::nic_memory : Limit::nic, report);
    report_pipeline(receive_, at + "NIC receive pipeline", Limit::nic, report);
    const RdmaNic& any = set.instances.front()->nic();
    if (any.contexts() || any.translations()) fetches_.report(at + "NIC state fetches", Limit::nic_memory, report);
    if (restored_.value() > 0) restored_.report(at + "NIC READ states", Limit::read_states, report);
  }
  /// A NIC without engines holds both while it executes an atomic.
  void report_pipeline(const GroupAverage& pipeline, const std::string& name, Limit limit,
                       std::vector<Utilisation>& report) const {
    const double held = executing_.value();
    const bool mostly = held > pipeline.value() / 2;
    const std::size_t first = report.size();
    pipeline.report(name, mostly ? Limit::pcie_round_trip : limit, report);
    if (!mostly) return;
    for (std::size_t i = first; i < report.size(); ++i)
      report[i].remark = "; atomics hold it " + percent(std::min(1.0, held)) + " of the time";
  }
  void report_atomics(const std::string& at, std::vector<Utilisation>& report) const {
    locks_.report(at + atomic_locks, Limit::pcie_round_trip, report);
    // An engine whose head waits holds up requests whose locks are free.
    if (engines_.value() > 1.5 * hottest_.value()) engines_.report(at + atomic_engines, Limit::pcie_round_trip, report);
    // Skewed addresses: on average the locks are idle, and yet one of them is what everybody waits for.
    const bool alone = hottest_.most() >= saturated && locks_.most() < saturated;
    if (alone || (hottest_.most() > 0.5 && hottest_.most() > 2 * locks_.most()))
      hottest_.report(at + hottest_atomic_lock, Limit::pcie_round_trip, report);
  }
  static void report_ports(const std::string& name, const Ports& ports, std::vector<Utilisation>& report) {
    const double fullest = ports.fullest.value();
    const bool uneven = ports.least.value() < fullest / 2;
    ports.fullest.report(name, uneven ? Limit::one_port : Limit::network_bandwidth, report);
  }

  GroupAverage down_;
  GroupAverage up_;
  GroupAverage credits_;
  double mmio_share_ = 0;  // of the time, of all machines together
  std::uint64_t read_ = 0;
  std::uint64_t expected_ = 0;
  GroupAverage units_;
  GroupAverage transmit_;
  GroupAverage receive_;
  Time displaced_{0};  // of all machines together
  GroupAverage fetches_;
  GroupAverage restored_;
  GroupAverage locks_;
  GroupAverage hottest_;
  GroupAverage engines_;
  GroupAverage executing_;
  Ports out_;
  Ports in_;
  std::map<std::string, GroupAverage> lines_;
};

void report_request_queues(ProgramPlan& plan, Time now, std::vector<Utilisation>& report) {
  GroupAverage completions, receives;
  const auto on_a_machine = static_cast<std::size_t>(plan.program->completion.shared_queues);
  for (std::size_t first = 0; first < plan.request_queues.size(); first += on_a_machine) {
    Average completions_here, receives_here;
    for (std::size_t i = first; i < first + on_a_machine; ++i) {
      completions_here.add(plan.request_queues[i].completions().server().utilisation(now));
      receives_here.add(plan.request_queues[i].receives().server().utilisation(now));
    }
    completions.add(completions_here);
    receives.add(receives_here);
  }
  const std::string& machine = plan.program->machine;
  completions.report(completion_queues_of(machine, plan.name), Limit::shared_line, report);
  receives.report(receive_queues_of(machine, plan.name), Limit::shared_line, report);
}

/// Of the time that the threads of a program have on each machine, what they worked or stood still.
GroupAverage occupied_cores(const ProgramPlan& plan, Time measured, bool stalls_count) {
  std::vector<Average> machines(plan.threads.size() / static_cast<std::size_t>(plan.program->threads));
  for (Thread* thread : plan.threads) {
    const Time occupied = thread->busy() + (stalls_count ? thread->stalled() : Time{0});
    machines[thread->machine_number()].add(to_seconds(occupied) / to_seconds(measured));
  }
  GroupAverage cores;
  for (const Average& threads : machines) cores.add(std::min(1.0, threads.value()));
  return cores;
}

std::string cores_of(const ProgramPlan& plan) { return model::cores_of(plan.program->machine, plan.name); }

void mark(std::vector<Utilisation>& report, const std::string& resource, bool Utilisation::*property) {
  for (Utilisation& item : report) item.*property = item.*property || is_resource(item.resource, resource);
}

/// Of the lines that the threads of a program increment.
void mark_elastic_lines(Simulation& simulation, const ProgramPlan& plan, std::vector<Utilisation>& report) {
  const std::string& machine = plan.program->machine;
  for (const Step& step : plan.program->loop) {
    const auto* increment = std::get_if<IncrementStep>(&step);
    if (increment != nullptr && is_incremented_for_growing_batches(simulation, machine, increment->line))
      mark(report, shared_line_of(machine, increment->line), &Utilisation::elastic);
  }
}

bool starts_work_of_its_own(const ProgramPlan& plan) { return !plan.collects() && fresh_pass(*plan.program).total > 0; }

/// Whether only atomics use a resource of `machine`.
bool is_of_atomics(const std::string& resource, const std::string& machine) {
  return std::ranges::any_of(std::array{atomic_locks, atomic_engines, hottest_atomic_lock},
                             [&](const char* part) { return is_resource(resource, machine + "/" + part); });
}

/// Whether one of `programs` sends atomics to these machines.
bool any_posts_atomics(const std::vector<const ProgramPlan*>& programs, const MachineSet& machines,
                       Simulation& simulation) {
  const auto is_atomic_step = [](const PostStep* post) {
    return any_operation(*post, [](const PostStep& operation) { return is_atomic(operation.verb); });
  };
  return std::ranges::any_of(simulation.programs(), [&](const auto& target) {
    return target->program->machine == machines.name && std::ranges::any_of(programs, [&](const ProgramPlan* plan) {
             return std::ranges::any_of(posts_to(*plan, *target), is_atomic_step);
           });
  });
}

}  // namespace

bool is_before_queue(const std::string& resource, Simulation& simulation, const ProgramPlan& observed) {
  const std::string& machine = observed.program->machine;
  for (const char* part : {"/NIC receive pipeline", "/ports receive", "/receive buffers"}) {
    if (is_resource(resource, machine + part)) return true;
  }
  return std::ranges::any_of(simulation.programs(), [&](const auto& plan) {
    const std::string& asking = plan->program->machine;
    return asking != machine && starts_work_of_its_own(*plan) && resource.starts_with(asking + "/");
  });
}

std::span<const std::unique_ptr<Machine>> answering_machines(const Simulation& simulation, const MachineSet& set) {
  const int silent = silent_machines(simulation.scenario(), set.name);
  return std::span{set.instances}.subspan(static_cast<std::size_t>(silent));
}

void report_machines(Simulation& simulation, MachineSet& set, Time measured, std::vector<Utilisation>& report) {
  PartLoads loads;
  const auto machines = answering_machines(simulation, set);
  const Time now = simulation.calendar().now();
  for (const auto& machine : machines) loads.add(*machine, now, measured);
  loads.report(set, static_cast<double>(machines.size()), measured, report);
  if (set.group->drives) report_drives(set, now, report);
  if (!set.devices.empty()) report_devices({set.name, set.devices}, now, measured, report);
}

std::vector<Utilisation> report_utilisations(Simulation& simulation, Time measured) {
  std::vector<Utilisation> report;
  for (MachineSet& set : simulation.machines()) report_machines(simulation, set, measured, report);
  report_cores(simulation, measured, report);
  sort_busiest_first(report);
  return report;
}

void report_cores(Simulation& simulation, Time measured, std::vector<Utilisation>& report) {
  const Time now = simulation.calendar().now();
  const auto link_is_full = [machines = report](const std::string& machine) {
    constexpr double full = 0.95;
    return std::ranges::any_of(machines, [&](const Utilisation& item) {
      const bool towards_nic = is_resource(item.resource, resource_name(machine, part::pcie_downstream)) ||
                               is_resource(item.resource, resource_name(machine, part::mmio_credits));
      return towards_nic && item.busy > full;
    });
  };
  for (auto& plan : simulation.programs()) {
    if (plan->steps.empty()) continue;
    // Who waits for a full link is not what limits.
    const bool stalls_count = !link_is_full(plan->program->machine);
    occupied_cores(*plan, measured, stalls_count).report(cores_of(*plan), Limit::cpu, report);
    if (works_in_growing_batches(*plan)) mark(report, cores_of(*plan), &Utilisation::elastic);
    if (shares_work_in_batches(*plan)) mark(report, cores_of(*plan), &Utilisation::shares_work);
    mark_elastic_lines(simulation, *plan, report);
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
    std::erase_if(utilisations, [&](const Utilisation& item) { return is_resource(item.resource, cores_of(*plan)); });
  }
  for (const MachineSet& set : simulation.machines()) {
    const bool used = any_uses(related, set, simulation);
    const bool atomics = used && any_posts_atomics(related, set, simulation);
    std::erase_if(utilisations, [&](const Utilisation& item) {
      const bool here = item.resource.starts_with(set.name + "/");
      return here && (!used || (!atomics && is_of_atomics(item.resource, set.name)));
    });
  }
  return utilisations;
}

}  // namespace doorbell::model
