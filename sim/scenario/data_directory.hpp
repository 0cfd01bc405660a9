// Where scenarios, figure definitions and reference points are found at run time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace doorbell::scenario {

/// The folder that holds `scenarios/`, `plots/` and `calib/`. The first that fits of: `given` (the user's --data-dir),
/// the environment variable DOORBELL_DATA, ../share/doorbell beside the running programme's folder, the source tree
/// that this was built from, and the folder it was configured to be installed to. Throws ScenarioError when the one
/// that the user names has no `scenarios`, or when there is none at all.
[[nodiscard]] std::filesystem::path data_directory(const std::optional<std::filesystem::path>& given = std::nullopt);

/// Throws ScenarioError, at the option `who`, unless its `folder` is one.
void require_folder(const std::filesystem::path& folder, const std::string& who);

}  // namespace doorbell::scenario
