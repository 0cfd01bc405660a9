// Jobs of fio as measurements of the block device that a scenario describes.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/measured_set.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// From saved JSON. `base` is a scenario of a storage server or of a remote-memory device; the scenarios made in
/// `folder` extend it and replace its load by that of the jobs. The one of block size, jobs and depth that varies most
/// becomes x; jobs that agree in the others are one series of bandwidths and one of median latencies. Throws
/// OutputError for jobs that the base cannot run (random or mixed requests of a storage server), and what the scenario
/// layer throws.
[[nodiscard]] Measurements measured_by_fio(const std::vector<std::filesystem::path>& files,
                                           const std::filesystem::path& base, const std::filesystem::path& folder);

}  // namespace doorbell::tools
