#include "analytic/shared_files_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "analytic/array_spread.hpp"
#include "analytic/file_traffic.hpp"
#include "models/memory/page.hpp"
#include "models/shared_files/shared_files_routes.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;
using Route = SharedFilesRoutes::Route;

Seconds at_rate(double bytes, Bandwidth bandwidth) { return Seconds{bytes / bandwidth.bytes_per_second}; }

class FileBounds {
 public:
  FileBounds(const SharedFilesScenario& scenario, FileTraffic traffic)
      : scenario_{scenario},
        traffic_{traffic},
        routes_{shared_files_routes(scenario)},
        crossed_(routes_.resources.size()) {}

  Bounds take() {
    if (traffic_.bytes <= 0) return {};
    cross_routes();
    bound_resources();
    bound_processors();
    bound_disks();
    bound_in_flight();
    bounds_.settle();
    if (has_locks()) bounds_.left_out.emplace_back("locks that machines wait for, and what is written back for them");
    const Time revolution = scenario_.server.raid.mechanics.revolution;
    if (traffic_.disk_written > 0 && revolution > Time{0} && too_much_for_caches(traffic_.request) > 0) {
      bounds_.left_out.emplace_back("revolutions missed by writes that reach a disk one by one");
    }
    if (traffic_.into_caches) {
      bounds_.left_out.emplace_back(
          "what the write caches of the disks hold when measuring begins: the bound lets them take so much more");
    }
    bounds_.bandwidth = {bounds_.throughput.per_second * traffic_.bytes};
    return std::move(bounds_);
  }

 private:
  using Owner = SharedFilesRoutes::Owner;

  [[nodiscard]] bool is_cached() const { return scenario_.disks.page_cache.count > 0; }
  [[nodiscard]] bool writes() const { return scenario_.stream && scenario_.stream->operation == BlockOperation::write; }
  /// Locks whose messages take time, or that machines take from each other.
  [[nodiscard]] bool has_locks() const {
    return scenario_.mount.lock > Time{0} || (scenario_.mount.nodes > 1 && (writes() || scenario_.tiles));
  }
  [[nodiscard]] bool stays_in_core() const { return !writes() && traffic_.call < scenario_.node.cache_of_core; }

  void cross(const Route& route, double bytes) {
    for (const std::size_t resource : route) crossed_[resource] += bytes;
  }

  void cross_routes() {
    const DiskExport& disks = scenario_.disks;
    cross(routes_.from_disk(disks.path), traffic_.disk_read);
    cross(routes_.memory_to_disk, traffic_.disk_written);
    cross(routes_.to_node(disks.path), traffic_.read);
    cross(routes_.memory_and_node, traffic_.written);
    if (is_cached()) cross(routes_.copy_in_server, 2 * (traffic_.read + traffic_.written));
    if (scenario_.mount.movement == Movement::staging)
      cross(routes_.copy_in_node, 2 * (traffic_.read + traffic_.written));
    if (stays_in_core()) {
      cross(routes_.copy_to_cache, traffic_.copied);
    } else {
      cross(routes_.copy_in_node, 2 * traffic_.copied);
    }
  }

  [[nodiscard]] int owners(Owner owner) const {
    return owner == Owner::disk ? scenario_.server.raid.disks : owner == Owner::node ? scenario_.mount.nodes : 1;
  }

  void bound_resources() {
    for (std::size_t i = 0; i < crossed_.size(); ++i) {
      const SharedFilesRoutes::Resource& resource = routes_.resources[i];
      bounds_.add(resource.name, at_rate(crossed_[i], resource.bandwidth),
                  owners(resource.owner) * std::max(1, resource.flows), resource.limit);
    }
  }

  /// CPU time of the calls alone.
  [[nodiscard]] Seconds call_time() const {
    if (scenario_.trace) return Seconds{0};
    const double pages = traffic_.copied / page_size;
    return Seconds{scenario_.node.call} * traffic_.calls + Seconds{scenario_.node.page} * pages;
  }

  /// Of the calls, by cores that have their buses to themselves.
  [[nodiscard]] Seconds copying() const {
    return stays_in_core() ? at_rate(traffic_.copied, routes_.rate(routes_.copy_to_cache))
                           : at_rate(2 * traffic_.copied, routes_.rate(routes_.copy_in_node));
  }

