// What a sweep shows, in sentences.
#pragma once

#include <string>

#include "cli/layout.hpp"
#include "cli/run_points.hpp"

namespace doorbell::cli {

/// Where a sweep is fastest and why, which points cannot be told from that one, and whether more may be better. Empty
/// where there is nothing to compare.
[[nodiscard]] std::string sweep_conclusion(const Report& report, Layout layout);

}  // namespace doorbell::cli
