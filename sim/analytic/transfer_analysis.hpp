// What limits streams of transfers, in closed form.
#pragma once

#include "analytic/bounds.hpp"
#include "models/fabric/transfers.hpp"

namespace doorbell::analytic {

/// Asymptotic bounds of a transfer scenario, per request of the measured streams: resources by the bytes that cross
/// them, and the requests in flight of each stream by the time of one alone. Several streams are taken in the mix that
/// has most requests per second (a linear program), so that no run is faster for long; a run with one stream comes near
/// the tightest bound from below. Streams that are not measured are left out.
///
/// Throws std::invalid_argument for a route that names no resource.
[[nodiscard]] Bounds analyze(const model::TransferScenario& scenario);

}  // namespace doorbell::analytic
