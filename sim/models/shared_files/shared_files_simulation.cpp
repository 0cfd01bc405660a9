#include "models/shared_files/shared_files_simulation.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "models/common/bottleneck.hpp"
#include "models/common/measured_rate.hpp"
#include "models/shared_files/shared_files_routes.hpp"
#include "models/shared_files/stream_load.hpp"
#include "models/shared_files/tile_load.hpp"
#include "models/shared_files/trace_load.hpp"
#include "models/shared_files/web_load.hpp"

namespace doorbell::model {
SharedFilesSimulation::SharedFilesSimulation(const SharedFilesScenario& scenario, std::uint64_t seed)
    : scenario_{scenario},
      network_{calendar_, core::Priority{1}},
      locks_{calendar_, scenario.mount.lock,
             [this](int node, std::int64_t file) { return clients_[static_cast<std::size_t>(node)].revoke(file); }} {
  build_nodes(seed);
  build_load(seed);
  preload();
  load_->start();
}

void SharedFilesSimulation::build_nodes(std::uint64_t seed) {
  SharedFilesNetwork resources{network_, scenario_};
  server_ = std::make_unique<BlockServer>(calendar_, network_, resources, scenario_, seed);
  const SharedFilesRoutes& routes = resources.routes();
  for (int i = 0; i < scenario_.mount.nodes; ++i) {
    const auto which = static_cast<std::size_t>(i);
    const FileClient::Routes copies{resources.add_route(routes.copy_in_node, which),
                                    resources.add_route(routes.copy_to_cache, which)};
    clients_.emplace_back(calendar_, network_, scenario_, i, copies, *server_);
  }
}

void SharedFilesSimulation::build_load(std::uint64_t seed) {
  const SharedFileSystem system{calendar_, scenario_, clients_, locks_};
  if (scenario_.stream) load_ = std::make_unique<StreamLoadGenerator>(system);
  if (scenario_.web) load_ = std::make_unique<WebLoadGenerator>(system, seed);
  if (scenario_.tiles) load_ = std::make_unique<TileLoadGenerator>(system);
  if (scenario_.trace) load_ = std::make_unique<TraceLoadGenerator>(system);
  if (!load_) throw std::invalid_argument("shared files need a load: stream, web, tiles or trace");
  ends_ = scenario_.tiles || scenario_.trace;
}

/// The state of the caches after all files have been read once.
void SharedFilesSimulation::preload() {
  const bool again = (scenario_.stream && scenario_.stream->again) || (scenario_.web && scenario_.web->again);
  if (!again) return;
  const Bytes page{page_size};
  const std::int64_t end = scenario_.files.count * ceil_div(scenario_.files.size, page);
  const auto last = [&](Bytes capacity) {
    const std::int64_t pages = std::min(end, capacity.count / page.count);
    return PageCache::Run{end - pages, pages};
  };
  server_->preload(last(scenario_.disks.page_cache));
  for (FileClient& client : clients_) {
    if (!scenario_.mount.direct) client.preload(last(scenario_.mount.page_cache));
  }
  for (std::int64_t file = 0; file < scenario_.files.count; ++file) {
    for (int node = 0; node < scenario_.mount.nodes; ++node) locks_.grant(node, file);
  }
}

void SharedFilesSimulation::measure() {
  network_.measure();
  server_->measure();
  locks_.reset_statistics();
  for (FileClient& client : clients_) client.reset_statistics();
  load_->measure(calendar_.now());
}

void SharedFilesSimulation::trace(core::TraceWriter& writer) {
  network_.trace(writer);
  server_->trace(writer);
}

void SharedFilesSimulation::run_for_a_time(RunResult& result, const Tracing* request) {
  calendar_.run_until(scenario_.warmup);
  measure();
  if (request != nullptr) trace(request->begin(calendar_.now(), scenario_.duration));
  measure_rate(calendar_, scenario_.duration, few_slices, result, [this] { return load_->operations(); });
}

void SharedFilesSimulation::run_to_the_end(RunResult& result, const Tracing* request) {
  measure();
  // A load that ends is drawn whole unless the request says less.
  if (request != nullptr) trace(request->begin(calendar_.now(), Time::max()));
  const std::uint64_t events = calendar_.executed();
  while (!load_->ended()) {
    if (!calendar_.step()) throw std::logic_error("the load waits for something that never happens");
  }
  result.simulated = calendar_.now();
  result.throughput = {static_cast<double>(load_->operations()) / to_seconds(result.simulated)};
  result.events = calendar_.executed() - events;
}

RunResult SharedFilesSimulation::run(const Tracing* request) {
  RunResult result;
  if (ends_) {
    run_to_the_end(result, request);
  } else {
    run_for_a_time(result, request);
  }
  result.bandwidth = {static_cast<double>(load_->bytes().count) / to_seconds(result.simulated)};
  result.latency = summary_of(load_->latency());
  result.kinds = kinds_of(*load_, result.simulated);
  result.operations = load_->operations();
  report(result);
  return result;
}

void SharedFilesSimulation::report(RunResult& result) {
  std::map<std::string, Utilisation> busiest;
  const std::vector<FluidNetwork::Load> loads = network_.loads();
  for (const FluidNetwork::Load& load : loads) {
    Utilisation& known = busiest.try_emplace(load.name, Utilisation{load.name, 0, load.limit}).first->second;
    known.busy = std::max(known.busy, load.busy);
  }
  for (const auto& [name, utilisation] : busiest) result.utilisations.push_back(utilisation);
  double clients = 0;
  double registering = 0;
  for (const FileClient& client : clients_) {
    clients = std::max(clients, client.cpu_utilisation());
    registering = std::max(registering, client.registering());
  }
  result.utilisations.push_back({"nodes/CPU", clients, Limit::cpu});
  if (scenario_.mount.movement == Movement::mapping)
    result.utilisations.push_back({"nodes/NIC, one registration at a time", registering, Limit::nic});
  result.utilisations.push_back({"server/disks", server_->disk_utilisation(), Limit::disk_heads});
  result.utilisations.push_back({"server/CPU", server_->cpu_utilisation(), Limit::cpu});
  sort_busiest_first(result.utilisations);
  result.bottleneck = find_bottleneck(result.utilisations, holders(result, loads));
  const double seconds = to_seconds(result.simulated);
  const auto counter = [&](const char* name, std::uint64_t count) {
    result.counters.push_back({name, count, Rate{static_cast<double>(count) / seconds}});
  };
  counter("server/disk seeks", server_->seeks());
  counter("nodes/lock requests", locks_.requests());
  counter("nodes/lock revocations", locks_.revocations());
  if (scenario_.web) result.levels.push_back({"files per second", result.throughput.per_second});
  if (ends_) result.levels.push_back({"completion, s", seconds});
  if (const auto* trace = dynamic_cast<const TraceLoadGenerator*>(load_.get())) result.requests = trace->served();
  if (result.operations == 0) result.warnings.emplace_back("no operation was completed while measuring");
}

}  // namespace doorbell::model
