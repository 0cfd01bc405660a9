// Whether what is measured has come to its steady state.
#pragma once

#include <string>
#include <string_view>

namespace doorbell::model {

/// Little's law holds in the steady state: rate and latency account for what is in flight. A warning about `whose`
/// operations where they account for an eighth more or less; empty otherwise, and where nothing is accounted for.
/// `accounted`: rate times mean latency; `in_flight`: the mean number; `stuck`: how many of these belong to threads to
/// which nothing came back in the measured time.
[[nodiscard]] std::string unsettled(std::string_view whose, double accounted, double in_flight, double stuck = 0);

}  // namespace doorbell::model