  void bound_processors() {
    const ClientNode& node = scenario_.node;
    const StorageServer& server = scenario_.server;
    const double requests = traffic_.read_requests + traffic_.write_requests;
    const double moved = traffic_.read + traffic_.written;
    Seconds cpu = call_time() + copying() + Seconds{node.request} * requests;
    if (scenario_.mount.movement == Movement::staging) cpu += at_rate(2 * moved, routes_.rate(routes_.copy_in_node));
    if (scenario_.mount.movement == Movement::mapping) {
      const Seconds registering = Seconds{node.register_region} * requests;
      cpu += registering + Seconds{node.map_page} * (moved / page_size);
      bounds_.add("nodes/NIC, one registration at a time", registering, scenario_.mount.nodes, Limit::nic);
    }
    bounds_.add("nodes/CPU", cpu, static_cast<double>(node.cores) * scenario_.mount.nodes, Limit::cpu);
    Seconds server_cpu = Seconds{server.cpu.request} * requests;
    if (is_cached()) server_cpu += at_rate(2 * moved, routes_.rate(routes_.copy_in_server));
    bounds_.add("server/CPU", server_cpu, 1, Limit::cpu);
    bounds_.add("server/NIC, one message at a time", Seconds{server.nic.message} * requests, 1, Limit::nic);
  }

  /// Of all disks together.
  [[nodiscard]] Seconds disks_busy() const {
    const DiskArrayParameters& raid = scenario_.server.raid;
    const Seconds seek{raid.mechanics.track_seek + raid.mechanics.mean_rotation()};
    const Seconds media = at_rate(traffic_.media_read + traffic_.media_written, raid.media);
    return media + seek * traffic_.seeks;
  }

  void bound_disks() { bounds_.add("server/disks", disks_busy(), scenario_.server.raid.disks, Limit::disk_heads); }

  /// For how long the heads keep a call waiting that reads a whole file somewhere: those of all the disks that it
  /// touches work side by side. What is read in order can have been read ahead.
  [[nodiscard]] Seconds by_heads(std::int64_t requests) const {
    if (is_cached() || !scenario_.web || traffic_.calls > 1) return Seconds{0};
    const double disks = std::ceil(spread(traffic_.request).disks()) * static_cast<double>(requests);
    // While a disk waits it reads ahead of what it has read: so much of what comes next is in its buffer.
    const double files = static_cast<double>(scenario_.files.count) * static_cast<double>(scenario_.files.size.count);
    const double not_held = std::max(0.0, 1 - traffic_.disk_buffers / files);
    return disks_busy() * not_held / std::min<double>(scenario_.server.raid.disks, disks);
  }

  [[nodiscard]] ArraySpread spread(Bytes size) const { return {scenario_, traffic_, size}; }

  /// On average over writes of that size: of those that do not fit into the write caches of their disks, the bytes on
  /// that disk which gets most.
  [[nodiscard]] double too_much_for_caches(Bytes size) const {
    return spread(size).largest(scenario_.server.raid.mechanics.write_cache);
  }

  /// How long the array moves the data of a request.
  [[nodiscard]] Seconds on_disks(const Route& route, Bytes size) const { return spread(size).moving(routes_, route); }

  /// Seconds that a block request takes when it is alone.
  struct Alone {
    Seconds worker{0};  ///< Of the server.
    Seconds buffer{0};  ///< In the NIC's memory.
    Seconds all{0};     ///< Seen by the machine's driver.
  };

  [[nodiscard]] Alone read_alone(Bytes size) const {
    const StorageServer& server = scenario_.server;
    const DiskExport& disks = scenario_.disks;
    const auto bytes = static_cast<double>(size.count);
    const Seconds send = at_rate(bytes, routes_.rate(routes_.to_node(disks.path)));
    const Seconds message{server.nic.message};
    const Seconds data = on_disks(routes_.from_disk(disks.path), size);
    const Seconds command{server.raid.command};
    Alone alone;
    if (disks.path == DataPath::sram && disks.synchronized == SynchronizedSend::none) {
      alone.buffer = command + data + message + send;
    } else if (disks.path == DataPath::sram) {
      // The last packet of every disk's stream leaves by itself.
      const double last = std::min(static_cast<double>(server.nic.packet.count) * spread(size).disks(), bytes);
      alone.buffer = std::max(command + std::max(data, send), message + send) + at_rate(last, server.nic.link);
    }
    alone.worker = Seconds{server.cpu.request} + alone.buffer;
    if (disks.path != DataPath::sram) {
      alone.worker += message + send;
      // What reading ahead has brought is only copied.
      alone.worker += is_cached() ? at_rate(2 * bytes, routes_.rate(routes_.copy_in_server)) : command + data;
    }
    return at_driver(alone, size);
  }

  [[nodiscard]] Alone write_alone(Bytes size) const {
    const StorageServer& server = scenario_.server;
    const auto bytes = static_cast<double>(size.count);
    Alone alone;
    alone.worker = Seconds{server.nic.message} + at_rate(bytes, routes_.rate(routes_.memory_and_node)) +
                   Seconds{server.cpu.request};
    if (is_cached()) {
      alone.worker += at_rate(2 * bytes, routes_.rate(routes_.copy_in_server));
    } else {
      alone.worker += Seconds{server.raid.command} + on_disks(routes_.memory_to_disk, size);
      // The heads write what has arrived.
      alone.worker += at_rate(too_much_for_caches(size), server.raid.media);
    }
    return at_driver(alone, size);
  }

