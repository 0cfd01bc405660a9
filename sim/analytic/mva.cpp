#include "analytic/mva.hpp"

#include <Eigen/Core>
#include <cmath>

namespace doorbell::analytic {
namespace {

constexpr double saturated = 1e-13;  // relative change of the throughput

}  // namespace

MeanValues mean_value_analysis(std::span<const Station> stations, Time delay, std::int64_t customers) {
  const auto count = static_cast<Eigen::Index>(stations.size());
  Eigen::ArrayXd demand(count);  // of one of its queues
  Eigen::ArrayXd queues(count);
  double think = to_seconds(delay);
  double delayed_service = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Station& station = stations[static_cast<std::size_t>(k)];
    const double total = to_seconds(station.demand);
    queues(k) = station.queues;
    demand(k) = total / station.queues / station.servers;
    delayed_service += total - total / station.servers;
  }
  think += delayed_service;

  Eigen::ArrayXd queue = Eigen::ArrayXd::Zero(count);
  double throughput = 0;
  double response = 0;
  Eigen::ArrayXd residence(count);
  for (std::int64_t n = 1; n <= customers; ++n) {
    residence = demand * (1 + queue);
    response = (residence * queues).sum();
    const double before = throughput;
    throughput = static_cast<double>(n) / (think + response);
    queue = residence * throughput;
    // Saturated: each further customer only waits.
    if (std::abs(throughput - before) <= saturated * throughput) {
      response = static_cast<double>(customers) / throughput - think;
      break;
    }
  }

  MeanValues values{
      .throughput = {throughput}, .response = from_seconds(response + delayed_service), .utilisations = {}};
  for (Eigen::Index k = 0; k < count; ++k) values.utilisations.push_back(demand(k) * throughput);
  return values;
}

}  // namespace doorbell::analytic
