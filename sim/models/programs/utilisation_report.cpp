#include "models/programs/utilisation_report.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/busy_threads.hpp"
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

/// Share of the time for which WQEs wait for READs before them, or are fetched and processed; of the waits alone, where
/// they matter little.
double occupied_by_reads(const QueuePair& pair, Time now, Time measured) {
  const double waiting = pair.held_back.mean(now);
  const double occupied = waiting + to_seconds(pair.in_unit) / to_seconds(measured);
  return waiting > occupied / 10 ? std::min(1.0, occupied) : waiting;
}

/// Why the window of a program is full.
Limit holds_window(const ProgramStatistics& done) {
  if (done.told_late > done.in_window / 4) return Limit::told_late;
  if (done.taken_late > done.in_window / 2) return Limit::taken_late;
  return done.asleep > done.in_window / 4 ? Limit::asleep : Limit::in_flight;
}

/// Mean of `share` over queue pairs in use. The sets of a program need not be alike: one may READ and another WRITE.
template <class Share> double most_of_a_set(const ProgramPlan& plan, Share share) {
  double most = 0;
  for (std::size_t set = 0; set < plan.program->queue_pairs.size(); ++set) {
    Average taken;
    for (const Thread* thread : plan.threads) {
      for (const auto& pair : thread->queue_pairs()[set]) {
        if (pair->posted > 0) taken.add(share(*pair));
      }
    }
    most = std::max(most, taken.value());
  }
  return most;
}

std::string cores_of(const ProgramPlan& plan) { return model::cores_of(plan.program->machine, plan.name); }

bool starts_work_of_its_own(const ProgramPlan& plan) { return !plan.collects && fresh_pass(*plan.program).total > 0; }

/// Whether what holds up `plan` can hold up what `observed` does: not where both start work of their own, or where
/// more work comes than `observed` can do.
bool serves(const ProgramPlan& plan, const ProgramPlan& observed) {
  if (&plan == &observed || !starts_work_of_its_own(plan)) return true;
  return !starts_work_of_its_own(observed) && !falls_behind(observed);
}

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
  Average down, credits, up, units, transmit, receive, locks, hottest, fetches, restored, port_out, port_in, least_out,
      least_in, engines, executing;
  std::map<std::string, Average> lines;
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
    restored.add(nic.read_states().fetches().utilisation(now));
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units.add(std::min(1.0, to_seconds(unit.busy()) / to_seconds(measured)));
    }
    // Traffic does not change its port: what waits for a full one is not helped by another that is idle.
    std::vector<double> out;
    std::vector<double> in;
    for (auto& port : nic.ports()) {
      out.push_back(port->transmitter().utilisation(now));
      in.push_back(port->receiver().utilisation(now));
    }
    port_out.add(std::ranges::max(out));
    port_in.add(std::ranges::max(in));
    least_out.add(std::ranges::min(out));
    least_in.add(std::ranges::min(in));
    for (auto& [name, line] : machine->lines()) lines[name].add(line.server().utilisation(now));
  }
  for (const auto& [name, line] : lines) {
    report.push_back({set.name + "/shared line " + name, line.value(), Limit::shared_line});
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
  const Limit by_receiver = executing.value() > receive.value() / 2 ? Limit::pcie_round_trip : Limit::nic;
  report.push_back({at + "NIC receive pipeline", receive.value(), by_receiver});
  if (set.instances.front()->nic().contexts() || set.instances.front()->nic().translations()) {
    report.push_back({at + "NIC state fetches", fetches.value(), Limit::nic_memory});
  }
  if (restored.value() > 0) report.push_back({at + "NIC READ states", restored.value(), Limit::read_states});
  report.push_back({at + "atomic locks", locks.value(), Limit::pcie_round_trip});
  // An engine whose head waits holds up requests whose locks are free.
  if (engines.value() > 1.5 * hottest.value()) {
    report.push_back({at + "atomic engines", engines.value(), Limit::pcie_round_trip});
  }
  // Skewed addresses: on average the locks are idle, and yet one of them is what everybody waits for.
  const bool alone = hottest.value() >= saturated && locks.value() < saturated;
  if (alone || (hottest.value() > 0.5 && hottest.value() > 2 * locks.value())) {
    report.push_back({at + "hottest atomic lock", hottest.value(), Limit::pcie_round_trip});
  }
  const auto add_ports = [&](const char* name, double fullest, double least) {
    report.push_back({at + name, fullest, least < fullest / 2 ? Limit::one_port : Limit::network_bandwidth});
  };
  add_ports("ports transmit", port_out.value(), least_out.value());
  add_ports("ports receive", port_in.value(), least_in.value());
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
  if (falls_behind(observed)) {
    std::erase_if(utilisations,
                  [&](const Utilisation& item) { return is_before_queue(item.resource, simulation, observed); });
  }
  for (const auto& plan : simulation.programs()) {
    if (serves(*plan, observed)) continue;
    std::erase_if(utilisations, [&](const Utilisation& item) { return item.resource == cores_of(*plan); });
  }
  return utilisations;
}

