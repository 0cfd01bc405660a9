// What `analyze` tells people.
#pragma once

#include <optional>
#include <string>

#include "analytic/bounds.hpp"
#include "cli/layout.hpp"

namespace doorbell::cli {

/// A table of what each resource would allow, tightest first, and what follows from it. `mean_value`: the rate with
/// queueing, where it is known.
[[nodiscard]] std::string bounds_text(const analytic::Bounds& bounds, std::optional<Rate> mean_value,
                                      Layout layout = {});

}  // namespace doorbell::cli
