// What limits a storage server, in closed form.
#pragma once

#include "analytic/bounds.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::analytic {

/// Asymptotic bounds of a storage scenario, per block request: CPU, buses and links by the bytes that cross them,
/// disks, the medium and the NIC's processor by the time that a request holds them, requests in flight by the time of
/// one alone. A run comes near the tightest from below, and meets it with one request in flight.
///
/// Perfect overlap is assumed between requests, and for synchronized sends within one; a compute process is left out.
/// Routes come from storage_routes().
[[nodiscard]] Bounds analyze(const model::StorageScenario& scenario);

}  // namespace doorbell::analytic
