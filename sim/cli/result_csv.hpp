// The result document, flattened to one row per point.
#pragma once

#include <string>

#include "cli/run_points.hpp"

namespace doorbell::cli {

/// Comment lines (#) with version, title, hash and seed; a heading; one row per point. Columns: the sweep paths, the
/// metrics with their units, those of each kind of operations (`throughput KIND (M/s)`), `busy RESOURCE`, `count NAME`,
/// `rate NAME (1/s)`, `batch PROGRAM`, the bottleneck.
[[nodiscard]] std::string result_csv(const Report& report);

}  // namespace doorbell::cli
