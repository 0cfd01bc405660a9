// Pictures of a figure: one SVG and one PNG per panel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/definition.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// What one panel's files are called, without extension: "kalia16-fig07".
[[nodiscard]] std::string panel_stem(const Figure& figure, const Panel& panel);

/// Draws every panel into `folder`, `jobs` at a time. Throws std::runtime_error when gnuplot fails or is missing.
void draw(const std::vector<Figure>& figures, const std::vector<FigureResult>& results,
          const std::filesystem::path& folder, int jobs);

}  // namespace doorbell::figures
