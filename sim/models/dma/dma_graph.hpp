// The host and the device of a DMA scenario as a graph, of the same kind as machine_graph's.
#pragma once

#include "models/common/component_graph.hpp"
#include "models/dma/dma_scenario.hpp"

namespace doorbell::model {

[[nodiscard]] MachineGraph make_dma_graph(const DmaScenario& scenario);

}  // namespace doorbell::model
