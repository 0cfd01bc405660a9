// The closed form of a scenario, whatever it describes.
#pragma once

#include "analytic/bounds.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// Throws std::invalid_argument when the scenario names what it does not have.
[[nodiscard]] Bounds scenario_bounds(const model::Scenario& scenario);

}  // namespace doorbell::analytic
