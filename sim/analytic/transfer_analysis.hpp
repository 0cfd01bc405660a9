// What limits streams of transfers, in closed form.
#pragma once

#include "analytic/bounds.hpp"
#include "models/fabric/transfers.hpp"

namespace doorbell::analytic {

/// Asymptotic bounds of a transfer scenario, per request of the measured streams, which come in the shares that their
/// windows allow: resources by the bytes that cross them, and the requests in flight by the time of one alone. A run
/// comes near the tightest from below. Streams that are not measured are left out.
///
/// Throws std::invalid_argument for a route that names no resource.
[[nodiscard]] Bounds analyze(const model::TransferScenario& scenario);

}  // namespace doorbell::analytic
