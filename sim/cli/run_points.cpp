#include "cli/run_points.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cli/numbers.hpp"
#include "figures/parallel.hpp"
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
    fmt::print(stderr, "\r{} of {} points", ++done_, total_);
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

}  // namespace

Report run_points(const std::string& file, scenario::ScenarioFile loaded, unsigned jobs, const model::Tracing* trace) {
  Report report;
  report.title = std::move(loaded.title);
  report.hash = std::move(loaded.hash);
  report.seed = loaded.points.front().scenario.seed;
  report.sweep_paths = std::move(loaded.sweep_paths);
  report.points = std::move(loaded.points);
  report.results.resize(report.points.size());

  Progress progress{report.points.size()};
  const int at_a_time = jobs_or_cores(static_cast<int>(jobs));
  if (report.points.front().scenario.is_fluid() && trace == nullptr) {  // these fork, which threads would make unsafe
    std::vector<const model::Scenario*> scenarios;
    for (const scenario::Point& point : report.points) scenarios.push_back(&point.scenario);
    explain_refusals(file, [&] {
      model::run_fluid(scenarios, at_a_time, [&](std::size_t i, model::RunResult result) {
        report.results[i] = std::move(result);
        progress.one_more();
      });
    });
    return report;
  }
  std::vector<std::size_t> numbers(report.points.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  figures::for_each_in_parallel(numbers, at_a_time, [&](std::size_t i) {
    explain_refusals(file, [&] { report.results[i] = model::run(report.points[i].scenario, trace); });
    progress.one_more();
  });
  return report;
}

}  // namespace doorbell::cli
