// Gnuplot scripts of the panels: measured points as markers with error bars, simulation as lines, closed form dotted.
#pragma once

#include <string>

#include "figures/definition.hpp"

namespace doorbell::figures {

struct FigureResult;

/// A script, complete with its data, that draws the panel for run_gnuplot(). Equal results give equal scripts.
/// Throws DefinitionError when a line chart's x is not a number.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const Panel& panel, const FigureResult& result);

}  // namespace doorbell::figures
