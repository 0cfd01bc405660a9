// Every parameter that a run uses, and where it comes from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/load.hpp"

namespace doorbell::scenario {

/// One resolved parameter.
struct Parameter {
  std::string pointer;  ///< For example /machines/server/hardware/nic/cqe.
  std::string value;    ///< As written, with its unit.
  std::string meaning;
  std::string provenance;  ///< datasheet, stated, fitted, assumed; or scenario, override, sweep, default.
  std::string source;      ///< What the profile says, or the file and line.
};

/// All parameters of one point of a file (0 is the first), in the order of their declaration. Throws ScenarioError.
[[nodiscard]] std::vector<Parameter> explain(const std::filesystem::path& file, const LoadOptions& options = {},
                                             std::size_t point = 0);

}  // namespace doorbell::scenario
