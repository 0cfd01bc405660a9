// What `reproduce` prints for people.
#pragma once

#include <string>
#include <vector>

#include "figures/collection.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// A row per figure, then one per collection, with its targets, then the claims that do not hold and the points that
/// are more than 15 % off.
[[nodiscard]] std::string text_report(const std::vector<FigureResult>& figures,
                                      const std::vector<Collection>& collections);

/// Bars, and lines as a whole, that rise above the axis of the picture that should show them, and measured points that
/// are outside its axes; empty if there are none.
[[nodiscard]] std::string hidden_report(const std::vector<Figure>& figures, const std::vector<FigureResult>& results);

}  // namespace doorbell::figures
