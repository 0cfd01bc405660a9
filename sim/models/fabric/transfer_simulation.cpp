#include "models/fabric/transfer_simulation.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "models/common/bottleneck.hpp"
#include "models/common/measured_rate.hpp"

namespace doorbell::model {
TransferSimulation::TransferSimulation(const TransferScenario& scenario, std::uint64_t seed)
    : scenario_{scenario}, network_{calendar_, core::Priority{1}}, random_{seed, "transfers"} {
  for (const auto& [name, resource] : scenario_.resources) {
    for (int i = 0; i < resource.count; ++i) {
      // Instances share a name: reports are about kinds.
      const FluidNetwork::Resource added = network_.add_resource(name, resource.bandwidth);
      if (i == 0) first_.push_back(added);
    }
  }
  for (std::size_t kind = 0; kind < scenario_.streams.size(); ++kind) add_streams(kind);
  bytes_.resize(scenario_.streams.size());
}

FluidNetwork::Resource TransferSimulation::instance(const std::string& name, int stream) const {
  for (std::size_t i = 0; i < scenario_.resources.size(); ++i) {
    const auto& [known, resource] = scenario_.resources[i];
    if (known == name) return first_[i] + static_cast<std::size_t>(stream % resource.count);
  }
  throw std::invalid_argument("no resource named " + name);
}

void TransferSimulation::add_streams(std::size_t kind) {
  const TransferStream& stream = scenario_.streams[kind].second;
  if (stream.stages.empty()) throw std::invalid_argument("a stream needs a stage");
  for (int i = 0; i < stream.count; ++i) {
    Loop loop{kind, {}, stream.size, stream.outstanding};
    for (const TransferStage& stage : stream.stages) {
      if (stage.route.empty()) throw std::invalid_argument("a route needs a resource");
      std::vector<FluidNetwork::Resource> resources;
      for (const std::string& name : stage.route) resources.push_back(instance(name, i));
      loop.steps.push_back({network_.add_route(resources), stage.latency});
    }
    loops_.push_back(std::move(loop));
  }
}

bool TransferSimulation::is_measured(std::size_t kind) const {
  return scenario_.measure.empty() || scenario_.streams[kind].first == scenario_.measure;
}

core::Process TransferSimulation::request_loop(std::size_t kind, std::vector<Step> steps, Bytes size) {
  const bool counts = is_measured(kind);
  for (;;) {
    const Time began = calendar_.now();
    for (const Step& step : steps) {
      if (step.latency > Time{0}) {
        // Equal times would make all requests march in step.
        co_await core::delay(calendar_, random_.uniform(step.latency / 2, step.latency * 3 / 2));
      }
      co_await network_.transfer(step.route, size);
    }
    bytes_[kind] += size.count;
    if (!counts) continue;
    latency_.add(calendar_.now() - began);
    ++requests_;
  }
}

RunResult TransferSimulation::run(const Tracing* trace) {
  for (const Loop& loop : loops_) {
    for (int i = 0; i < loop.outstanding; ++i) core::start(calendar_, request_loop(loop.kind, loop.steps, loop.size));
  }
  calendar_.run_until(scenario_.warmup);
  network_.measure();
  if (trace != nullptr) network_.trace(trace->begin(calendar_.now(), scenario_.duration));
  latency_ = {};
  requests_ = 0;
  std::fill(bytes_.begin(), bytes_.end(), 0);
  RunResult result;
  measure_rate(calendar_, scenario_.duration, few_slices, result, [this] { return requests_; });
  for (std::size_t kind = 0; kind < bytes_.size(); ++kind) {
    const std::string& name = scenario_.streams[kind].first;
    const double bandwidth = static_cast<double>(bytes_[kind]) / to_seconds(result.simulated);
    result.levels.push_back({name + ", GB/s", bandwidth / 1e9});
    if (is_measured(kind)) result.bandwidth.bytes_per_second += bandwidth;
  }
  result.latency = summary_of(latency_);
  result.operations = requests_;
  report(result);
  for (std::size_t kind = 0; kind < bytes_.size(); ++kind) {
    if (bytes_[kind] == 0 && requests_ > 0)
      result.warnings.push_back("no request of " + scenario_.streams[kind].first + " was completed while measuring");
  }
  if (requests_ == 0) result.warnings.emplace_back("no request was completed while measuring");
  return result;
}

void TransferSimulation::report(RunResult& result) {
  std::map<std::string, double> busiest;
  for (const FluidNetwork::Load& load : network_.loads()) busiest[load.name] = std::max(busiest[load.name], load.busy);
  for (const auto& [name, resource] : scenario_.resources) {
    result.utilisations.push_back({name, busiest[name], Limit::link_bandwidth});
  }
  sort_busiest_first(result.utilisations);
  result.bottleneck = bottleneck_of(result.utilisations);
}

Bottleneck TransferSimulation::bottleneck_of(std::vector<Utilisation> utilisations) const {
  std::map<std::string, double> own;  // bytes of the measured streams
  for (std::size_t kind = 0; kind < bytes_.size(); ++kind) {
    if (!is_measured(kind)) continue;
    for (const TransferStage& stage : scenario_.streams[kind].second.stages) {
      for (const std::string& name : stage.route) own[name] += static_cast<double>(bytes_[kind]);
    }
  }
  std::erase_if(utilisations, [&](const Utilisation& item) { return !own.contains(item.resource); });
  for (const auto& [name, resource] : scenario_.resources) {
    if (own.contains(name)) own[name] /= resource.bandwidth.bytes_per_second * resource.count;
  }
  // Of several that are full, the one limits of which the measured streams have most: on the others they would get a
  // larger share if they could use it.
  constexpr double full = 0.97;
  const auto not_full = std::ranges::find_if(utilisations, [](const Utilisation& item) { return item.busy < full; });
  std::ranges::stable_sort(utilisations.begin(), not_full, std::ranges::greater{},
                           [&](const Utilisation& item) { return own.at(item.resource); });
  // Each request is followed by the next.
  return find_bottleneck(utilisations, {{"requests in flight", 1, Limit::in_flight}});
}

}  // namespace doorbell::model
