// The result document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/run_points.hpp"

namespace doorbell::cli {

/// One JSON object: `doorbell` (version), `scenario` {title, hash}, `seed`, and `points`, each with `coordinates`,
/// `throughput_mops`, `throughput_ci95_mops` (half width), `bandwidth_bytes_per_second` (null where operations count),
/// `latency_ns` {mean, p50, p99: null without samples; samples}, `kinds` (each with `kind`, `throughput_mops` and
/// `latency_ns`; empty where all operations are alike), `utilisations`, `counters`, `programs`, `levels`, `requests`,
/// `bottleneck`, `warnings`, `simulated_ns`, `events` and `operations`.
[[nodiscard]] std::string result_json(const Report& report);

/// In bytes per second, or null where operations count.
[[nodiscard]] nlohmann::ordered_json bandwidth_json(const model::RunResult& result);

/// In nanoseconds, or null without samples; and how many there are.
[[nodiscard]] nlohmann::ordered_json latency_json(const model::LatencySummary& latency);

}  // namespace doorbell::cli
