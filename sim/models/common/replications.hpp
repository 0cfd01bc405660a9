// Several runs of one scenario, with other seeds, as one result.
#pragma once

#include <span>

#include "models/common/result.hpp"

namespace doorbell::model {

/// More would narrow an interval by less than a hundredth of it.
inline constexpr int most_seeds = 1000;

/// Rates, latencies, what is used, counters, levels and work requests are means of those of `runs`, and the interval is
/// that of independent replications (Law, Simulation Modeling and Analysis, section 9.4.1), which sees what lasts for
/// the whole of a run, too; where the runs are all alike, it is that of the first. Warnings are those of all, with the
/// number of runs that give them; what is said of the interval is said of the pooled one. The bottleneck is that of the
/// first run. There has to be one.
[[nodiscard]] RunResult pooled(std::span<const RunResult> runs);

}  // namespace doorbell::model
