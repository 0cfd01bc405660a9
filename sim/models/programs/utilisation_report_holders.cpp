// The part of a report that tells what operations hold and wait for.
#include <algorithm>
#include <string>
#include <vector>

#include "models/common/bottleneck.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/atomic_waits.hpp"
#include "models/programs/busy_threads.hpp"
#include "models/programs/group_average.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/related_programs.hpp"
#include "models/programs/unit_waits.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

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

/// Time for which threads work or wait for CQEs before they can post; of the waits alone, where the work alone is
/// enough to limit.
Time held_by_queues(const ProgramStatistics& done) {
  const Time occupied = done.busy + done.stalled + done.without_room;
  return to_seconds(done.without_room) > (1 - saturated) * to_seconds(occupied) ? occupied : done.without_room;
}

/// So much time of all threads of a program together, as a share of what they have had, and of what they hold.
double share_of_threads(const ProgramPlan& plan, Time taken, Time measured, int places = 1) {
  const double all = to_seconds(measured) * static_cast<double>(plan.threads.size()) * places;
  // What was posted in the warm-up counts as a whole when it is done.
  return std::min(1.0, to_seconds(taken) / all);
}

void report_device_holders(MachineSet& set, Time now, Time measured, std::vector<Utilisation>& holders) {
  if (!set.devices.empty())
    report_windows({set.name, set.devices}, set.group->remote_device->access, now, measured, holders);
  if (!set.group->drives) return;
  GroupAverage full;
  for (auto& machine : set.instances) {
    Average here;
    for (auto& drive : machine->drives()) here.add(drive->flash().full(now));
    full.add(here);
  }
  full.report(set.name + "/drives: write buffers", Limit::in_flight, holders);
}

/// Why so many READs are under way. Those whose WQE the NIC has to read again take longer, and more of them would have
/// theirs displaced.
Limit holds_reads(Simulation& simulation, const ProgramPlan& plan) {
  constexpr double often = 0.3;
  std::uint64_t read_again = 0;
  for (auto& machine : simulation.machine_set(plan.program->machine).instances)
    read_again += machine->nic().displaced_reads();
  std::uint64_t done = 0;
  for (const auto& other : simulation.programs()) {
    if (other->program->machine == plan.program->machine) done += other->statistics.work_requests;
  }
  return static_cast<double>(read_again) > often * static_cast<double>(done) ? Limit::nic_memory
                                                                             : Limit::outstanding_reads;
}

void report_queue_pairs(Simulation& simulation, const ProgramPlan& plan, Time measured,
                        std::vector<Utilisation>& holders) {
  const Time now = simulation.calendar().now();
  const std::string& machine = plan.program->machine;
  const double refused = most_of_a_set(plan, [&](const QueuePair& pair) { return pair.refused.waiting.mean(now); });
  if (refused > 0) holders.push_back({machine + "/queue pairs refused of " + plan.name, refused, Limit::recvs});
  const double reads =
      most_of_a_set(plan, [&](const QueuePair& pair) { return occupied_by_reads(pair, now, measured); });
  holders.push_back({reads_in_flight_of(machine, plan.name), reads, holds_reads(simulation, plan)});
}

/// A thread that waits for a page serves nobody.
void report_page_waits(const ProgramPlan& plan, Time measured, std::vector<Utilisation>& holders) {
  if (plan.memories.empty()) return;
  const Time occupied = plan.statistics.busy + plan.statistics.without_page;
  holders.push_back(
      {threads_of(plan.program->machine, plan.name), share_of_threads(plan, occupied, measured), Limit::in_flight});
}

void report_answering(const ProgramPlan& plan, Time measured, std::vector<Utilisation>& holders) {
  const Time held = held_by_queues(plan.statistics);
  if (held <= plan.statistics.without_room) return;
  holders.push_back({send_queues_of(plan.program->machine, plan.name), share_of_threads(plan, held, measured),
                     Limit::own_completions});
}

void report_asking(Simulation& simulation, const ProgramPlan& plan, Time measured, std::vector<Utilisation>& holders) {
  const std::string& machine = plan.program->machine;
  const ProgramStatistics& done = plan.statistics;
  if (const auto [arrived, unanswered] = count_arrivals(plan); arrived > 0) {
    const double served = 1 - static_cast<double>(unanswered) / static_cast<double>(arrived);
    holders.push_back({arrivals_of(machine, plan.name), served, Limit::arrivals});
  }
  const bool rounds = done.in_rounds > done.without_room / 2;
  holders.push_back({send_queues_of(machine, plan.name), share_of_threads(plan, held_by_queues(done), measured),
                     rounds ? Limit::signaled_rounds : Limit::own_completions});
  const LoopPass pass = fresh_pass(*plan.program);
  if (!pass.bounded) return;
  const Limit limit = holds_window(done);
  holders.push_back(
      {window_of(machine, plan.name), share_of_threads(plan, done.in_window, measured, pass.most), limit});
  if (limit != Limit::in_flight) return;
  Utilisation& window = holders.back();
  window.held_for = held_for_threads(simulation, plan, measured);
  if (passes_on(plan) && !waits_for_one(window)) {
    window.remark =
        "; its threads take no other request while they await an answer, and more of them, or a relay (\"relay\"), "
        "would have more under way";
  }
}

