// Gnuplot scripts of the panels: measured points as markers with error bars, simulation as lines, closed form dashed.
#pragma once

#include <filesystem>
#include <string>

#include "figures/definition.hpp"

namespace doorbell::figures {

struct FigureResult;

/// A script, complete with its data, that writes the panel to `svg` and `png`. Equal results give equal scripts.
/// Throws DefinitionError when a line chart's x is not a number.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const Panel& panel, const FigureResult& result,
                                         const std::filesystem::path& svg, const std::filesystem::path& png);

}  // namespace doorbell::figures
