// Bar charts: groups of bars with the simulated value, its measurement beside it, and the numbers above.
#pragma once

#include <string>

#include "figures/definition.hpp"

namespace doorbell::figures {

struct FigureResult;

/// The part of a gnuplot script that draws `panel`. Throws DefinitionError when a bar names a point that is not there.
[[nodiscard]] std::string bar_chart(const Panel& panel, const FigureResult& result);

}  // namespace doorbell::figures
