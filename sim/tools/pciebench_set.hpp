// Tables of pcie-bench as measurements of the host and device that a scenario describes.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/measured_set.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// From saved tables. `base` is a DMA scenario: its machine, socket and IOMMU stay, and its requests in flight are
/// those of the tests of bandwidth; what the device does comes from the tables. Of size, window and offset, the one
/// that varies most in a file becomes x. Rows that no scenario describes are left out, and notes say so. Throws
/// OutputError for other bases and for what cannot be read, and what the scenario layer throws.
[[nodiscard]] Measurements measured_by_pciebench(const std::vector<std::filesystem::path>& files,
                                                 const std::filesystem::path& base,
                                                 const std::filesystem::path& folder);

}  // namespace doorbell::tools
