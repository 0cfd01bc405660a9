// What a result would be if parameters that nobody has measured were other than assumed, and what of that is chance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/common/result.hpp"
#include "scenario/doubt.hpp"

namespace doorbell::cli {

/// What is compared.
enum class Metric { throughput, mean, p50, p99 };
[[nodiscard]] std::string_view name_of(Metric metric);
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

/// Changes by less than this share are not worth telling.
inline constexpr double notable_change = 0.01;

/// Of the measured rate, bytes where blocks are moved; of latency, nanoseconds.
[[nodiscard]] double value_of(const model::RunResult& result, Metric metric);
/// The same of one design, or the ratio of that of the other one to it.
[[nodiscard]] double value_of(const Sensitivity::Outcome& outcome, Metric metric);
/// Half width of the 95 % interval as a share of the value. Rates have their own.
[[nodiscard]] double doubt_of_run(const model::RunResult& result, const Sensitivity& all, bool of_other = false);
[[nodiscard]] double doubt_of_run(const Sensitivity::Outcome& outcome, const Sensitivity& all);

/// The value over that of the baseline.
[[nodiscard]] double ratio(const Sensitivity::Outcome& outcome, const Sensitivity& all);
/// Whether chance, too, would move the value as far.
[[nodiscard]] bool is_chance(const Sensitivity::Outcome& outcome, const Sensitivity& all);
/// Whether it is a notable change, and none of chance.
[[nodiscard]] bool matters(const std::optional<Sensitivity::Outcome>& outcome, const Sensitivity& all);
/// A change that chance, too, could make, and that is large enough to be taken for one.
[[nodiscard]] bool is_doubtful(const std::optional<Sensitivity::Outcome>& outcome, const Sensitivity& all);
[[nodiscard]] double largest_change(const Sensitivity::Effect& effect, const Sensitivity& all);

/// Of the other design.
enum class Verdict { better, no_better, worse };
[[nodiscard]] std::string_view name_of(Verdict verdict);
[[nodiscard]] Verdict verdict_of(const Sensitivity::Outcome& outcome, const Sensitivity& all);

/// Between which multiples of the baseline the value lies.
struct Range {
  double low = 1;
  double high = 1;

  void widen(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};
/// The extremes when one doubt at a time comes true.
[[nodiscard]] Range one_at_a_time(const Sensitivity& all);
/// Independent doubts together: their effects, as logarithms, add up as random errors do.
[[nodiscard]] Range together(const Sensitivity& all);

}  // namespace doorbell::cli
