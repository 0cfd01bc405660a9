// Runs of perftest as measurements: runs of one setup are one series over sizes.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/measured_set.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// From saved output, for scenarios in `folder` on machines with these hardware profiles. Throws OutputError, or what
/// the scenario layer throws for the profiles.
[[nodiscard]] Measurements measured_by_perftest(const std::vector<std::filesystem::path>& files,
                                                const std::filesystem::path& client,
                                                const std::filesystem::path& server,
                                                const std::filesystem::path& folder);

}  // namespace doorbell::tools
