#include "analytic/transfer_analysis.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace doorbell::analytic {
namespace {

using namespace model;

const SharedResource& find(const TransferScenario& scenario, const std::string& name) {
  for (const auto& [known, resource] : scenario.resources) {
    if (known == name) return resource;
  }
  throw std::invalid_argument("no resource named " + name);
}

/// Time of one request alone, and of all that its stream keeps in flight.
Seconds cycle(const TransferScenario& scenario, const TransferStream& stream) {
  Seconds time{0};
  for (const TransferStage& stage : stream.stages) {
    if (stage.route.empty()) throw std::invalid_argument("a route needs a resource");
    Seconds slowest{0};
    for (const std::string& name : stage.route) {
      const auto crossings = static_cast<double>(std::ranges::count(stage.route, name));
      const double bandwidth = find(scenario, name).bandwidth.bytes_per_second / crossings;
      slowest = std::max(slowest, Seconds{static_cast<double>(stream.size.count) / bandwidth});
    }
    time += stage.latency + slowest;
  }
  return time;
}

double in_flight(const TransferStream& stream) { return static_cast<double>(stream.count) * stream.outstanding; }

}  // namespace

Bounds analyze(const TransferScenario& scenario) {
  const auto counts = [&](const std::string& name) { return scenario.measure.empty() || name == scenario.measure; };
  double all = 0;      // requests in flight
  double started = 0;  // per second, if nothing were shared
  double moved = 0;    // bytes, likewise
  for (const auto& [name, stream] : scenario.streams) {
    if (!counts(name)) continue;
    all += in_flight(stream);
    const double rate = in_flight(stream) / cycle(scenario, stream).count();
    started += rate;
    moved += rate * static_cast<double>(stream.size.count);
  }
  Bounds bounds;
  if (started <= 0) return bounds;
  for (const auto& [name, stream] : scenario.streams) {
    if (counts(name)) bounds.assumed_shares.push_back(name);
  }
  if (bounds.assumed_shares.size() == 1) bounds.assumed_shares.clear();
  for (const auto& [name, resource] : scenario.resources) {
    double bytes = 0;
    int users = 0;
    for (const auto& [stream_name, stream] : scenario.streams) {
      if (!counts(stream_name)) continue;
      double crossings = 0;
      for (const TransferStage& stage : stream.stages) {
        crossings += static_cast<double>(std::count(stage.route.begin(), stage.route.end(), name));
      }
      const double share = in_flight(stream) / cycle(scenario, stream).count() / started;
      bytes += crossings * static_cast<double>(stream.size.count) * share;
      if (crossings > 0) users = std::max(users, stream.count);
    }
    bounds.add(name, Seconds{bytes / resource.bandwidth.bytes_per_second}, std::min(users, resource.count),
               Limit::link_bandwidth);
  }
  const auto is_beside = [&](const auto& stream) { return !counts(stream.first); };
  if (std::ranges::any_of(scenario.streams, is_beside))
    bounds.left_out.push_back("what streams beside " + scenario.measure + " take of the resources");
  bounds.unloaded_latency = from_seconds(all / started);
  bounds.add("requests in flight", Seconds{all / started}, all, std::nullopt);
  bounds.settle();
  bounds.bandwidth = {bounds.throughput.per_second * moved / started};
  return bounds;
}

}  // namespace doorbell::analytic
