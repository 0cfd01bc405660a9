// What `reproduce` prints for people.
#pragma once

#include <string>
#include <vector>

#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// A row per figure, then the claims that do not hold and the points that are more than 15 % off.
[[nodiscard]] std::string text_report(const std::vector<FigureResult>& figures);

}  // namespace doorbell::figures
