// From which files the hardware of a scenario comes.
#pragma once

#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

namespace doorbell::scenario {

/// For each hardware of the scenario in `file` that has this title, of machines, of a storage server or of a dma
/// scenario, the files in which its numbers stand: the profile, those that it extends, and the scenario where it has
/// numbers of its own. Throws ScenarioError.
[[nodiscard]] std::vector<std::set<std::filesystem::path>> hardware_files(const std::filesystem::path& file,
                                                                          std::string_view title);

}  // namespace doorbell::scenario
