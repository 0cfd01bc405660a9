// Mean value analysis of closed queueing networks with one class of customers.
#pragma once

#include <span>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::analytic {

/// A service centre. `demand` is the service that one customer's cycle owes to it, in total.
struct Station {
  Time demand{0};
  double servers = 1;  ///< Of each of its queues.
  double queues = 1;   ///< Alike; a customer goes to any of them and waits there, while servers of others may be idle.
};

struct MeanValues {
  Rate throughput;                   ///< Cycles per second.
  Time response{0};                  ///< Time of a cycle outside of the delay.
  std::vector<double> utilisations;  ///< Of each station's servers, 0 to 1.
};

/// Exact for single servers with exponential service in any product-form order (Reiser and Lavenberg 1980). A station
/// with c servers is replaced, after Seidmann (1987), by one server that is c times as fast and a delay of demand *
/// (c - 1) / c: exact for one customer and in saturation, and never above either asymptotic bound.
/// `delay` is time that customers spend without queueing; negative: time in which they are served at two stations at
/// once (at most all but the longest demand). `customers` >= 1.
[[nodiscard]] MeanValues mean_value_analysis(std::span<const Station> stations, Time delay, std::int64_t customers);

}  // namespace doorbell::analytic
