#include "analytic/scenario_bounds.hpp"

#include "analytic/analysis.hpp"
#include "analytic/dma_analysis.hpp"
#include "analytic/remote_memory_analysis.hpp"
#include "analytic/shared_files_analysis.hpp"
#include "analytic/storage_analysis.hpp"
#include "analytic/transfer_analysis.hpp"

namespace doorbell::analytic {

Bounds scenario_bounds(const model::Scenario& scenario) {
  if (scenario.storage) return analyze(*scenario.storage);
  if (scenario.transfers) return analyze(*scenario.transfers);
  if (scenario.remote_memory) return analyze(*scenario.remote_memory);
  if (scenario.dma) return analyze(*scenario.dma);
  if (scenario.shared_files) return analyze(*scenario.shared_files);
  return analyze(scenario);
}

}  // namespace doorbell::analytic
