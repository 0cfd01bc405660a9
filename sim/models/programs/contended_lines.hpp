// Cache lines of which threads have one after the other, and which take most of their time.
#pragma once

#include <optional>
#include <string>

#include "models/programs/simulation.hpp"

namespace doorbell::model {

struct ContendedLine {
  std::string resource;  ///< Its row in a report.
  double busy = 0;       ///< Share of the measured time, on average over the machines of the group.
  bool elastic = false;  ///< See Utilisation.
};

/// Of the lines that threads of `plan` share (counters, and locks of its queues) that which takes most of the time
/// for which the threads that use it are busy, waits included, if a faster line would gain more than less of their
/// other work.
[[nodiscard]] std::optional<ContendedLine> costliest_line(Simulation& simulation, const ProgramPlan& plan);

}  // namespace doorbell::model
