// How often something happens while a simulation is measured, how sure that is, and how long it takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch_means.hpp"
#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "models/common/load.hpp"
#include "models/common/result.hpp"

namespace doorbell::model {

/// Parts of the measured time, each of which is one observation of the rate. Many, where operations are short and
/// neighbouring parts hardly depend on each other.
inline constexpr int many_slices = 40;
inline constexpr int few_slices = 20;

/// The half width of the 95 % interval, as a share of the rate, with which nothing more need be simulated; 0: all is.
struct EnoughPrecision {
  double half_width = 0;
  int slices_at_least = 20;
};

/// Where nobody wants to see the parts of the measured time.
struct NoObserver {
  template <class Number> void operator()(Number /*operations*/) const {}
};

/// Runs `calendar`, which stands at the end of the warm-up, for `duration` in `slices` equal parts, each of which is
/// one observation of the rate at which `count()`, which may have fractions, grows. Sets throughput, its interval, of
/// one event at least, events and the time simulated, which is shorter than `duration` by less than a picosecond per
/// slice, and by the slices that `enough` saves. `observe` hears at the end of each slice how many operations it
/// counted.
template <class Count, class Observe = NoObserver>
void measure_rate(core::Calendar& calendar, Time duration, int slices, RunResult& result, Count count,
                  EnoughPrecision enough = {}, Observe observe = {}) {
  const Time from = calendar.now();
  const std::uint64_t events = calendar.executed();
  const auto before = count();
  const Time slice = duration / slices;
  core::BatchMeans rate;
  auto counted = before;
  const auto is_enough = [&](int done) {
    return enough.half_width > 0 && done >= enough.slices_at_least && rate.narrow_enough(enough.half_width);
  };
  int done = 0;
  while (done < slices && !is_enough(done)) {
    calendar.run_until(from + slice * ++done);
    const auto now = count();
    rate.add(static_cast<double>(now - counted) / to_seconds(slice));
    observe(now - counted);
    counted = now;
  }
  result.simulated = slice * done;
  result.throughput = {static_cast<double>(counted - before) / to_seconds(result.simulated)};
  // Slices that all hold the same number leave open when the next one would have come.
  const double one = counted > before ? 1 / to_seconds(result.simulated) : 0;
  result.throughput_ci95 = {std::max(rate.interval().half_width, one)};
  result.events = calendar.executed() - events;
}

/// Whether the interval is as wide as the rate itself.
[[nodiscard]] inline bool is_hardly_known(const RunResult& result) {
  return result.throughput_ci95.per_second > result.throughput.per_second / 2;
}

/// What is told of it then.
inline constexpr std::string_view hardly_known = "the rate is known to half its size or worse: simulate longer";

[[nodiscard]] inline LatencySummary summary_of(const core::LatencyHistogram& latency) {
  return {.mean = latency.mean(),
          .p50 = latency.percentile(0.5),
          .p99 = latency.percentile(0.99),
          .samples = latency.count()};
}

/// Of a load whose operations were counted for `simulated`; the rates add up to that of all operations.
[[nodiscard]] inline std::vector<KindSummary> kinds_of(const Load& load, Time simulated) {
  std::vector<KindSummary> kinds;
  for (const Load::Kind& kind : load.kinds()) {
    const Rate throughput{static_cast<double>(kind.latency.count()) / to_seconds(simulated)};
    kinds.push_back({std::string{kind.name}, throughput, summary_of(kind.latency)});
  }
  return kinds;
}

}  // namespace doorbell::model
