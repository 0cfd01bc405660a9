// What limits a host that uses remote memory, in closed form.
#pragma once

#include "analytic/bounds.hpp"
#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::analytic {

/// Asymptotic bounds of a remote-memory scenario, per operation of its load (see device_traffic): threads of the load,
/// completion handlers and daemons by their CPU time, locks by the time in which they are held, NICs, links and ports
/// by the verbs that the device posts, threads or requests in flight by the time of an operation alone. A run comes
/// near the tightest from below.
///
/// Left out: waiting for a lock, sleeping and being woken where another request could have been taken instead, and CPU
/// time that polling loops take from others.
[[nodiscard]] Bounds analyze(const model::RemoteMemoryScenario& scenario);

}  // namespace doorbell::analytic
