#include "models/programs/program_report.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "models/common/measured_rate.hpp"
#include "models/programs/utilisation_report.hpp"

namespace doorbell::model {
namespace {

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

ProgramSummary activity_of(const ProgramPlan& plan, Time simulated) {
  const ProgramStatistics& done = plan.statistics;
  const double seconds = to_seconds(simulated);
  return {.program = plan.name,
          .mean_batch = static_cast<double>(done.work_requests) / static_cast<double>(done.calls),
          .work_requests = {static_cast<double>(done.work_requests) / seconds},
          .payload = {static_cast<double>(done.payload.count) / seconds}};
}

}  // namespace

void report_work(Simulation& simulation, RunResult& result) {
  for (auto& plan : simulation.programs()) {
    result.operations += plan->statistics.work_requests;
    if (plan->statistics.calls == 0) continue;
    result.programs.push_back(activity_of(*plan, result.simulated));
  }
}

void warn_of_programs(Simulation& simulation, RunResult& result) {
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
  if (!result.warnings.empty() || is_hardly_known(result)) return;
  for (auto& plan : simulation.programs()) {
    const std::string warning = settling(*plan, simulation.calendar().now(), result.simulated);
    if (!warning.empty()) result.warnings.push_back(warning);
  }
}

}  // namespace doorbell::model
