// The order in which the block layer hands the segments of one request to a device.
#pragma once

#include <cstddef>
#include <vector>

#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Indices of the `segments` of a request in the order of their dispatch. The anticipatory scheduler dispatches a burst
/// of one process from its end, which was seen in DMA traces (Koukis 2010, section 4.4.2); the others go upwards.
[[nodiscard]] std::vector<std::size_t> segment_order(IoScheduler scheduler, std::size_t segments);

}  // namespace doorbell::model