/// Share of the time for which writes waited for credits or had the link; of the waits alone, where they matter little.
double busy_with_writes(HostDma& dma, Time now, Time measured) {
  const double waiting = dma.postless(measured);
  const double moving = dma.upstream().utilisation(now);
  return waiting > moving / 4 ? std::min(1.0, waiting + moving) : waiting;
}

/// Time for which threads work or wait for CQEs before they can post; of the waits alone, where they matter little.
Time held_by_queues(const ProgramStatistics& done) {
  const Time occupied = done.busy + done.stalled + done.without_room;
  return done.without_room > occupied / 4 ? occupied : done.without_room;
}

void report_nic_holders(MachineSet& set, Time now, Time measured, std::vector<Utilisation>& holders) {
  Average tagless;
  Average creditless;
  Average postless;
  Average bufferless;
  Average gathering;
  Average engines_full;
  Average receiving;
  Average units;
  for (auto& machine : set.instances) {
    RdmaNic& nic = machine->nic();
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units.add(std::min(1.0, to_seconds(unit.occupied()) / to_seconds(measured)));
    }
    tagless.add(nic.dma().tagless());
    creditless.add(nic.dma().creditless());
    postless.add(busy_with_writes(nic.dma(), now, measured));
    gathering.add(nic.transmit_queue_full(now));
    double most = 0;
    for (auto& port : nic.ports()) most = std::max(most, port->bufferless(now));
    bufferless.add(most);
    engines_full.add(nic.atomics().full(now));
    receiving.add(nic.receive_pipeline().utilisation(now));
  }
  holders.push_back({set.name + "/PCIe read tags", tagless.value(), Limit::read_tags});
  holders.push_back({set.name + "/PCIe non-posted credits", creditless.value(), Limit::credits});
  holders.push_back({set.name + "/PCIe posted credits", postless.value(), Limit::credits});
  // Locks wait for each other's engines, so that none need be busy: but together they stop the pipeline.
  if (engines_full.value() > 0) {
    const double occupied = std::min(1.0, engines_full.value() + receiving.value());
    holders.push_back({set.name + "/queues of atomic engines", occupied, Limit::pcie_round_trip});
  }
  holders.push_back({set.name + "/receive buffers", bufferless.value(), Limit::receive_buffer});
  if (gathering.value() > 0) holders.push_back({set.name + "/NIC transmit queue", gathering.value(), Limit::in_flight});
  holders.push_back({set.name + "/NIC processing units, waits included", units.value(), Limit::nic_unit_waits});
}

