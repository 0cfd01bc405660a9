// One operation of a load on remote memory that meets no other.
#pragma once

#include "analytic/remote_memory_software.hpp"
#include "analytic/remote_request.hpp"

namespace doorbell::analytic {

/// From its begin, with its own software, until it is done; its requests take as long as `request` says, which is of
/// the same scenario.
[[nodiscard]] Latency operation_alone(const RemoteMemorySoftware& software, const RemoteRequest& request);

}  // namespace doorbell::analytic
