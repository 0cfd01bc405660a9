// A comparison of results under other assumptions as text and as JSON.
#pragma once

#include <string>

#include "cli/layout.hpp"
#include "cli/sensitivity_comparison.hpp"

namespace doorbell::cli {

/// What changes the metric by a percent and by more than the 95 % intervals of the runs, from the largest change down;
/// how far that moves the metric; and how often something else limits. Latencies have the interval that the runs with
/// other seeds give. Of two designs: what changes the ratio of the metric, and how often the other one is better.
[[nodiscard]] std::string sensitivity_text(const Sensitivity& sensitivity, Layout layout = {});

/// One JSON object: `doorbell`, `scenario`, `seed`, `coordinates`, `provenances`, `factor`, `metric`, `baseline`,
/// `half_width95` of the metric, `lowest`, `highest` (one doubt at a time), `together` {low, high}, and `parameters`,
/// each with `pointers`, `value`, `provenance`, `source`, `meaning`, `low` and `high` {value, what `baseline` has, and
/// `chance`: whether the intervals cover the change} or null. Of two designs `with` says how they differ,
/// `half_width95`, `lowest`, `highest` and `together` are of ratios, and each run has its `other`.
[[nodiscard]] std::string sensitivity_json(const Sensitivity& sensitivity);

}  // namespace doorbell::cli
