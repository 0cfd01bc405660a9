#include "analytic/transfer_analysis.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analytic/linear_program.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

const SharedResource& find(const TransferScenario& scenario, const std::string& name) {
  for (const auto& [known, resource] : scenario.resources) {
    if (known == name) return resource;
  }
  throw std::invalid_argument("no resource named " + name);
}

/// Time of one request alone.
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

/// Rate of a stream whose requests never wait for those of others.
double window_rate(const TransferScenario& scenario, const TransferStream& stream) {
  return in_flight(stream) / cycle(scenario, stream).count();
}

double crossings(const TransferStream& stream, const std::string& name) {
  double all = 0;
  for (const TransferStage& stage : stream.stages) all += static_cast<double>(std::ranges::count(stage.route, name));
  return all;
}

/// Requests of all streams together have no more than `servers`.
struct Constraint {
  std::string name;
  double servers = 1;
  std::optional<Limit> kind;
  Eigen::VectorXd demands;  ///< Seconds per request, by stream.
};

using Streams = std::vector<const std::pair<std::string, TransferStream>*>;

/// Number i uses resource i: what few streams use, is no relief for them if there are more, and the first so many have
/// to carry all that those send which use no others.
void constrain_resource(const std::string& name, const SharedResource& resource, const Streams& streams,
                        std::vector<Constraint>& constraints) {
  std::map<int, Eigen::VectorXd> by_used;
  for (const auto* stream : streams) {
    if (crossings(stream->second, name) > 0) by_used[std::min(stream->second.count, resource.count)];
  }
  for (auto& [used, demands] : by_used) {
    demands.setZero(std::ssize(streams));
    for (std::size_t s = 0; s < streams.size(); ++s) {
      const TransferStream& stream = streams[s]->second;
      if (std::min(stream.count, resource.count) > used) continue;
      const double bytes = crossings(stream, name) * static_cast<double>(stream.size.count);
      demands(static_cast<Eigen::Index>(s)) = bytes / resource.bandwidth.bytes_per_second;
    }
    constraints.push_back({name, static_cast<double>(used), Limit::link_bandwidth, demands});
  }
}

std::vector<Constraint> constraints_of(const TransferScenario& scenario, const Streams& streams) {
  std::vector<Constraint> constraints;
  for (const auto& [name, resource] : scenario.resources) constrain_resource(name, resource, streams, constraints);
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const auto& [name, stream] = *streams[s];
    Eigen::VectorXd demands = Eigen::VectorXd::Zero(std::ssize(streams));
    demands(static_cast<Eigen::Index>(s)) = cycle(scenario, stream).count();
    const std::string which = streams.size() > 1 ? " of " + name : "";
    constraints.push_back({"requests in flight" + which, in_flight(stream), std::nullopt, demands});
  }
  return constraints;
}

/// Requests per second of each stream where they gain most, and what of that is due to each constraint.
Optimum fastest(const Eigen::VectorXd& gains, const Eigen::VectorXd& window_rates,
                const std::vector<Constraint>& constraints) {
  // In parts of what the windows allow all numbers are of one size.
  Eigen::MatrixXd uses{std::ssize(constraints), gains.size()};
  for (std::size_t c = 0; c < constraints.size(); ++c)
    uses.row(static_cast<Eigen::Index>(c)) = constraints[c].demands.cwiseProduct(window_rates) / constraints[c].servers;
  const Eigen::VectorXd most = gains.cwiseProduct(window_rates);
  Optimum optimum = maximise(most / most.sum(), uses);
  optimum.amounts = optimum.amounts.cwiseProduct(window_rates);
  optimum.worths *= most.sum();
  return optimum;
}

/// Rows of the table, in the mix of streams that is fastest; of those that are full there, the one to which most of the
/// rate is due comes first.
void add_rows(const Optimum& optimum, const std::vector<Constraint>& constraints, Bounds& bounds) {
  constexpr double noise = 1e-9;
  std::vector<std::size_t> order(constraints.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto worth = [&](std::size_t c) { return optimum.worths(static_cast<Eigen::Index>(c)); };
  std::ranges::stable_sort(order, std::ranges::greater{}, worth);
  const double total = optimum.amounts.sum();
  for (const std::size_t c : order) {
    const Constraint& constraint = constraints[c];
    const Seconds demand{constraint.demands.dot(optimum.amounts) / total};
    if (demand <= Seconds{0}) continue;
    bounds.add(constraint.name, demand, constraint.servers, constraint.kind);
    double& limit = bounds.bounds.back().limit.per_second;
    if (limit < total * (1 + noise)) limit = total;
  }
  bounds.settle();
  // Of the parts of a resource that some streams use, the tightest.
  std::set<std::string> seen;
  std::erase_if(bounds.bounds, [&](const Bound& bound) { return !seen.insert(bound.resource).second; });
}

/// What would limit without the bottleneck, when the streams may be mixed in another way.
void look_further(const Eigen::VectorXd& gains, const Eigen::VectorXd& window_rates,
                  std::vector<Constraint> constraints, Bounds& bounds) {
  std::erase_if(constraints, [&](const Constraint& constraint) { return constraint.name == bounds.bottleneck; });
  const Optimum optimum = fastest(gains, window_rates, constraints);
  Eigen::Index first = 0;
  optimum.worths.maxCoeff(&first);
  bounds.next = constraints[static_cast<std::size_t>(first)].name;
  bounds.gap = optimum.amounts.sum() / bounds.throughput.per_second;
}

}  // namespace

Bounds analyze(const TransferScenario& scenario) {
  Streams streams;
  for (const auto& stream : scenario.streams) {
    if (scenario.measure.empty() || stream.first == scenario.measure) streams.push_back(&stream);
  }
  Bounds bounds;
  if (streams.empty()) return bounds;
  const std::vector<Constraint> constraints = constraints_of(scenario, streams);
  Eigen::VectorXd window_rates{std::ssize(streams)};
  Eigen::VectorXd sizes{std::ssize(streams)};
  double all = 0;  // requests in flight
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const TransferStream& stream = streams[s]->second;
    window_rates(static_cast<Eigen::Index>(s)) = window_rate(scenario, stream);
    sizes(static_cast<Eigen::Index>(s)) = static_cast<double>(stream.size.count);
    all += in_flight(stream);
  }
  const Eigen::VectorXd requests = Eigen::VectorXd::Ones(sizes.size());
  add_rows(fastest(requests, window_rates, constraints), constraints, bounds);
  look_further(requests, window_rates, constraints, bounds);
  bounds.bandwidth = {sizes.dot(fastest(sizes, window_rates, constraints).amounts)};
  bounds.sizes_differ = sizes.minCoeff() < sizes.maxCoeff();
  bounds.unloaded_latency = from_seconds(all / window_rates.sum());
  if (streams.size() > 1) {
    bounds.left_out.emplace_back(
        "which shares the streams get of what they share: the rows are for those with most requests per second");
  }
  if (streams.size() < scenario.streams.size())
    bounds.left_out.push_back("what streams beside " + scenario.measure + " take of the resources");
  return bounds;
}

}  // namespace doorbell::analytic