/// What a group holds waits for its own machines, and for those that it sends to.
void tell_reached(const MachineSet& set, Simulation& simulation, std::vector<Utilisation>& holders) {
  std::vector<std::string> reached{set.name};
  for (const MachineSet& other : simulation.machines()) {
    if (other.name != set.name && any_sends(set, other, simulation)) reached.push_back(other.name);
  }
  for (Utilisation& holder : holders) {
    if (holder.resource.starts_with(set.name + "/")) holder.reaches = reached;
  }
}

}  // namespace

void report_nic_holders(Simulation& simulation, MachineSet& set, Time measured, std::vector<Utilisation>& holders) {
  const Time now = simulation.calendar().now();
  GroupAverage tagless;
  GroupAverage creditless;
  GroupAverage postless;
  GroupAverage bufferless;
  GroupAverage gathering;
  GroupAverage engines_stop;
  GroupAverage units;
  for (const auto& machine : answering_machines(simulation, set)) {
    RdmaNic& nic = machine->nic();
    Average units_here;
    for (ProcessingUnit& unit : nic.units()) {
      if (unit.used()) units_here.add(std::min(1.0, to_seconds(unit.occupied()) / to_seconds(measured)));
    }
    units.add(units_here);
    tagless.add(nic.dma().tagless());
    creditless.add(nic.dma().creditless());
    postless.add(nic.dma().by_posted_credits(measured));
    gathering.add(nic.transmit_queue_full(now));
    double most = 0;
    for (auto& port : nic.ports()) most = std::max(most, port->bufferless(now));
    bufferless.add(most);
    const double full = nic.atomics().full(now);
    // Locks wait for each other's engines, so that none need be busy: but together they stop the pipeline.
    engines_stop.add(full > 0 ? std::min(1.0, full + nic.receive_pipeline().utilisation(now)) : 0);
  }
  tagless.report(set.name + "/PCIe read tags", Limit::read_tags, holders);
  creditless.report(set.name + "/PCIe non-posted credits", Limit::credits, holders);
  postless.report(set.name + "/PCIe posted credits", Limit::credits, holders);
  if (engines_stop.most() > 0)
    engines_stop.report(set.name + "/queues of atomic engines", Limit::pcie_round_trip, holders);
  bufferless.report(receive_buffers_of(set), Limit::receive_buffer, holders);
  if (gathering.value() > 0) gathering.report(set.name + "/NIC transmit queue", Limit::in_flight, holders);
  units.report(processing_units_with_waits(set.name), Limit::nic_unit_waits, holders);
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
  const std::vector<const ProgramPlan*> related = related_to(observed, simulation);
  std::vector<MachineSet*> machines;
  for (MachineSet& set : simulation.machines()) {
    if (any_uses(related, set, simulation)) machines.push_back(&set);
  }
  for (MachineSet* set : machines) report_nic_holders(simulation, *set, measured, holders);
  for (MachineSet* set : machines) explain_unit_waits(*set, simulation, measured, holders);
  sort_causes_first(holders);
  for (MachineSet* set : machines) report_device_holders(*set, now, measured, holders);
  std::vector<const ProgramPlan*> all;
  std::vector<const ProgramPlan*> answering;
  for (const auto& plan : simulation.programs()) {
    if (!serves(*plan, observed) || std::ranges::find(related, plan.get()) == related.end()) continue;
    all.push_back(plan.get());
    if (fresh_pass(*plan->program).total == 0) answering.push_back(plan.get());
  }
  for (const ProgramPlan* plan : all) report_queue_pairs(simulation, *plan, measured, holders);
  for (const ProgramPlan* plan : all) report_page_waits(*plan, measured, holders);
  // Those who answer come before those who ask, whose windows are full because of them.
  for (const ProgramPlan* plan : answering) report_answering(*plan, measured, holders);
  for (const ProgramPlan* plan : asked_first(simulation)) {
    if (fresh_pass(*plan->program).total > 0 && std::ranges::find(all, plan) != all.end())
      report_asking(simulation, *plan, measured, holders);
  }
  for (MachineSet* set : machines) explain_atomic_waits(*set, simulation, measured, holders);
  for (const MachineSet* set : machines) tell_reached(*set, simulation, holders);
  if (falls_behind(observed)) {
    std::erase_if(holders,
                  [&](const Utilisation& item) { return is_before_queue(item.resource, simulation, observed); });
  }
  return holders;
}

}  // namespace doorbell::model
