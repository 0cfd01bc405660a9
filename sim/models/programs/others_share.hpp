// How much of what fills the NICs, PCI Express links and ports of machines is for other programs than the measured one.
#pragma once

#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// As find_bottleneck, for a program that shares machines with others. Where something is full of what others move, of
/// whom none waits for the measured program or is awaited by it, more work of its own would still find room between
/// theirs: then what that program has for itself limits, if it is taken (its cores, its window), and the sentence also
/// tells what is full, and for whom. Nothing is for itself where ports take turns, and its own always wait for theirs.
/// `utilisations` are sorted.
[[nodiscard]] Bottleneck find_bottleneck_among_others(const std::vector<Utilisation>& utilisations,
                                                      const std::vector<Utilisation>& holders, Simulation& simulation,
                                                      const ProgramPlan& observed);

}  // namespace doorbell::model
