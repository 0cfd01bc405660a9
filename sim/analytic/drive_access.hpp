// What steps that access drives ask of them.
#pragma once

#include <vector>

#include "analytic/demand.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// Of one command, on average over reads and writes, of which there are `write_share`.
struct DriveDemand {
  Seconds controller;
  Seconds flash;     ///< Of one of a drive's units.
  Seconds programs;  ///< That of writes.
  Seconds channels;
  Seconds downstream;  ///< Of a drive's link.
  Seconds upstream;
};

/// Demands of a command when a drive reads `together` (>= 1) of them at a time; none can be smaller than when it reads
/// many.
[[nodiscard]] DriveDemand drive_demand(const model::DriveGroup& drives,
                                       const model::RootComplexParameters& root_complex, const model::AccessStep& step,
                                       double write_share, int together);

/// The same of a request of `program`, which reads the commands of a pass together, at best.
[[nodiscard]] std::vector<RowDemand> drive_demands(const ProgramFlow& program, const model::AccessStep& step);

/// From the doorbell for one command, alone in the system, until a core can see that it is done: on average over reads
/// and writes.
[[nodiscard]] Time unloaded_command(const model::DriveGroup& drives, const model::RootComplexParameters& root_complex,
                                    const model::AccessStep& step, double write_share);

}  // namespace doorbell::analytic
