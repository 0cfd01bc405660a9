// Saved output of tools, made into what Doorbell compares and fits with: scenarios, a reference, a figure, a plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/reference.hpp"

namespace doorbell::tools {

struct MeasuredSetRequest {
  std::vector<std::filesystem::path> files;  ///< Saved output of perftest.
  std::filesystem::path client;              ///< Hardware profiles.
  std::filesystem::path server;
  std::filesystem::path folder;  ///< New, or empty.
  figures::Use use = figures::Use::validation;
};

struct MeasuredSet {
  std::filesystem::path figure;
  std::filesystem::path plan;  ///< Empty when there is none: for validation, or when no point tells a parameter.
  int points = 0;
  std::vector<std::string> notes;  ///< Where tool and profile disagree about the machine, in sentences.
};

/// Writes into the folder: for each setup a scenario named after it, `measured.csv`, `figure.json` for `doorbell
/// reproduce` and, from points that may be used for fitting, `calibration.json` for `doorbell calibrate`. Runs of one
/// setup are one series; sizes that were measured several times become one point, their mean, and its uncertainty is
/// half of their spread. Nothing is written unless all is. Throws OutputError, figures::DefinitionError when the folder
/// is in use, or what the scenario layer throws for the profiles.
[[nodiscard]] MeasuredSet write_measured_set(const MeasuredSetRequest& request);

}  // namespace doorbell::tools
