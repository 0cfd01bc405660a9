// What figures need from the layers below: scenarios, runs, closed-form bounds. Tests put their own in its place.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/result.hpp"
#include "models/scenario.hpp"

namespace doorbell::figures {

/// One point of a scenario file's sweep.
struct SweepPoint {
  std::vector<std::pair<std::string, std::string>> coordinates;  ///< JSON pointer of the axis, value as in the file.
  model::Scenario scenario;
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  ///< JSON pointer, value as for `--set`.

struct Engine {
  /// All points of a scenario file. Files that `overrides` name are relative to `folder`. Throws what the scenario
  /// layer throws for people.
  std::function<std::vector<SweepPoint>(const std::filesystem::path& file, const Overrides& overrides,
                                        const std::filesystem::path& folder)>
      load;
  /// Simulates; called from several threads at once.
  std::function<model::RunResult(const model::Scenario&)> run;
  /// Simulates scenarios that need processes of their own, several at a time; called from the only thread.
  std::function<void(const std::vector<const model::Scenario*>&, int jobs,
                     const std::function<void(std::size_t, model::RunResult)>& done)>
      run_fluid;
  /// Upper bound of the throughput in closed form, where there is one.
  std::function<std::optional<Rate>(const model::Scenario&)> bound;
  /// What that bound is the bound of; empty where there is none.
  std::function<std::string(const model::Scenario&)> bottleneck;
  /// Reads a hardware profile.
  std::function<model::HardwareProfile(const std::filesystem::path& file)> profile;
};

/// The real thing: sim/scenario, sim/models and sim/analytic.
[[nodiscard]] Engine default_engine();

}  // namespace doorbell::figures