void sort_causes_first(std::vector<Utilisation>& holders) {
  const auto distance = [](const Utilisation& holder) {
    switch (holder.limit) {
      case Limit::receive_buffer: return 1;
      case Limit::in_flight: return 2;
      case Limit::nic_unit_waits: return 3;
      default: return 0;  // whatever else is held, by whom it may be
    }
  };
  std::ranges::stable_sort(holders, {}, distance);
}

std::vector<Utilisation> report_holders(Simulation& simulation, const ProgramPlan& observed, Time measured) {
  std::vector<Utilisation> holders;
  const Time now = simulation.calendar().now();
  for (MachineSet& set : simulation.machines()) report_nic_holders(set, now, measured, holders);
  sort_causes_first(holders);
  for (MachineSet& set : simulation.machines()) {
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
    const std::string& machine = plan->program->machine;
    const double refused = most_of_a_set(*plan, [&](const QueuePair& pair) { return pair.refused.waiting.mean(now); });
    if (refused > 0) holders.push_back({machine + "/queue pairs refused of " + plan->name, refused, Limit::recvs});
    const double reads =
        most_of_a_set(*plan, [&](const QueuePair& pair) { return occupied_by_reads(pair, now, measured); });
    holders.push_back({machine + "/READs in flight of " + plan->name, reads, Limit::outstanding_reads});
  }
  for (auto& plan : simulation.programs()) {
    if (plan->memories.empty() || !serves(*plan, observed)) continue;
    // A thread that waits for a page serves nobody.
    const Time occupied = plan->statistics.busy + plan->statistics.without_page;
    const double share = to_seconds(occupied) / (to_seconds(measured) * static_cast<double>(plan->threads.size()));
    holders.push_back({threads_of(plan->program->machine, plan->name), std::min(1.0, share), Limit::in_flight});
  }
  // Those who answer come before those who ask, whose windows are full because of them.
  for (auto& plan : simulation.programs()) {
    const ProgramStatistics& done = plan->statistics;
    const Time held = held_by_queues(done);
    if (fresh_pass(*plan->program).total > 0 || held <= done.without_room || !serves(*plan, observed)) continue;
    const double share = to_seconds(held) / (to_seconds(measured) * static_cast<double>(plan->threads.size()));
    holders.push_back(
        {send_queues_of(plan->program->machine, plan->name), std::min(1.0, share), Limit::own_completions});
  }
  for (const ProgramPlan* plan : asked_first(simulation)) {
    const LoopPass pass = fresh_pass(*plan->program);
    if (pass.total == 0 || !serves(*plan, observed)) continue;
    const double threads = to_seconds(measured) * static_cast<double>(plan->threads.size());
    const std::string& machine = plan->program->machine;
    const auto add = [&](std::string name, Time taken, int places, Limit limit) {
      // What was posted in the warm-up counts as a whole when it is done.
      const double share = std::min(1.0, to_seconds(taken) / (threads * places));
      holders.push_back({std::move(name), share, limit});
    };
    if (const auto [arrived, unanswered] = count_arrivals(*plan); arrived > 0) {
      const double served = 1 - static_cast<double>(unanswered) / static_cast<double>(arrived);
      holders.push_back({arrivals_of(machine, plan->name), served, Limit::arrivals});
    }
    const ProgramStatistics& done = plan->statistics;
    const bool rounds = done.in_rounds > done.without_room / 2;
    add(send_queues_of(machine, plan->name), held_by_queues(done), 1,
        rounds ? Limit::signaled_rounds : Limit::own_completions);
    if (!pass.bounded) continue;
    add(window_of(machine, plan->name), done.in_window, pass.most, holds_window(done));
    Utilisation& window = holders.back();
    if (window.limit != Limit::in_flight) continue;
    window.held_for = held_for_threads(simulation, *plan, measured);
    if (passes_on(*plan) && !waits_for_one(window)) {
      window.remark =
          "; its threads take no other request while they await an answer, and more of them, or a relay (\"relay\"), "
          "would have more under way";
    }
  }
  return holders;
}

}  // namespace doorbell::model
