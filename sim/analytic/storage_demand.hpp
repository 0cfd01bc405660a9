// What steps ask of the storage of their machine: drives, or memory of other machines.
#pragma once

#include <optional>
#include <vector>

#include "analytic/demand.hpp"

namespace doorbell::analytic {

/// Of one request, or operation on memory.
struct StorageDemand {
  std::vector<RowDemand> rows;
  Seconds busy{0};      ///< CPU time of the program's thread.
  Seconds waiting{0};   ///< For how long that waits at the least, and does nothing else.
  double requests = 0;  ///< Of a pass.
};

/// None for steps that use no storage.
[[nodiscard]] std::optional<StorageDemand> storage_demand(const ProgramFlow& program, const model::Step& step,
                                                          const model::Scenario& scenario);

}  // namespace doorbell::analytic
