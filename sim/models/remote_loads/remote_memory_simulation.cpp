#include "models/remote_loads/remote_memory_simulation.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "models/common/bottleneck.hpp"
#include "models/common/fault_drift.hpp"
#include "models/common/measured_rate.hpp"
#include "models/common/settling.hpp"
#include "models/programs/active_threads.hpp"
#include "models/programs/counter_report.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/program_report.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/remote_loads/make_load.hpp"
#include "models/remote_loads/others_on_device.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
RemoteMemorySimulation::RemoteMemorySimulation(const RemoteMemoryScenario& scenario, const ProgramScenario& beside)
    : scenario_{scenario}, all_{with_host_and_peers(beside, scenario)}, simulation_{all_} {
  if (scenario_.access.protocol == Protocol::two_sided) build_daemons(all_.seed);
  build_loads(all_.seed);
  load_->start();
  for (LoadBeside& other : beside_) other.load->start();
}

void RemoteMemorySimulation::build_daemons(std::uint64_t seed) {
  const std::size_t channels =
      static_cast<std::size_t>(scenario_.access.peers) * static_cast<std::size_t>(scenario_.access.queue_pairs);
  const DeviceSetup setup{scenario_.hardware, scenario_.hardware, scenario_.software, scenario_.access};
  std::vector<Endpoint*> endpoints;
  for (auto& server : peers().instances) {
    const int number = static_cast<int>(daemons_.size());
    daemons_.push_back(std::make_unique<RemoteDaemon>(calendar(), simulation_.messages(), setup, *server, host(),
                                                      device(), channels, seed, number,
                                                      program_threads(all_.programs, peer_machine)));
    daemons_.back()->start();
    endpoints.push_back(daemons_.back().get());
  }
  device().set_daemons(std::move(endpoints));
}

void RemoteMemorySimulation::build_loads(std::uint64_t seed) {
  LoadPlace place{calendar(), cpu(), device(), scenario_, &use_};
  const std::vector<Bytes> begins = parts_of_loads(scenario_);
  load_ = make_load(place, scenario_, begins.front(), seed);
  for (std::size_t i = 0; i < scenario_.beside.size(); ++i) {
    const auto& [name, load] = scenario_.beside[i];
    auto use = std::make_unique<DeviceUse>();
    place.use = use.get();
    const std::uint64_t of_load = core::RandomStream{seed, "beside: " + name}.bits();
    beside_.push_back({name, std::move(use), make_load(place, load, begins[i + 1], of_load)});
  }
}

void RemoteMemorySimulation::measure() {
  simulation_.measure(calendar().now() + scenario_.duration);
  for (auto& daemon : daemons_) daemon->measure();
  load_->measure(calendar().now());
  use_ = {};
  for (LoadBeside& other : beside_) {
    other.load->measure(calendar().now());
    *other.use = {};
  }
}

void RemoteMemorySimulation::trace(core::TraceWriter& writer) {
  for (std::size_t i = 0; i < daemons_.size(); ++i) {
    daemons_[i]->cpu().trace(writer, instance_name(peers(), i));
  }
  simulation_.trace(writer);
}

RunResult RemoteMemorySimulation::run(const Tracing* request) {
  calendar().run_until(scenario_.warmup);
  measure();
  if (request != nullptr) trace(request->begin(calendar().now(), scenario_.duration));
  RunResult result;
  FaultDrift drift;
  measure_rate(
      calendar(), scenario_.duration, many_slices, result, [this] { return load_->operations(); }, {},
      [&](std::uint64_t operations) { drift.observe(operations, load_->faults()); });
  result.bandwidth = {static_cast<double>(load_->bytes().count) / to_seconds(result.simulated)};
  result.latency = summary_of(load_->latency());
  result.kinds = kinds_of(*load_, result.simulated);
  result.operations = device().reads() + device().writes();
  report(result, scenario_.duration);
  report_loads_beside(result);
  report_programs(result);
  if (result.latency.samples == 0) result.warnings.emplace_back("no operation was completed while measuring");
  drift.account_for("the load", result);
  for (const MachineSet& set : simulation_.machines()) {
    if (set.devices.empty()) continue;
    std::string warning = piled_up({set.name, set.devices});
    // That of programs beside may have told it.
    const bool told = std::ranges::find(result.warnings, warning) != result.warnings.end();
    if (!warning.empty() && !told) result.warnings.push_back(std::move(warning));
  }
  warn_if_unsettled("the load", *load_, result);
  for (const LoadBeside& other : beside_) warn_if_unsettled(other.name, *other.load, result);
  return result;
}

void RemoteMemorySimulation::warn_if_unsettled(std::string_view whose, const Load& load, RunResult& result) {
  const double in_flight = load.in_flight(calendar().now());
  constexpr std::uint64_t enough = 64;  // of fewer, those at both ends of the measured time would show
  if (in_flight == 0 || load.latency().count() < enough) return;
  const double latencies = to_seconds(load.latency().mean()) * static_cast<double>(load.latency().count());
  std::string warning = unsettled(whose, latencies / to_seconds(result.simulated), in_flight);
  if (!warning.empty()) result.warnings.push_back(std::move(warning));
}

