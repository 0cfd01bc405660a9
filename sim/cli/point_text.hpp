// The result of one point for people.
#pragma once

#include <string>
#include <vector>

#include "cli/layout.hpp"
#include "models/common/result.hpp"

namespace doorbell::cli {

/// Throughput, latency, both of each kind of operations where there are several, the busiest resources with bars,
/// counters, programs, levels, and the bottleneck in a sentence.
[[nodiscard]] std::string point_text(const model::RunResult& result, Layout layout);

/// A line of each kind of operations, below that of all; two where a terminal has no room for one.
[[nodiscard]] std::string kind_lines(const std::vector<model::KindSummary>& kinds, Layout layout);

}  // namespace doorbell::cli
