#include "analytic/storage_analysis.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/storage/disk_array.hpp"
#include "models/storage/storage_routes.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// Bytes of one request on each resource, and how long its transfers take when it is alone.
class Request {
 public:
  explicit Request(const StorageScenario& scenario)
      : scenario_{scenario}, routes_{storage_routes(scenario)}, bytes_(routes_.resources.size()) {}

  /// Moves `size` bytes along a route, `times` times per request.
  Seconds cross(const StorageRoutes::Route& route, Bytes size, double times = 1) {
    for (const std::size_t resource : route) bytes_[resource] += static_cast<double>(size.count) * times;
    return Seconds{transfer_time(size, routes_.rate(route))} * times;
  }

  /// From the disks into the buffer, on average over the requests after which the stripes repeat themselves.
  Seconds cross_from_disks() {
    const DiskArrayParameters& raid = scenario_.server.raid;
    const std::int64_t width = raid.chunk.count * raid.disks;
    constexpr std::int64_t enough = 4096;  // odd sizes repeat late
    const std::int64_t requests = std::min(width / std::gcd(width, scenario_.request.count), enough);
    DiskArray array{raid};
    Seconds time{0};
    for (std::int64_t i = 0; i < requests; ++i) {
      std::vector<Bytes> left;
      for (const Stripe& stripe : array.next(scenario_.request)) left.push_back(stripe.size());
      std::sort(left.begin(), left.end());
      // All disks that still have data move the same amount.
      Bytes moved;
      for (std::size_t done = 0; done < left.size(); ++done) {
        const std::size_t active = left.size() - done;
        const Bytes step = (left[done] - moved) * static_cast<std::int64_t>(active);
        time += cross(routes_.from_disks[active], step, 1 / static_cast<double>(requests));
        moved = left[done];
      }
    }
    return time;
  }

  [[nodiscard]] const StorageRoutes& routes() const { return routes_; }

  void bound(Bounds& bounds) const {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const auto& [name, bandwidth, limit] = routes_.resources[i];
      bounds.add(name, Seconds{bytes_[i] / bandwidth.bytes_per_second}, 1, limit);
    }
  }

 private:
  const StorageScenario& scenario_;
  StorageRoutes routes_;
  std::vector<double> bytes_;
};

/// How long a request has the medium for itself.
Seconds medium_time(const StorageScenario& scenario, Request& request) {
  const StorageServer& server = scenario.server;
  const bool reads = scenario.operation == BlockOperation::read;
  if (scenario.medium == Medium::raid && reads) return server.raid.command + request.cross_from_disks();
  const Seconds data =
      request.cross(reads ? request.routes().from_device : request.routes().to_device, scenario.request);
  // Writes to an array go into the controller's buffers; the page cache takes no commands.
  if (scenario.medium != Medium::fast_device) return data;
  return data + server.fast_device.commands(scenario.request);
}

}  // namespace

Bounds analyze(const StorageScenario& scenario) {
  const StorageServer& server = scenario.server;
  const bool remote = is_remote(scenario.path);
  Request request{scenario};

  Seconds cpu{server.cpu.request};
  if (scenario.path == DataPath::tcp && scenario.operation == BlockOperation::read) {
    cpu += request.cross(request.routes().copies, scenario.request * StorageRoutes::moved_by_copies);
    cpu += Seconds{transfer_time(scenario.request, server.cpu.tcp)};
  }
  const Seconds medium = medium_time(scenario, request);
  const Seconds nic =
      remote ? Seconds{server.nic.message} + request.cross(request.routes().send, scenario.request) : Seconds{0};
  const bool overlaps =
      remote && scenario.operation == BlockOperation::read && scenario.synchronized != SynchronizedSend::none;
  const Seconds in_server = cpu + (overlaps ? std::max(medium, nic) : medium + nic);
  const Seconds latency = in_server + (remote ? server.nic.latency * 2 : Time{0});

  Bounds bounds;
  bounds.unloaded_latency = from_seconds(latency.count());
  bounds.add("server/CPU", cpu, 1, Limit::cpu);
  request.bound(bounds);
  if (scenario.medium == Medium::raid && scenario.operation == BlockOperation::read) {
    const Time media = transfer_time(scenario.request, server.raid.media);
    bounds.add("server/media of the disks", media, server.raid.disks, Limit::disk_heads);
  }
  bounds.add("server/medium, one request at a time", medium, 1, std::nullopt);
  bounds.add("server/NIC, one message at a time", nic, 1, Limit::nic);
  if (in_sram(scenario.path)) {
    const std::int64_t buffers = server.nic.sram.count / scenario.request.count;
    bounds.add("server/buffers in the NIC's memory", in_server, static_cast<double>(buffers), std::nullopt);
  }
  bounds.add("client/requests in flight", latency, scenario.outstanding, std::nullopt);
  bounds.settle();
  bounds.bandwidth = {bounds.throughput.per_second * static_cast<double>(scenario.request.count)};
  return bounds;
}

}  // namespace doorbell::analytic
