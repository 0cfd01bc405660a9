// How often something happens while a simulation is measured, and how sure that is.
#pragma once

#include <cstdint>

#include "core/batch_means.hpp"
#include "core/calendar.hpp"
#include "models/result.hpp"

namespace doorbell::model {

/// Runs `calendar`, which stands at the end of the warm-up, for `duration` in `slices` equal parts, each of which is
/// one observation of the rate at which `count()` grows. Sets throughput, interval, events and the time simulated,
/// which is shorter than `duration` by less than a picosecond per slice.
template <class Count>
void measure_rate(core::Calendar& calendar, Time duration, int slices, RunResult& result, Count count) {
  const Time from = calendar.now();
  const std::uint64_t events = calendar.executed();
  const std::uint64_t before = count();
  const Time slice = duration / slices;
  core::BatchMeans rate;
  std::uint64_t counted = before;
  for (int i = 1; i <= slices; ++i) {
    calendar.run_until(from + slice * i);
    const std::uint64_t now = count();
    rate.add(static_cast<double>(now - counted) / to_seconds(slice));
    counted = now;
  }
  result.simulated = slice * slices;
  result.throughput = {static_cast<double>(counted - before) / to_seconds(result.simulated)};
  result.throughput_ci95 = {rate.interval().half_width};
  result.events = calendar.executed() - events;
}

}  // namespace doorbell::model
