// Running the points of a scenario, several at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "scenario/load.hpp"

namespace doorbell::cli {

/// What one call of `run` produced.
struct Report {
  std::string title;
  std::string hash;
  std::optional<std::uint64_t> seed;  ///< Of the first run of every point; none where points differ in it.
  unsigned seeds = 1;                 ///< Runs of every point, each with the next seed.
  std::vector<std::string> sweep_paths;
  std::vector<scenario::Point> points;
  std::vector<model::RunResult> results;  ///< One per point, in the same order, whatever the number of jobs.
};

/// Simulates every point with `jobs` threads (0: as many as the machine has), `seeds` times, and pools the runs of a
/// point (see replications.hpp). Shows progress on stderr when that is a terminal. `trace`, for one run only, draws it
/// over time. Throws ScenarioError when the models refuse a scenario.
[[nodiscard]] Report run_points(const std::string& file, scenario::ScenarioFile loaded, unsigned jobs,
                                unsigned seeds = 1, const model::Tracing* trace = nullptr);

}  // namespace doorbell::cli
