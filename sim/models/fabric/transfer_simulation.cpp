#include "models/fabric/transfer_simulation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "models/common/bottleneck.hpp"
#include "models/common/measured_rate.hpp"
#include "models/fabric/transfer_bottleneck.hpp"

namespace doorbell::model {
TransferSimulation::TransferSimulation(const TransferScenario& scenario, std::uint64_t seed)
    : scenario_{scenario},
      network_{calendar_, core::Priority{1}},
      random_{seed, "transfers"},
      starts_{seed, "starts of transfers"} {
  for (const auto& [name, resource] : scenario_.resources) {
    for (int i = 0; i < resource.count; ++i) {
      // Instances share a name: reports are about kinds.
      const FluidNetwork::Resource added = network_.add_resource(name, resource.bandwidth);
      if (i == 0) first_.push_back(added);
    }
  }
  for (std::size_t kind = 0; kind < scenario_.streams.size(); ++kind) add_streams(kind);
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
    Loop loop{.kind = kind,
              .steps = {},
              .size = stream.size,
              .outstanding = stream.outstanding,
              .crossed = {},
              .waited = {},
              .saved = {}};
    for (const TransferStage& stage : stream.stages) {
      if (stage.route.empty()) throw std::invalid_argument("a route needs a resource");
      std::vector<FluidNetwork::Resource> resources;
      Time flows{0};
      for (const std::string& name : stage.route) {
        resources.push_back(instance(name, i));
        flows = std::max(flows, transfer_time(loop.size, find(scenario_.resources, name)->bandwidth));
      }
      loop.alone += stage.latency + flows;
      loop.steps.push_back({network_.add_route(resources), stage.latency});
      loop.crossed.insert(loop.crossed.end(), resources.begin(), resources.end());
    }
    loop.waited.resize(loop.crossed.size());
    loop.saved.resize(loop.crossed.size());
    loops_.push_back(std::move(loop));
  }
}

bool TransferSimulation::is_measured(std::size_t kind) const {
  return scenario_.measure.empty() || scenario_.streams[kind].first == scenario_.measure;
}

core::Process TransferSimulation::request_loop(Loop& loop) {
  const bool counts = is_measured(loop.kind);
  for (;;) {
    const Time began = calendar_.now();
    for (const Step& step : loop.steps) {
      if (step.latency > Time{0}) {
        // Equal times would make all requests march in step.
        co_await core::delay(calendar_, random_.uniform(step.latency / 2, step.latency * 3 / 2));
      }
      const Time flows = calendar_.now();
      const FluidNetwork::Narrowest narrowest = co_await network_.transfer(step.route, loop.size);
      if (counts) add_waited(loop, narrowest, calendar_.now() - flows);
    }
    ++loop.requests;
    if (!counts) continue;
    latency_.add(calendar_.now() - began);
    ++requests_;
  }
}

/// Half of the time goes to what was narrowest when the transfer began, half to what was when it ended.
void TransferSimulation::add_waited(Loop& loop, FluidNetwork::Narrowest narrowest, Time time) {
  for (const FluidNetwork::Bound& bound : {narrowest.first, narrowest.last}) {
    const auto place = static_cast<std::size_t>(std::ranges::find(loop.crossed, bound.resource) - loop.crossed.begin());
    loop.waited[place] += to_seconds(time) / 2;
    loop.saved[place] += bound.gain * to_seconds(time) / 2;
  }
}

std::vector<double> TransferSimulation::moved(const std::vector<double>& passed) const {
  std::vector<double> requests(scenario_.streams.size());
  for (const Loop& loop : loops_)
    requests[loop.kind] += passed[loop.steps.back().route] / static_cast<double>(loop.size.count);
  return requests;
}

void TransferSimulation::start_requests() {
  std::vector<bool> begun(scenario_.streams.size());
  for (Loop& loop : loops_) {
    // Requests that begin together would share each stage, and leave it together, for ever.
    const int together = loop.outstanding * scenario_.streams[loop.kind].second.count;
    const Time last = std::min(loop.alone, scenario_.warmup / 2 / together) * together;
    for (int i = 0; i < loop.outstanding; ++i) {
      core::start(calendar_, request_loop(loop), begun[loop.kind] ? starts_.uniform(Time{0}, last) : Time{0});
      begun[loop.kind] = true;
    }
  }
}

