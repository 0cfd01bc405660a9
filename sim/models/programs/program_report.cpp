#include "models/programs/program_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>

#include "models/common/measured_rate.hpp"
#include "models/common/settling.hpp"
#include "models/programs/utilisation_report.hpp"
#include "models/remote_memory/device_report.hpp"

namespace doorbell::model {
namespace {

std::string settling(const ProgramPlan& plan, Time now, Time simulated) {
  Time aged{0};
  std::size_t stuck = 0;
  for (const Thread* thread : plan.threads) {
    aged += thread->aged(now);
    stuck += thread->stuck();
  }
  const Time accounted = plan.statistics.in_window;
  return unsettled(plan.name, to_seconds(accounted) / to_seconds(simulated),
                   to_seconds(accounted + aged) / to_seconds(simulated), static_cast<double>(stuck));
}

/// What the buffers of drives take on top of what they pass to the flash is written faster than it can be for long.
std::string filling(const MachineSet& set) {
  Bytes gathered{0};
  Bytes taken{0};
  for (const auto& machine : set.instances) {
    for (const auto& drive : machine->drives()) {
      gathered += drive->flash().gathered();
      taken += drive->flash().taken();
    }
  }
  constexpr int notable = 40;
  if (taken == Bytes{0} || gathered * notable < taken) return {};
  const double share = static_cast<double>(gathered.count) / static_cast<double>(taken.count);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f %%", share * 100);
  return "write buffers in " + set.name + " kept " + text.data() +
         " of what was written while measuring: a longer warm-up would tell";
}

/// Steps whose window others of the program fill.
void warn_of_idle_steps(const ProgramPlan& plan, RunResult& result) {
  constexpr std::uint64_t enough = 64;  // calls of the program, to tell never from rarely
  if (plan.statistics.calls < enough) return;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* post = std::get_if<PostPlan>(&plan.steps[i]);
    if (post == nullptr || post->step->window == 0 || plan.calls_of_steps[i] > 0) continue;
    result.warnings.push_back("/programs/" + plan.name + "/loop/" + std::to_string(i) +
                              " posted nothing while measuring: operations of other steps leave no room in its window "
                              "of " +
                              std::to_string(post->step->window));
  }
}

/// Whether anything stays in flight for ever when datagrams are lost.
bool has_windows(const ProgramScenario& scenario) {
  return std::ranges::any_of(scenario.programs, [](const auto& entry) {
    return has_step<PostStep>(entry.second, [](const PostStep& step) { return step.window > 0; });
  });
}

ProgramSummary activity_of(const ProgramPlan& plan, Time simulated) {
  const ProgramStatistics& done = plan.statistics;
  const double seconds = to_seconds(simulated);
  return {.program = plan.name,
          .mean_batch = done.calls == 0 ? 0 : static_cast<double>(done.posted) / static_cast<double>(done.calls),
          .work_requests = {static_cast<double>(done.work_requests) / seconds},
          .payload = {static_cast<double>(done.payload.count) / seconds}};
}

}  // namespace

void report_work(Simulation& simulation, RunResult& result) {
  for (auto& plan : simulation.programs()) {
    result.operations += plan->statistics.work_requests;
    if (!has_step<PostStep>(*plan->program)) continue;
    result.programs.push_back(activity_of(*plan, result.simulated));
  }
}

void warn_of_programs(Simulation& simulation, RunResult& result) {
  std::uint64_t all_lost = 0;
  for (auto& plan : simulation.programs()) all_lost += plan->statistics.dropped + plan->dropped_before;
  for (auto& plan : simulation.programs()) {
    // A window whose requests are lost stays empty for ever, whenever that was.
    const auto [arrived, without_answer] = count_arrivals(*plan);
    const std::uint64_t unanswered = without_answer - std::min<std::uint64_t>(without_answer, all_lost);
    if (is_more_than_bursts(unanswered, arrived, *plan)) {
      result.warnings.push_back(
          "requests of " + plan->name + " arrive faster than they are served: " + std::to_string(unanswered) + " of " +
          std::to_string(arrived) + " are unanswered at the end, and latencies grow with the time that is simulated");
    }
    if (plan->statistics.refused > 0) {
      result.warnings.push_back(plan->name + " had no RECV for " + std::to_string(plan->statistics.refused) +
                                " requests, which made their queue pairs wait before they sent them again (RNR)");
    }
    const std::uint64_t lost = plan->statistics.dropped + plan->dropped_before;
    if (lost == 0) continue;
    std::string& warning = result.warnings.emplace_back(plan->name + " lost " + std::to_string(lost) +
                                                        " datagrams for which no RECV was posted");
    if (plan->dropped_before > 0) warning += ", " + std::to_string(plan->dropped_before) + " of them in the warm-up";
    if (has_windows(simulation.scenario())) warning += "; windows that wait for their answers are smaller from then on";
  }
  for (auto& plan : simulation.programs()) warn_of_idle_steps(*plan, result);
  const bool told = !result.warnings.empty();
  for (auto& plan : simulation.programs()) {
    if (told || !falls_behind(*plan)) continue;
    result.warnings.push_back("requests come to " + plan->name +
                              " faster than it collects them: " + std::to_string(backlog(*plan)) + " wait at the end");
  }
  // What is lost is in flight for ever, and of bursts that are rarer than the measured time a few say nothing.
  if (!result.warnings.empty() || is_hardly_known(result)) return;
  for (const MachineSet& set : simulation.machines()) {
    std::string warning = filling(set);
    if (!warning.empty()) result.warnings.push_back(std::move(warning));
    if (set.devices.empty()) continue;
    warning = piled_up({set.name, set.devices});
    if (!warning.empty()) result.warnings.push_back(std::move(warning));
  }
  for (auto& plan : simulation.programs()) {
    const std::string warning = settling(*plan, simulation.calendar().now(), result.simulated);
    if (!warning.empty()) result.warnings.push_back(warning);
  }
}

}  // namespace doorbell::model
