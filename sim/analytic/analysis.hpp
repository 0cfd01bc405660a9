// What limits a scenario, in closed form: bounds without queues, and mean values with them.
#pragma once

#include <optional>

#include "analytic/bounds.hpp"
#include "analytic/demand.hpp"
#include "core/quantity.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// The unloaded latency runs from the first instruction of the post until its program knows the answer; for what is
/// never answered, until it has left.
struct Analysis : Bounds {
  std::optional<double> in_flight;  ///< Operations circulating in a closed scenario.
  std::optional<Rate> mean_value;   ///< Closed scenarios of one program that starts work, in messages of one packet.
  DemandMatrix demands;
};

/// Asymptotic bounds and mean values of a scenario. Throws std::invalid_argument when the scenario names what it does
/// not have, or posts what its transport lacks.
///
/// The bounds assume full batches and perfect overlap: a run comes near the tightest from below. Mean values take every
/// resource as a station with exponential service (see mean_value_analysis), and what of the unloaded latency is not
/// service as delay.
[[nodiscard]] Analysis analyze(const model::Scenario& scenario);

}  // namespace doorbell::analytic
