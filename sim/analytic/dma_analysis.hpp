// The closed form of a DMA scenario.
#pragma once

#include "analytic/bounds.hpp"
#include "models/dma/dma_scenario.hpp"

namespace doorbell::analytic {

/// Bounds by the link's directions, the read tags, the posted credits, the DMA engine, the page walks and the requests
/// in flight, and by the memory channels, without what cores do there. What hits and misses is taken on average, as for
/// units chosen at random. Nothing bounds a device that does nothing.
[[nodiscard]] Bounds analyze(const model::DmaScenario& scenario);

}  // namespace doorbell::analytic
