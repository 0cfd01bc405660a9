// Every request of a replayed trace, as CSV.
#pragma once

#include <string>

#include "cli/run_points.hpp"

namespace doorbell::cli {

/// One row per request of every point: the point's coordinates, when it started, what it was, and its latency.
[[nodiscard]] std::string request_csv(const Report& report);

}  // namespace doorbell::cli
