// What limits a scenario, in closed form: bounds without queues, and mean values with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analytic/demand.hpp"
#include "core/quantity.hpp"
#include "models/result.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// No more than `servers` / `demand` requests per second.
struct Bound {
  std::string resource;  ///< "server/PCIe downstream"; "client/window of client" for what is in flight.
  Time demand{0};        ///< Per measured request, to the nearest picosecond; for windows, the unloaded cycle.
  double servers = 1;    ///< For windows, the operations that can be in flight.
  Rate limit;            ///< Of the measured program's requests.
  std::optional<model::Limit> kind;  ///< None when only latency and the number in flight limit.
};

struct Analysis {
  std::vector<Bound> bounds;  ///< Tightest first.
  Rate throughput;            ///< The tightest bound; 0 when the measured program does nothing.
  std::string bottleneck;
  std::string next;          ///< The second tightest; empty when there is none.
  double gap = 1;            ///< How many times more the next would allow.
  Time unloaded_latency{0};  ///< Of an operation alone in the system, from the first instruction of its post until its
                             ///< program knows the answer; for what is never answered, until it has left.
  std::optional<double> in_flight;  ///< Operations circulating in a closed scenario.
  std::optional<Rate> mean_value;   ///< Closed scenarios: exact mean value analysis, which knows queueing.
  DemandMatrix demands;
};

/// Asymptotic bounds and mean values of a scenario. Throws std::invalid_argument when the scenario names what it does
/// not have, or posts what its transport lacks.
///
/// The bounds assume full batches and perfect overlap: a run comes near the tightest from below. Mean values take every
/// resource as a station with exponential service (see mean_value_analysis), all programs that start work as one class
/// of customers, and what of the unloaded latency is not service as delay.
[[nodiscard]] Analysis analyze(const model::Scenario& scenario);

}  // namespace doorbell::analytic
