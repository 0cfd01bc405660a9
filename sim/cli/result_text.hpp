// Results for people, at most 80 columns wide.
#pragma once

#include <string>

#include "cli/layout.hpp"
#include "cli/run_points.hpp"

namespace doorbell::cli {

/// One point: throughput, latency, both of each kind of operations where there are several, the busiest resources with
/// bars, counters, programs, and the bottleneck in a sentence. A sweep: a row for each point.
[[nodiscard]] std::string result_text(const Report& report, Layout layout = {});

}  // namespace doorbell::cli
