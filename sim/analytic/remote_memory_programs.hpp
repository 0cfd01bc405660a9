// The verbs of a remote-memory device, as programs post them.
#pragma once

#include "core/quantity.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// What a request brings to its peer, and what an answer of the two-sided protocol brings back.
[[nodiscard]] Bytes sent(const model::RemoteAccess& access, bool write, Bytes size);
[[nodiscard]] Bytes answered(bool write, Bytes size);
[[nodiscard]] model::Verb verb_of(const model::RemoteAccess& access, bool write);

/// Program "load" of machine "host" posts to program "memory" of "peer" what the device does, in the mix and the
/// batches of device_traffic(): verb paths, and what verbs owe to NICs, links and ports, are worked out in one place.
/// Software is left out. The load must need the device.
[[nodiscard]] model::Scenario as_programs(const model::RemoteMemoryScenario& scenario);

}  // namespace doorbell::analytic
