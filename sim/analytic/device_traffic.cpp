#include "analytic/device_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analytic/page_faults.hpp"
#include "models/memory/page.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// What can be in the merge queue at once, and whether it lies side by side.
struct Gathering {
  double requests = 1;
  bool adjacent = false;
};

void batch(Requests& requests, const RemoteAccess& access, const Gathering& gathering) {
  const bool merges = access.batching == Batching::merge || access.batching == Batching::hybrid;
  const bool chains = access.batching == Batching::doorbell || access.batching == Batching::hybrid;
  if (merges && gathering.adjacent && requests.size > Bytes{0}) {
    const double fit =
        std::floor(static_cast<double>(access.largest_merge.count) / static_cast<double>(requests.size.count));
    requests.merged = std::max(1.0, std::min(fit, gathering.requests));
  }
  if (chains) {
    requests.posted_by_one =
        std::clamp(std::floor(gathering.requests / requests.merged), 1.0, static_cast<double>(access.chain));
  }
}

DeviceTraffic blocks(const BlockLoad& load) {
  DeviceTraffic traffic;
  traffic.reads = {.requests = load.read_share, .size = load.size};
  traffic.writes = {.requests = 1 - load.read_share, .size = load.size};
  return traffic;
}

/// Without joining, a fault reads page by page; what is evicted together is written in runs.
DeviceTraffic pages(const Application& load, const PageTraffic& rates) {
  DeviceTraffic traffic;
  traffic.faults = rates.faults;
  const double read = rates.pages_read;
  if (read <= 0) return traffic;
  const std::int64_t whole_pages = load.block.count / page_size;
  const auto longest = static_cast<double>(whole_pages);
  const double of_a_fault = load.join_reads ? std::min(read / rates.faults, longest) : 1;
  traffic.reads = {.requests = read / of_a_fault, .size = Bytes{std::llround(of_a_fault * page_size)}};
  const double run = std::clamp(load.reclaim * rates.pages_written / read, 1.0, longest);
  traffic.writes = {.requests = rates.pages_written / run, .size = Bytes{std::llround(run * page_size)}};
  return traffic;
}

/// A record is cut where a request of the file system's process ends, and where a machine's share does.
DeviceTraffic records(const FileLoad& load, Bytes stripe) {
  constexpr std::int64_t enough = 1024;  // records after which cuts at odd places are known well enough
  const std::int64_t count = std::clamp<std::int64_t>(load.file.count / load.record.count, 1, enough);
  std::int64_t pieces = 0;
  for (std::int64_t record = 0; record < count; ++record) {
    for (std::int64_t at = 0; at < load.record.count; at += load.largest_request.count) {
      const std::int64_t first = record * load.record.count + at;
      const std::int64_t last = first + std::min(load.largest_request.count, load.record.count - at) - 1;
      pieces += last / stripe.count - first / stripe.count + 1;
    }
  }
  const double per_record = static_cast<double>(pieces) / static_cast<double>(count);
  const Bytes size{std::llround(static_cast<double>(load.record.count) / per_record)};
  DeviceTraffic traffic;
  traffic.reads = {.requests = per_record * load.read_share, .size = size};
  traffic.writes = {.requests = per_record * (1 - load.read_share), .size = size};
  return traffic;
}

/// Reads go to one machine, writes to all that hold a block.
void place(DeviceTraffic& traffic, const RemoteAccess& access) {
  double holders = 0;
  for (int peer = 0; peer < access.peers; ++peer) holders += static_cast<double>(holders_of(access, peer).size());
  const double lost = lost_share(access);
  traffic.reads.remote = traffic.reads.replicas = traffic.writes.remote = 1 - lost;
  traffic.writes.replicas = holders / access.peers;
  traffic.reads.to_disk = lost;
  traffic.writes.to_disk = access.copy_on_disk ? 1 : lost;
}

}  // namespace

DeviceTraffic device_traffic(const RemoteMemoryScenario& scenario) {
  DeviceTraffic traffic;
  Gathering gathering{.requests = static_cast<double>(load_threads(scenario))};
  Gathering of_writes = gathering;
  if (scenario.block) {
    const BlockLoad& load = *scenario.block;
    traffic = blocks(load);
    if (load.in_handler) gathering.requests = completion_queues(scenario.access);
    // Without a window whoever queues a request takes it, too.
    if (scenario.access.window > Bytes{0}) {
      gathering = {static_cast<double>(load.threads) * load.depth, load.order == AccessOrder::sequential};
    }
    of_writes = gathering;
  } else if (const Application* application = application_of(scenario)) {
    traffic = pages(*application, scenario.paging ? page_traffic(*scenario.paging) : page_traffic(*scenario.records));
    // Pages that are evicted get slots side by side, whoever evicts them.
    of_writes = {static_cast<double>(application->threads) * application->reclaim, true};
  } else if (scenario.files) {
    traffic = records(*scenario.files, scenario.access.stripe);
  }
  batch(traffic.reads, scenario.access, gathering);
  batch(traffic.writes, scenario.access, of_writes);
  place(traffic, scenario.access);
  return traffic;
}

}  // namespace doorbell::analytic
