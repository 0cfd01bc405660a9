// The closed form of a scenario, whatever it describes.
#pragma once

#include <optional>

#include "analytic/bounds.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// None for shared files, whose caches and schedulers have no closed form here. Throws std::invalid_argument when the
/// scenario names what it does not have.
[[nodiscard]] std::optional<Bounds> scenario_bounds(const model::Scenario& scenario);

}  // namespace doorbell::analytic
