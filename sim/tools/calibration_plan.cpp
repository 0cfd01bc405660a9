#include "tools/calibration_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "analytic/scenario_bounds.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

struct Unknown {
  std::string_view resource;  ///< End of the name of the resource that it belongs to.
  std::string_view stage;
  std::string_view path;
  std::string_view start;
  std::string_view min;
  std::string_view max;
};

/// In the order of stages: later ones build on what earlier ones found. A storage server serves a request step by step,
/// so that its parameters are found together; and a post passes a core and a processing unit, of which either hides the
/// other.
constexpr std::array<Unknown, 13> unknowns{{
    {"ports transmit", "network", "/port/bandwidth", "1 GB/s", "100 MB/s", "200 GB/s"},
    {"ports receive", "network", "/port/bandwidth", "1 GB/s", "100 MB/s", "200 GB/s"},
    {"client/NIC transmit pipeline", "transmit pipeline", "/nic/tx_message", "100 ns", "0.2 ns", "1 us"},
    {"server/NIC transmit pipeline", "responses", "/nic/tx_response", "100 ns", "0.2 ns", "1 us"},
    {"NIC receive pipeline", "receive pipeline", "/nic/rx_message", "100 ns", "0.2 ns", "1 us"},
    {"NIC processing units", "posting", "/nic/pu_wqe", "300 ns", "1 ns", "3 us"},
    {"cores of client", "posting", "/cpu/wqe_cost", "200 ns", "1 ns", "2 us"},
    {"single operations", "latency", "/nic/latency", "500 ns", "1 ns", "5 us"},
    {"server/host bridge", "storage server", "/bus/bridge", "1 GB/s", "50 MB/s", "100 GB/s"},
    {"server/RAID controller", "storage server", "/raid/controller", "1 GB/s", "50 MB/s", "100 GB/s"},
    {"server/media of the disks", "storage server", "/raid/media", "100 MB/s", "5 MB/s", "20 GB/s"},
    {"server/medium, one request at a time", "storage server", "/raid/command", "1 ms", "1 us", "10 ms"},
    {"client/requests in flight", "storage server", "/raid/command", "1 ms", "1 us", "10 ms"},
}};

const Unknown* find(std::string_view resource) {
  for (const Unknown& unknown : unknowns) {
    if (resource.ends_with(unknown.resource)) return &unknown;
  }
  return nullptr;
}

/// Whether more queue pairs did the same clearly faster.
bool is_faster_with_more(const TestPoint& point, const std::vector<TestPoint>& points) {
  constexpr double least = 0.01;  // of a value: a spread that was not seen is not none
  const auto uncertainty = [](const TestPoint& of) {
    return std::max(uncertainty_of(*of.measured, *of.series), least * mean_of(*of.measured));
  };
  return std::any_of(points.begin(), points.end(), [&](const TestPoint& other) {
    return other.series->workload == point.series->workload && other.series->quantity == point.series->quantity &&
           other.measured->x == point.measured->x && other.series->queue_pairs > point.series->queue_pairs &&
           mean_of(*other.measured) - mean_of(*point.measured) > uncertainty(other) + uncertainty(point);
  });
}

/// Of what each queue pair has for itself, whether a processing unit is the tightest.
bool is_limited_by_unit(const analytic::Bounds& bounds) {
  for (const analytic::Bound& bound : bounds.bounds) {  // tightest first
    if (bound.resource.ends_with("NIC processing units")) return true;
    if (!bound.kind) return false;  // what is in flight
  }
  return false;
}

const Unknown* unknown_of(const TestPoint& point, const std::vector<TestPoint>& points) {
  // A median of storage with requests in flight follows from the bandwidth.
  if (point.series->quantity == Quantity::latency)
    return point.scenario.is_fluid() ? nullptr : find("single operations");
  const analytic::Bounds bounds = analytic::scenario_bounds(point.scenario);
  if (is_limited_by_unit(bounds) && is_faster_with_more(point, points)) return find("NIC processing units");
  // One request after the other takes the time of a resource and a fixed one: that which is the larger part is told.
  constexpr double larger_part = 0.8;
  for (const analytic::Bound& bound : bounds.bounds) {
    if (bounds.throughput.per_second < larger_part * bound.limit.per_second) break;
    if (bound.kind) return find(bound.resource);
  }
  return find(bounds.bottleneck);
}

/// Some of `sizes`, which are in order: those that say the same again cost time, the largest most of all.
std::vector<std::int64_t> representative(std::vector<std::int64_t> sizes) {
  constexpr std::int64_t large = 64 << 10;
  constexpr std::size_t most = 4;
  const auto larger = std::upper_bound(sizes.begin(), sizes.end(), large);
  if (larger != sizes.begin()) sizes.erase(larger, sizes.end());
  if (sizes.size() <= most) return sizes;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(sizes[i * (sizes.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace

ordered_json calibration_plan(const std::vector<TestPoint>& points, const std::string& profile,
                              const std::string& figure) {
  std::map<std::string_view, std::map<std::string, std::vector<std::int64_t>>> told;  // x by series, by path
  for (const TestPoint& point : points) {
    const Unknown* unknown = unknown_of(point, points);
    if (unknown != nullptr) told[unknown->path][point.series->name].push_back(point.measured->x);
  }
  ordered_json stages = ordered_json::array();
  for (const Unknown& unknown : unknowns) {
    const auto found = told.find(unknown.path);
    if (found == told.end()) continue;
    const bool joins = !stages.empty() && stages.back()["name"] == unknown.stage;
    if (!joins) {
      stages.push_back({{"name", unknown.stage},
                        {"method", "simulation"},
                        {"unknowns", ordered_json::array()},
                        {"observations", ordered_json::array()}});
    }
    stages.back()["unknowns"].push_back(
        {{"path", unknown.path}, {"start", unknown.start}, {"min", unknown.min}, {"max", unknown.max}});
    for (const auto& [series, positions] : found->second) {
      stages.back()["observations"].push_back(
          {{"figure", figure}, {"series", series}, {"x", representative(positions)}});
    }
    told.erase(found);
  }
  return {{"profile", profile}, {"stages", stages}};
}

}  // namespace doorbell::tools
