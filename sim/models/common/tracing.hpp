// What of a run is to be drawn over time.
#pragma once

#include <optional>

#include "core/trace.hpp"

namespace doorbell::model {

/// A trace begins with the measurement, when the warm-up is over.
struct Tracing {
  core::TraceWriter& writer;
  std::optional<Time> length;  ///< A twentieth of the measured time where nothing is said.

  /// The measurement, of `duration`, begins.
  core::TraceWriter& begin(Time now, Time duration) const {
    writer.limit(now, now + length.value_or(duration / 20));
    return writer;
  }
};

}  // namespace doorbell::model
