#include "cli/run_points.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cli/numbers.hpp"
#include "figures/parallel.hpp"
#include "models/common/replications.hpp"
#include "models/run.hpp"

namespace doorbell::cli {
namespace {

/// A counter on one line of the terminal, and nothing anywhere else.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_{total}, shown_{total > 1 && ::isatty(STDERR_FILENO) == 1} {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void one_more() {
    if (!shown_) return;
    const std::scoped_lock lock{mutex_};
    fmt::print(stderr, "\r{} of {} runs", ++done_, total_);
    std::fflush(stderr);
  }

 private:
  std::size_t total_;
  bool shown_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

/// Calls `work`; what the models refuse is an error of the scenario in `file`.
template <class Work> void explain_refusals(const std::string& file, Work&& work) {
  try {
    work();
  } catch (const std::invalid_argument& refusal) {
    const scenario::Location at{std::make_shared<const std::string>(file), 1, 1};
    throw scenario::ScenarioError{{scenario::ErrorCode::refused_by_model, at, std::string{},
                                   "a scenario that the models can run", refusal.what(), std::string{}}};
  }
}

/// Each point `seeds` times, one after the other.
std::vector<model::Scenario> with_seeds(const std::vector<scenario::Point>& points, unsigned seeds) {
  std::vector<model::Scenario> scenarios;
  scenarios.reserve(points.size() * seeds);
  for (const scenario::Point& point : points) {
    for (unsigned i = 0; i < seeds; ++i) scenarios.emplace_back(point.scenario).seed += i;
  }
  return scenarios;
}

std::vector<model::RunResult> run_all(const std::string& file, const std::vector<model::Scenario>& scenarios,
                                      int at_a_time, const model::Tracing* trace) {
  std::vector<model::RunResult> results(scenarios.size());
  Progress progress{scenarios.size()};
  if (scenarios.front().is_fluid() && trace == nullptr) {  // these fork, which threads would make unsafe
    std::vector<const model::Scenario*> pointers;
    pointers.reserve(scenarios.size());
    for (const model::Scenario& scenario : scenarios) pointers.push_back(&scenario);
    explain_refusals(file, [&] {
      model::run_fluid(pointers, at_a_time, [&](std::size_t i, model::RunResult result) {
        results[i] = std::move(result);
        progress.one_more();
      });
    });
    return results;
  }
  std::vector<std::size_t> numbers(scenarios.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  figures::for_each_in_parallel(numbers, at_a_time, [&](std::size_t i) {
    explain_refusals(file, [&] { results[i] = model::run(scenarios[i], trace); });
    progress.one_more();
  });
  return results;
}

}  // namespace

Report run_points(const std::string& file, scenario::ScenarioFile loaded, unsigned jobs, unsigned seeds,
                  const model::Tracing* trace) {
  Report report;
  report.title = std::move(loaded.title);
  report.hash = std::move(loaded.hash);
  const std::uint64_t seed = loaded.points.front().scenario.seed;
  const auto has_seed = [&](const scenario::Point& point) { return point.scenario.seed == seed; };
  if (std::ranges::all_of(loaded.points, has_seed)) report.seed = seed;
  report.seeds = seeds;
  report.sweep_paths = std::move(loaded.sweep_paths);
  report.points = std::move(loaded.points);

  const std::vector<model::RunResult> results =
      run_all(file, with_seeds(report.points, seeds), jobs_or_cores(static_cast<int>(jobs)), trace);
  for (auto first = results.begin(); first != results.end(); first += seeds)
    report.results.push_back(model::pooled({first, first + seeds}));
  return report;
}

}  // namespace doorbell::cli
