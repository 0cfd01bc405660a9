// What a result would be if parameters that nobody has measured were other than assumed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/layout.hpp"
#include "models/common/result.hpp"
#include "scenario/doubt.hpp"

namespace doorbell::cli {

/// What is compared.
enum class Metric { throughput, mean, p50, p99 };
[[nodiscard]] std::optional<Metric> metric_named(std::string_view name);

/// The same point once as it stands and twice for each doubt.
struct Sensitivity {
  struct Outcome {
    model::RunResult run;
    std::optional<model::RunResult> other;  ///< Of another design: then it is compared how much better that is.
  };
  struct Effect {
    scenario::Doubt doubt;
    std::optional<Outcome> low;  ///< With the smaller value; none where there is none, or nothing to compare.
    std::optional<Outcome> high;
  };

  std::string title;
  std::string hash;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> coordinates;  ///< Of the point, when it belongs to a sweep.
  std::vector<std::string> provenances;                          ///< Of what was varied ...
  double factor = 2;                                             ///< ... by this.
  Metric metric = Metric::throughput;
  std::vector<std::string> with;  ///< What makes the other design: its file if it has one, and "path=value".
  Outcome baseline;
  std::vector<Outcome> again;  ///< The baseline with other seeds, for a metric of which one run tells no interval.
  std::vector<Effect> effects;
};

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