RunResult TransferSimulation::run(const Tracing* trace) {
  start_requests();
  calendar_.run_until(scenario_.warmup);
  network_.measure();
  if (trace != nullptr) network_.trace(trace->begin(calendar_.now(), scenario_.duration));
  latency_ = {};
  requests_ = 0;
  for (Loop& loop : loops_) {
    loop.requests = 0;
    std::ranges::fill(loop.waited, 0.0);
    std::ranges::fill(loop.saved, 0.0);
  }
  RunResult result;
  // Whole requests would be counted with what of their data passed before, and many that share something end together:
  // more could seem to pass than can.
  const std::vector<double> passed_before = network_.passed();
  const std::vector<double> before = moved(passed_before);
  std::vector<double> passed;
  std::vector<double> after;
  measure_rate(calendar_, scenario_.duration, few_slices, result, [&] {
    passed = network_.passed();
    after = moved(passed);
    double measured = 0;
    for (std::size_t kind = 0; kind < after.size(); ++kind) measured += is_measured(kind) ? after[kind] : 0;
    return measured;
  });
  for (std::size_t route = 0; route < passed.size(); ++route) passed[route] -= passed_before[route];
  std::vector<std::uint64_t> done(scenario_.streams.size());
  for (const Loop& loop : loops_) done[loop.kind] += loop.requests;
  for (std::size_t kind = 0; kind < done.size(); ++kind) {
    const auto& [name, stream] = scenario_.streams[kind];
    const double bytes = (after[kind] - before[kind]) * static_cast<double>(stream.size.count);
    const double bandwidth = bytes / to_seconds(result.simulated);
    result.levels.push_back({name + ", GB/s", bandwidth / 1e9});
    if (is_measured(kind)) result.bandwidth.bytes_per_second += bandwidth;
  }
  result.latency = summary_of(latency_);
  result.operations = requests_;
  report(passed, result);
  for (std::size_t kind = 0; kind < done.size(); ++kind) {
    if (done[kind] == 0 && requests_ > 0)
      result.warnings.push_back("no request of " + scenario_.streams[kind].first + " was completed while measuring");
  }
  if (requests_ == 0) result.warnings.emplace_back("no request was completed while measuring");
  return result;
}

void TransferSimulation::report(const std::vector<double>& passed, RunResult& result) {
  const std::vector<FluidNetwork::Load> loads = network_.loads();
  std::map<std::string, double> busiest;
  for (const FluidNetwork::Load& load : loads) busiest[load.name] = std::max(busiest[load.name], load.busy);
  for (const auto& [name, resource] : scenario_.resources) {
    result.utilisations.push_back({name, busiest[name], Limit::link_bandwidth});
  }
  sort_busiest_first(result.utilisations);

  const bool several = scenario_.measure.empty() && scenario_.streams.size() > 1;
  std::vector<StreamWork> measured;
  std::set<FluidNetwork::Resource> used;
  for (const Loop& loop : loops_) {
    used.insert(loop.crossed.begin(), loop.crossed.end());
    if (!is_measured(loop.kind)) continue;
    const std::string of = several ? " of " + scenario_.streams[loop.kind].first : "";
    const auto size = static_cast<double>(loop.size.count);
    StreamWork& work = measured.emplace_back(StreamWork{.window = "requests in flight" + of,
                                                        .crossed = loop.crossed,
                                                        .waited = loop.waited,
                                                        .saved = loop.saved,
                                                        .held = loop.outstanding * to_seconds(result.simulated),
                                                        .requests = {},
                                                        .size = size});
    const std::vector<TransferStage>& stages = scenario_.streams[loop.kind].second.stages;
    for (std::size_t i = 0; i < stages.size(); ++i)
      work.requests.insert(work.requests.end(), stages[i].route.size(), passed[loop.steps[i].route] / size);
  }
  result.bottleneck = transfer_bottleneck(loads, measured);
  tell_idle(loads, used, result.bottleneck);
}

}  // namespace doorbell::model
