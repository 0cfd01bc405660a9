// A verb path drawn as a sequence diagram, in the manner of Kalia et al. 2016, Figs. 3 to 6 and 13a.
#pragma once

#include <string>

#include "models/nic/verb_path.hpp"

namespace doorbell::cli {

/// "UD SEND, 60 B inline, doorbell, batch 16".
[[nodiscard]] std::string title_of(const model::Operation& operation);

/// An SVG: host and NIC of the requester, NIC and host of the responder, time downwards. Thin arrows are MMIO writes,
/// medium ones DMA writes, thick ones DMA reads with their completions, dashed ones packets.
[[nodiscard]] std::string sequence_diagram(const model::VerbPath& path);

}  // namespace doorbell::cli