void RemoteMemorySimulation::report(RunResult& result, Time measured) {
  const Time now = calendar().now();
  if (!scenario_.block || !scenario_.block->in_handler) {
    const double running = 1 - load_->waiting(now) / load_threads(scenario_);
    const Limit limit = scenario_.files ? Limit::one_by_one : Limit::threads;
    result.utilisations.push_back({"host/threads of the load", running, limit});
  }
  report_daemons(result, measured);
  for (MachineSet& set : machines_of_load()) report_machines(simulation_, set, measured, result.utilisations);
  sort_busiest_first(result.utilisations);
  explain(result, measured);

  report_machine_counters(simulation_.machines(), measured, result.counters);
  bool faults = application_of(scenario_) != nullptr;
  for (const auto& [name, load] : scenario_.beside) faults = faults || application_of(load) != nullptr;
  if (faults) {
    std::uint64_t sum = load_->faults();
    for (const LoadBeside& other : beside_) sum += other.load->faults();
    result.counters.push_back({"host/page faults", sum, Rate{static_cast<double>(sum) / to_seconds(measured)}});
  }
  result.levels = report_levels(simulation_, measured);
  if (scenario_.records) result.levels.push_back({"host/writes of an insert", load_->writes_per_insert()});
}

void RemoteMemorySimulation::explain(RunResult& result, Time measured) {
  const Time now = calendar().now();
  std::vector<Utilisation> holders;
  for (MachineSet& set : machines_of_load()) report_nic_holders(simulation_, set, measured, holders);
  sort_causes_first(holders);
  const MachineSet& host = machines_of_load().front();
  report_windows({host.name, host.devices}, scenario_.access, now, measured, holders);
  const Limit followed = scenario_.files ? Limit::one_by_one : Limit::in_flight;
  holders.push_back({"host/operations of the load", 1, followed});  // each is followed by the next
  if (const std::string parts = load_->parts_of_time(); !parts.empty()) holders.back().remark = ": " + parts;
  result.bottleneck = find_bottleneck(result.utilisations, holders);
  std::vector<UseByLoad> beside;
  for (const LoadBeside& other : beside_) beside.push_back({other.name, *other.use});
  tell_of_others(result.bottleneck, use_, beside);
}

void RemoteMemorySimulation::report_daemons(RunResult& result, Time measured) {
  if (daemons_.empty()) return;
  double cores = 0;
  double thread = 0;
  for (auto& daemon : daemons_) {
    cores = std::max(cores, daemon->cpu().utilisation(calendar().now()));
    thread = std::max(thread, daemon->thread_utilisation(measured));
  }
  result.utilisations.push_back({"peer/CPU", cores, Limit::cpu});
  const bool could_share = scenario_.access.queue_pairs > scenario_.software.daemon.threads;
  result.utilisations.push_back({"peer/daemons", thread, could_share ? Limit::threads : Limit::connections});
}

void RemoteMemorySimulation::report_loads_beside(RunResult& result) {
  for (const LoadBeside& other : beside_) {
    const std::vector<KindSummary> kinds = kinds_of(*other.load, result.simulated);
    for (const KindSummary& kind : kinds) {
      result.kinds.push_back({other.name + " " + kind.kind, kind.throughput, kind.latency});
    }
    if (!kinds.empty()) continue;
    const Rate rate{static_cast<double>(other.load->operations()) / to_seconds(result.simulated)};
    result.kinds.push_back({other.name, rate, summary_of(other.load->latency())});
  }
}

/// None of this limits the load: it is beside it.
void RemoteMemorySimulation::report_programs(RunResult& result) {
  if (simulation_.programs().empty()) return;
  for (MachineSet& set : std::span{simulation_.machines()}.subspan(machines_of_load().size())) {
    report_machines(simulation_, set, result.simulated, result.utilisations);
  }
  report_cores(simulation_, result.simulated, result.utilisations);
  sort_busiest_first(result.utilisations);
  report_program_counters(simulation_, result.simulated, result.counters);
  report_work(simulation_, result);
  for (const auto& plan : simulation_.programs()) {
    const ProgramStatistics& done = plan->statistics;
    if (plan->collects() || fresh_pass(*plan->program).total == 0) continue;  // who asks for it counts it
    if (done.operations == 0) {
      result.warnings.push_back("no operation of " + plan->name + " was completed while measuring");
    }
    const Rate rate{static_cast<double>(done.operations) / to_seconds(result.simulated)};
    result.kinds.push_back({plan->name, rate, summary_of(done.latency)});
  }
  warn_of_programs(simulation_, result);
}

}  // namespace doorbell::model
