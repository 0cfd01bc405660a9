#include "models/run.hpp"

#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/common/fault_drift.hpp"
#include "models/common/measured_rate.hpp"
#include "models/dma/dma_simulation.hpp"
#include "models/fabric/transfer_simulation.hpp"
#include "models/isolated_run.hpp"
#include "models/programs/counter_report.hpp"
#include "models/programs/others_share.hpp"
#include "models/programs/program_report.hpp"
#include "models/programs/related_programs.hpp"
#include "models/programs/simulation.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/remote_loads/remote_memory_simulation.hpp"
#include "models/shared_files/shared_files_simulation.hpp"
#include "models/storage/storage_server.hpp"

namespace doorbell::model {
namespace {

/// Warns where latencies exceed the warm-up, so that what was posted into an empty system is still measured, and where
/// the rate is hardly known. Not beside other warnings: where more arrives than is served, no warm-up is long enough.
RunResult with_doubts(RunResult result, Time warmup) {
  if (result.warnings.empty() && result.latency.mean > warmup)
    result.warnings.emplace_back(
        "operations take longer than the warm-up, so latencies may not be those of a steady "
        "state: a longer warm-up would tell");
  if (is_hardly_known(result)) result.warnings.emplace_back(hardly_known);
  return result;
}

RunResult simulate(const StorageScenario& storage, std::uint64_t seed, const Tracing* trace) {
  return with_doubts(StorageServerSimulation{storage, seed}.run(trace), storage.warmup);
}

RunResult simulate(const TransferScenario& transfers, std::uint64_t seed, const Tracing* trace) {
  return with_doubts(TransferSimulation{transfers, seed}.run(trace), transfers.warmup);
}

RunResult simulate(const SharedFilesScenario& shared_files, std::uint64_t seed, const Tracing* trace) {
  // Loads on shared files have a beginning, which may be what is measured.
  return with_doubts(SharedFilesSimulation{shared_files, seed}.run(trace), Time::max());
}

RunResult simulate(const DmaScenario& dma, std::uint64_t seed, const Tracing* trace) {
  return with_doubts(DmaSimulation{dma, seed}.run(trace), dma.warmup);
}

RunResult simulate(const RemoteMemoryScenario& remote, const ProgramScenario& beside, const Tracing* trace) {
  return with_doubts(RemoteMemorySimulation{remote, beside}.run(trace), remote.warmup);
}

RunResult simulate_programs(const Scenario& scenario, const Tracing* trace) {
  Simulation simulation{scenario};
  core::Calendar& calendar = simulation.calendar();
  const Measurement& measure = scenario.measure;
  ProgramPlan& measured = simulation.program(measure.program);

  calendar.run_until(measure.warmup);
  simulation.measure(measure.warmup + measure.duration);
  if (trace != nullptr) simulation.trace(trace->begin(calendar.now(), measure.duration));
  RunResult result;
  const std::vector<const ProgramPlan*> behind = asked_for(measured, simulation);
  FaultDrift drift;
  measure_rate(
      calendar, measure.duration, many_slices, result, [&] { return measured.statistics.operations; },
      {.half_width = measure.relative_ci},
      [&](std::uint64_t operations) {
        std::uint64_t faults = 0;
        for (const ProgramPlan* plan : behind) {
          for (const auto& memory : plan->memories) faults += memory->faults();
        }
        drift.observe(operations, faults);
      });
  result.throughput.per_second /= measure.operations_per_request;
  result.throughput_ci95.per_second /= measure.operations_per_request;
  result.latency = summary_of(measured.statistics.latency);
  result.utilisations = report_utilisations(simulation, result.simulated);
  result.counters = report_counters(simulation, result.simulated);
  result.levels = report_levels(simulation, result.simulated);
  report_work(simulation, result);
  if (measured.statistics.operations > 0) {
    result.bottleneck =
        find_bottleneck_among_others(without_others(result.utilisations, simulation, measured),
                                     report_holders(simulation, measured, result.simulated), simulation, measured);
  } else {
    result.bottleneck.sentence = "unknown: nothing was completed in the time measured.";
    result.warnings.push_back("no operation of " + measured.name + " was completed while measuring");
  }
  warn_of_programs(simulation, result);
  drift.account_for(measured.name, result);
  return with_doubts(std::move(result), measure.warmup);
}

/// In this process.
RunResult simulate(const Scenario& scenario, const Tracing* trace) {
  return std::visit(
      [&]<class About>(const About& about) {
        if constexpr (std::is_same_v<About, std::monostate>)
          return simulate_programs(scenario, trace);
        else if constexpr (std::is_same_v<About, RemoteMemoryScenario>)
          return simulate(about, scenario, trace);
        else
          return simulate(about, scenario.seed, trace);
      },
      scenario.instead);
}

}  // namespace

void run_fluid(const std::vector<const Scenario*>& scenarios, int jobs,
               const std::function<void(std::size_t, RunResult)>& done) {
  run_isolated(
      scenarios.size(), jobs, [&](std::size_t i) { return simulate(*scenarios[i], nullptr); }, done);
}

RunResult run(const Scenario& scenario, const Tracing* trace) {
  if (scenario.is_fluid()) {
    // What either process has not handed to the stream by then would come twice, or not at all.
    if (trace != nullptr) trace->writer.flush();
    return run_isolated([&] {
      RunResult result = simulate(scenario, trace);
      if (trace != nullptr) trace->writer.flush();
      return result;
    });
  }
  return simulate(scenario, trace);
}

}  // namespace doorbell::model
