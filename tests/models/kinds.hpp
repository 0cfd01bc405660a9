// Whether what a run tells of kinds of operations is what it tells of all.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/common/result.hpp"

namespace doorbell::model {

/// Every operation is of one of these kinds.
inline void expect_kinds(const RunResult& result, const std::vector<std::string>& names) {
  std::vector<std::string> told;
  double rate = 0;
  double time = 0;
  std::uint64_t samples = 0;
  for (const KindSummary& kind : result.kinds) {
    told.push_back(kind.kind);
    rate += kind.throughput.per_second;
    time += to_seconds(kind.latency.mean) * static_cast<double>(kind.latency.samples);
    samples += kind.latency.samples;
  }
  EXPECT_EQ(told, names);
  EXPECT_EQ(samples, result.latency.samples);
  EXPECT_NEAR(rate, result.throughput.per_second, result.throughput.per_second * 1e-9);
  // Means are whole picoseconds.
  EXPECT_NEAR(time / static_cast<double>(samples), to_seconds(result.latency.mean), 2e-12);
}

/// The share of operations that are of this kind, of which each is with probability `share`, whatever the others are.
inline void expect_share(const RunResult& result, const KindSummary& kind, double share) {
  const auto all = static_cast<double>(result.latency.samples);
  const double deviation = std::sqrt(share * (1 - share) / all);
  EXPECT_NEAR(static_cast<double>(kind.latency.samples) / all, share, 4 * deviation) << kind.kind;
}

}  // namespace doorbell::model