  [[nodiscard]] Alone at_driver(Alone alone, Bytes size) const {
    const ClientNode& node = scenario_.node;
    alone.all = alone.worker + Seconds{scenario_.server.nic.latency * 2 + node.request};
    if (scenario_.mount.movement == Movement::staging)
      alone.all += at_rate(2.0 * static_cast<double>(size.count), routes_.rate(routes_.copy_in_node));
    if (scenario_.mount.movement == Movement::mapping)
      alone.all += Seconds{node.register_region + node.map_page * ceil_div(size, Bytes{page_size})};
    return alone;
  }

  void bound_in_flight() {
    const Mount& mount = scenario_.mount;
    // Requests take time in proportion to their size, and a part of their own; the longest ones cost the least per
    // byte.
    const Alone read = read_alone(traffic_.request);
    const Alone write = write_alone(traffic_.request);
    const auto size = static_cast<double>(traffic_.request.count);
    const double reads = traffic_.read / size;
    const double writes = traffic_.written / size;
    bounds_.add("nodes/requests in flight", read.all * reads + write.all * writes,
                static_cast<double>(mount.depth) * mount.nodes, std::nullopt);
    bounds_.add("server/workers", read.worker * reads + write.worker * writes, scenario_.disks.workers, std::nullopt);
    bounds_.add("server/buffers in the NIC's memory", read.buffer * reads,
                static_cast<double>(scenario_.server.nic.sram.count) / size, std::nullopt);
    // It lets one request at a time to the disks.
    if (scenario_.disks.scheduler == IoScheduler::anticipatory) {
      const double most = static_cast<double>(mount.largest_request.count);
      const Seconds longest = Seconds{scenario_.server.raid.command} +
                              on_disks(routes_.from_disk(scenario_.disks.path), mount.largest_request);
      bounds_.add("server/I/O scheduler", longest * (traffic_.disk_read / most), 1, std::nullopt);
    }
    bound_processes(read.all * reads + write.all * writes);
  }

  /// A process calls again when the call before has ended. `requests`: time of those of an operation, one by one.
  void bound_processes(Seconds requests) {
    const bool waits = scenario_.mount.direct || scenario_.trace;
    Seconds alone = call_time() + copying();
    // The requests of one call are under way together.
    const std::int64_t together = ceil_div(traffic_.call, traffic_.request);
    if (waits) alone += std::max(requests / static_cast<double>(together), by_heads(together));
    // The last of them ends after it has come.
    bounds_.add("nodes/arrivals", Seconds{traffic_.arrival}, 1, Limit::arrivals);
    if (traffic_.processes > 0) bounds_.add("nodes/processes", alone, traffic_.processes, std::nullopt);
    bounds_.unloaded_latency = from_seconds(alone.count());
  }

  const SharedFilesScenario& scenario_;
  FileTraffic traffic_;
  SharedFilesRoutes routes_;
  std::vector<double> crossed_;
  Bounds bounds_;
};

/// Over a time that begins when `before` bytes have been read or written. The faster it goes, the smaller the share of
/// what is read for the first time: from above to where both agree. But the larger the share of what is written and
/// does not stay in a cache: once that holds the rate back, the place where both agree is halved in.
Bounds bounds_over(const SharedFilesScenario& scenario, Time length, double before) {
  constexpr int rounds = 100;
  constexpr double close = 1e-6;
  const auto when = [&](double measured) {
    return FileBounds{scenario, file_traffic(scenario, {before, measured})}.take();
  };
  const auto bytes_of = [&](const Bounds& bounds) { return bounds.bandwidth.bytes_per_second * to_seconds(length); };
  double measured = std::numeric_limits<double>::infinity();
  Bounds bounds = when(measured);
  for (int i = 0; i < rounds && bytes_of(bounds) < measured * (1 - close); ++i) {
    measured = bytes_of(bounds);
    bounds = when(measured);
  }
  double most = bytes_of(bounds);
  while (measured < most * (1 - close)) {
    const double middle = (measured + most) / 2;
    Bounds there = when(middle);
    if (bytes_of(there) > middle) {
      measured = middle;
      bounds = std::move(there);
    } else {
      most = middle;
    }
  }
  return bounds;
}

}  // namespace

Bounds analyze(const SharedFilesScenario& scenario) {
  const Bounds warmup = bounds_over(scenario, scenario.warmup, 0);
  return bounds_over(scenario, scenario.duration, warmup.bandwidth.bytes_per_second * to_seconds(scenario.warmup));
}

}  // namespace doorbell::analytic
