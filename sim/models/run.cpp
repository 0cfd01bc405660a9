#include "models/run.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/bottleneck.hpp"
#include "models/dma/dma_simulation.hpp"
#include "models/fabric/transfer_simulation.hpp"
#include "models/isolated_run.hpp"
#include "models/measured_rate.hpp"
#include "models/programs/simulation.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/remote_memory/remote_memory_simulation.hpp"
#include "models/shared_files/shared_files_simulation.hpp"
#include "models/storage/storage_server.hpp"

namespace doorbell::model {
namespace {

bool hardly_known(const RunResult& result) {
  return result.throughput_ci95.per_second > result.throughput.per_second / 2;
}

/// Little's law holds once a program is in its steady state: its rate and latency account for what it has in flight.
std::string settling(const ProgramPlan& plan, Time now, Time simulated) {
  Time aged{0};
  for (const Thread* thread : plan.threads) aged += thread->aged(now);
  const Time accounted = plan.statistics.in_window;
  constexpr int notable = 8;
  if (accounted == Time{0} || std::chrono::abs(aged) * notable < accounted) return {};
  const auto mean = [&](Time together) {
    const double count = to_seconds(together) / to_seconds(simulated);
    constexpr double small = 10;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), count < small ? "%.2g" : "%.0f", count);
    return std::string{text.data()};
  };
  return plan.name + " has not settled: its rate and latency account for " + mean(accounted) +
         " operations in flight, and there were " + mean(accounted + aged) + ": a longer warm-up would tell";
}

void add_warnings(Simulation& simulation, RunResult& result) {
  for (auto& plan : simulation.programs()) {
    // A window whose requests are lost stays empty for ever, whenever that was.
    const auto [arrived, unanswered] = count_arrivals(*plan);
    // More than what is always under way, and than bursts leave for a moment.
    if (unanswered > arrived / 20 + 16 * plan->threads.size()) {
      result.warnings.push_back(
          "requests of " + plan->name + " arrive faster than they are served: " + std::to_string(unanswered) + " of " +
          std::to_string(arrived) + " are unanswered at the end, and latencies grow with the time that is simulated");
    }
    const std::uint64_t lost = plan->statistics.dropped + plan->dropped_before;
    if (lost == 0) continue;
    std::string& warning = result.warnings.emplace_back(plan->name + " lost " + std::to_string(lost) +
                                                        " datagrams for which no RECV was posted");
    if (plan->dropped_before > 0) warning += ", " + std::to_string(plan->dropped_before) + " of them in the warm-up";
  }
  // What is lost is in flight for ever, and of bursts that are rarer than the measured time a few say nothing.
  if (!result.warnings.empty() || hardly_known(result)) return;
  for (auto& plan : simulation.programs()) {
    const std::string warning = settling(*plan, simulation.calendar().now(), result.simulated);
    if (!warning.empty()) result.warnings.push_back(warning);
  }
}

ProgramSummary activity_of(const ProgramPlan& plan, Time simulated) {
  const ProgramStatistics& done = plan.statistics;
  const double seconds = to_seconds(simulated);
  return {.program = plan.name,
          .mean_batch = static_cast<double>(done.work_requests) / static_cast<double>(done.calls),
          .work_requests = {static_cast<double>(done.work_requests) / seconds},
          .payload = {static_cast<double>(done.payload.count) / seconds}};
}

/// Warns where latencies exceed the warm-up, so that what was posted into an empty system is still measured, and where
/// the rate is hardly known. Not beside other warnings: where more arrives than is served, no warm-up is long enough.
RunResult with_doubts(RunResult result, Time warmup) {
  if (result.warnings.empty() && result.latency.mean > warmup)
    result.warnings.emplace_back(
        "operations take longer than the warm-up, so latencies may not be those of a steady "
        "state: a longer warm-up would tell");
  if (hardly_known(result))
    result.warnings.emplace_back("the rate is known to half its size or worse: simulate longer");
  return result;
}

RunResult simulate(const StorageScenario& storage, std::uint64_t /*seed*/, const Tracing* trace) {
  return with_doubts(StorageServerSimulation{storage}.run(trace), storage.warmup);
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

RunResult simulate(const RemoteMemoryScenario& remote_memory, std::uint64_t seed, const Tracing* trace) {
  return with_doubts(RemoteMemorySimulation{remote_memory, seed}.run(trace), remote_memory.warmup);
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
  measure_rate(calendar, measure.duration, many_slices, result, [&] { return measured.statistics.operations; },
               {.half_width = measure.relative_ci});
  result.throughput.per_second /= measure.operations_per_request;
  result.throughput_ci95.per_second /= measure.operations_per_request;
  result.latency = summary_of(measured.statistics.latency);
  result.utilisations = report_utilisations(simulation, result.simulated);
  result.counters = report_counters(simulation, result.simulated);
  result.levels = report_levels(simulation, result.simulated);
  for (auto& plan : simulation.programs()) {
    result.operations += plan->statistics.work_requests;
    if (plan->statistics.calls == 0) continue;
    result.programs.push_back(activity_of(*plan, result.simulated));
  }
  if (measured.statistics.operations > 0) {
    result.bottleneck = find_bottleneck(without_others(result.utilisations, simulation, measured),
                                        report_holders(simulation, measured, result.simulated));
  } else {
    result.bottleneck.sentence = "unknown: nothing was completed in the time measured.";
    result.warnings.push_back("no operation of " + measured.name + " was completed while measuring");
  }
  add_warnings(simulation, result);
  return with_doubts(std::move(result), measure.warmup);
}

/// In this process.
RunResult simulate(const Scenario& scenario, const Tracing* trace) {
  return std::visit(
      [&]<class About>(const About& about) {
        if constexpr (std::is_same_v<About, std::monostate>)
          return simulate_programs(scenario, trace);
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
