// A calibration file: which parameters of a profile are found from which measured points, in which order.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/definition.hpp"
#include "figures/document.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::calibrate {

/// What a text with a unit measures; a number when it has none.
[[nodiscard]] scenario::Dimension dimension_of(std::string_view text);

/// A number of the profile to find, in base units (seconds, bytes per second, ...).
struct Unknown {
  std::string pointer;  ///< "/nic/tx_message".
  figures::Mention mention;
  double start = 0;  ///< Where the search begins; nothing of the shipped value is used.
  double min = 0;
  double max = 0;
  std::vector<double> values;  ///< When not empty, only these are tried; the first is the start value.
  scenario::Dimension dimension = scenario::Dimension::number;  ///< Of all these numbers.
  /// Where they lie, for complaints: that of each of `values`, or those of start, min and max.
  std::vector<figures::Mention> places = {};
};

/// A measured point of a figure, declared as usable for fitting in the figure's reference.
struct Observation {
  const figures::Figure* figure = nullptr;
  std::string series;
  figures::ReferencePoint point;
  figures::Mention mention = {};  ///< Where the plan names it.
};

enum class Method {
  closed_form,  ///< Least squares on the bounds of the analytic model (Levenberg-Marquardt).
  simulation,   ///< Least squares on simulated points.
};

/// Unknowns that are found together; later stages use what earlier ones have found. No two stages share a name or an
/// unknown.
struct Stage {
  std::string name;
  Method method = Method::simulation;
  std::vector<Unknown> unknowns;
  std::vector<Observation> observations;
};

struct Plan {
  std::filesystem::path profile;
  figures::Mention mention;  ///< Where the file names it.
  std::vector<std::unique_ptr<figures::Figure>> figures;
  std::vector<Stage> stages;
};

/// Reads calib/*.json; paths in it are relative to the file. Throws ScenarioError, also for an observation that is not
/// in the fit set of its figure, or DefinitionError where measurements are not at hand. `external`: the folder of
/// measurements that are not part of the project (see figures/external.hpp).
[[nodiscard]] Plan read_plan(const std::filesystem::path& file,
                             const std::optional<std::filesystem::path>& external = std::nullopt);

}  // namespace doorbell::calibrate
