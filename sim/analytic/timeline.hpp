// When each step of a verb path happens if nothing else goes on.
#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "models/fabric/fabric.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::analytic {

/// From the begin of a step's service to the end of the latency that follows it.
struct Span {
  Time begin{0};
  Time end{0};
};

/// One posting call alone in the machine, from the first instruction on; after a doorbell, the call's first WQE.
struct Timeline {
  std::vector<Span> spans;  ///< One for each step of the path. Steps off the critical path have theirs too.
  Time posted{0};           ///< The last MMIO write has left the root complex.
  Time transmitted{0};      ///< The packet's last byte has left the port.
  Time visible{0};          ///< What a SEND or WRITE carries can be seen by a core that polls there.
  Time completed{0};        ///< The requester knows: response or ACK is back (RC), otherwise as `transmitted`; with
                            ///< signal_every = 1, when the CQE can be seen.
};

/// When the steps of one operation happen on machines that do nothing else, from the call that posts it on.
[[nodiscard]] Timeline unloaded_timeline(const model::VerbPath& path, const model::HardwareProfile& requester,
                                         const model::HardwareProfile& responder, const model::Fabric& fabric);

/// How long the DMA reads of a phase take on one side: request, root complex, completions and both crossings of the
/// link.
[[nodiscard]] Time read_round_trip(const model::VerbPath& path, model::Phase phase, model::Side side);

}  // namespace doorbell::analytic
