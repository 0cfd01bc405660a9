// What the numbers of a fit do not tell, in sentences.
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit.hpp"

namespace doorbell::calibrate {

/// Parameters that are open, with the reason and, if they trade off, with the names of the others; points that depend
/// on nothing that their stage finds; stages whose points do not fit, with what the points want that contradict each
/// other. In the order of the stages.
[[nodiscard]] std::vector<std::string> remarks(const Fit& fit);

}  // namespace doorbell::calibrate
